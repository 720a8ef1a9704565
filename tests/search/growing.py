"""Growing trees in tests: one call from positions to a searched forest, and ways to look inside."""

import hashlib

import numpy as np

from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.search import Evaluation, Forest, SearchSettings

CONNECT_FOUR = load_game("connect_four")


class HashEvaluator:
    """Arbitrary but fixed: logits and values come from a hash of the position's bytes."""

    def __init__(self, game):
        self._game = game
        self.asked = []  # size of each batch

    def evaluate(self, states, rows):
        self.asked.append(len(rows))
        judged = [self.judge(states[row]) for row in rows]
        return Evaluation(
            np.array([logits for logits, _ in judged], np.float32),
            np.array([values for _, values in judged], np.float32),
        )

    def judge(self, state):
        """(logits [A], values [P]) of one position; two seats want opposite things."""
        digest = hashlib.blake2b(state.tobytes(), digest_size=16).digest()
        generator = np.random.default_rng(int.from_bytes(digest, "little"))
        logits = generator.normal(0, 1.2, self._game.actions.size).astype(np.float32)
        values = generator.uniform(-1, 1, self._game.num_seats).astype(np.float32)
        if self._game.num_seats == 2:
            values[1] = -values[0]
        return logits, values


def play(moves, game=CONNECT_FOUR):
    """The Connect Four position after these moves, columns counted from 1."""
    state = game.new_state(0)
    for column in moves:
        assert int(column) - 1 in game.legal_actions(state)
        state = game.after(state, int(column) - 1)
    return state


def batch(states):
    return np.concatenate([as_batch(state) for state in states])


def grow(game, states, evaluator, sims, seed=1, **options):
    """(forest, trees) with one tree per position, searched without noise unless asked for."""
    settings = SearchSettings(sims=sims, **options)
    forest = Forest(game, settings, len(states))
    trees = np.arange(len(states))
    forest.set_roots(trees, states, derive_seeds(seed, count=len(states)), evaluator)
    forest.prepare_roots(trees, noise=False)
    forest.search(trees, sims, evaluator)
    return forest, trees


def visits_by_action(report, row=0):
    count = report.counts[row]
    return dict(
        zip(report.actions[row, :count].tolist(), report.visits[row, :count].tolist(), strict=True)
    )


def most_visited(report, row=0):
    visits = visits_by_action(report, row)
    return max(visits, key=visits.get)


def check_tree(forest, tree, evaluator):
    """Everything that must hold between batches, at every node of one tree (nothing shaped)."""
    view = forest.view(tree)
    nodes, edges = view.nodes, view.edges
    assert len(nodes) <= forest.room[0] and len(edges) <= forest.room[1]
    for n, node in enumerate(nodes):
        assert node["waiting"] == 0
        start, count = node["edge_start"], node["edge_count"]
        mine = view.edges_of(n)
        if count:
            np.testing.assert_allclose(mine["prior"].sum(), 1, atol=1e-5)
            assert len(set(mine["action"])) == count
        for e in range(start, start + count):
            child = edges[e]["child"]
            assert (child >= 0) == (edges[e]["visits"] > 0)
            if child >= 0:
                assert nodes[child]["parent"] == n
                assert nodes[child]["parent_edge"] == e
                assert nodes[child]["visits"] == edges[e]["visits"]
        if node["seat"] == CHANCE:
            assert mine["visits"].sum() == node["visits"]
            assert np.all(mine["value"] == 0)
        elif node["seat"] >= 0:
            # Its own evaluation was one visit; every other went on through an edge.
            assert mine["visits"].sum() == node["visits"] - 1
            _check_prefix(node, mine)
            _check_value(view, n, evaluator)


def _check_prefix(node, mine):
    opened = node["opened"]
    if opened == node["edge_count"]:  # fully open, maybe by decree: nothing is ordered
        return
    assert np.all(mine["visits"][:opened] > 0)
    assert np.all(mine["visits"][opened:] == 0)
    assert mine["prior"][opened] == mine["prior"][opened:].max()


def _check_value(view, n, evaluator):
    """A node's sum is its own evaluation plus what its edges brought."""
    node = view.nodes[n]
    own = evaluator.evaluate(view.states, np.array([n])).values[0, node["seat"]]
    np.testing.assert_allclose(node["value"], own + view.edges_of(n)["value"].sum(), atol=1e-6)
