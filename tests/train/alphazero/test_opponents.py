"""Others in self-play games: their own moves, what is learned from them, exact resume."""

import numpy as np
import pytest

from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.runs.folder import RunFolder
from stratagem.search import Evaluation, Forest, SearchSettings, UniformEvaluator
from stratagem.train.alphazero.opponents import OtherPlayers
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.lineups import SELF, Draw
from train.alphazero.tiny import TINY, outcome, start_run, take_up

GAME = load_game(TINY)


class FirstLegal:
    """Always the first legal action, which a search of these games seldom insists on."""

    spec = "first"

    def __init__(self):
        self.batches = []

    def act(self, states, seeds):
        self.batches.append(len(states))
        return GAME.legal(states)[0][:, 0]


class LastLegal:
    spec = "last"

    def act(self, states, seeds):
        ids, counts = GAME.legal(states)
        return ids[np.arange(len(ids)), counts - 1]


def play(others, positions=400, sims=12, slots=16, evaluator=None, **search):
    settings = SelfPlaySection(slots=slots, full_share=search.pop("full_share", 1.0), fast_sims=3)
    group = SelfPlay(GAME, settings, SearchSettings(sims=sims, **search), ShapingSection(), slots)
    evaluator = evaluator or UniformEvaluator(GAME)
    return group.play(positions, evaluator, derive_generator(1, "others"), sims, others)


def decisions_of(played):
    """(game, sample's index, state, action) of every decision."""
    at = 0
    for finished in played.games:
        for action in finished.events:
            yield finished, at, played.samples.states[at], action
            at += 1
    assert at == len(played.samples)


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("full_share", [1.0, 0.5])
def test_opponents_play_their_own_moves_and_these_are_not_learned(root, full_share):
    others = OtherPlayers(Draw((SELF, 1, 9), (0.4, 0.3, 0.3)), {1: FirstLegal(), 9: LastLegal()})
    played = play(others, root=root, full_share=full_share)
    seen, strayed = {1: 0, 9: 0}, 0
    for finished, at, state, action in decisions_of(played):
        legal = GAME.legal_actions(state)
        player, weight = finished.lineup[state["seat"]], played.samples.policy_weights[at]
        if player == SELF:
            strayed += action not in (legal[0], legal[-1])
            assert weight == 1 or full_share < 1
        else:
            assert action == legal[0 if player == 1 else -1]
            assert weight == 0
            seen[player] += 1
            # No search was made there: the value is the result itself.
            value = played.samples.values[at, state["seat"]]
            assert played.samples.search_values[at] == value
    assert min(seen.values()) > 15 and strayed > 15
    assert {1, 9} == set(played.tallies) and played.tallies[1].games > 3


def test_lineups_follow_from_the_seeds_of_games():
    draw = Draw((SELF, 1), (0.5, 0.5))
    for finished in play(OtherPlayers(draw, {1: FirstLegal()})).games:
        seeds = np.array([finished.setup_seed], np.uint64)
        assert tuple(draw.from_seeds(seeds, 2)[0]) == finished.lineup


def test_an_opponent_is_asked_for_many_games_at_once():
    agent = FirstLegal()
    play(OtherPlayers(Draw((1,), (1.0,)), {1: agent}), positions=600, slots=32, root="gumbel")
    assert np.mean(agent.batches) > 8


@pytest.mark.parametrize("learn", ["winners", "all"])
def test_moves_of_opponents_can_be_learned(learn):
    others = OtherPlayers(Draw((SELF, 1), (0.3, 0.7)), {1: FirstLegal()}, learn)
    played = play(others, positions=900, sims=2)
    weights, kinds = played.samples.policy_weights, set()
    for finished, at, state, action in decisions_of(played):
        if finished.lineup[state["seat"]] == SELF:
            continue
        mine = finished.lineup.index(SELF)
        won = played.samples.values[at, state["seat"]] > played.samples.values[at, mine]
        assert weights[at] == (learn == "all" or won)
        learned = played.samples.actions[played.samples.offsets[at] :][:1]
        assert learned.tolist() == [action]
        kinds.add(bool(won))
    assert kinds == {False, True}


class Impartial:
    """Every action alike; remembers who observed. Seat 0 is always better off by a half."""

    def __init__(self):
        self.observed = []

    def evaluate(self, states, rows):
        raise AssertionError("fixed_perspective asks who observes")

    def evaluate_for(self, states, rows, observer_seats):
        self.observed += zip(states["seat"][rows].tolist(), observer_seats.tolist(), strict=True)
        values = np.tile(np.array([0.5, -0.5], np.float32), (len(rows), 1))
        return Evaluation(np.zeros((len(rows), GAME.actions.size), np.float32), values)


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_with_its_fixed_perspective_the_learner_observes_the_opponents_turns_too(root):
    others = OtherPlayers(Draw((SELF, 1), (0.4, 0.6)), {1: FirstLegal()})
    evaluator = Impartial()
    played = play(others, evaluator=evaluator, root=root, fixed_perspective=True)
    assert {(0, 0), (0, 1), (1, 0), (1, 1)} == set(evaluator.observed)
    samples, expected = played.samples, 0
    for finished, at, state, action in decisions_of(played):
        alone = finished.lineup == (SELF, SELF)
        watching = state["seat"] if alone else finished.lineup.index(SELF)
        assert samples.observer_seats[at] == watching
        assert samples.policy_weights[at] == 1
        if finished.lineup[state["seat"]] != SELF:
            learned = samples.actions[samples.offsets[at] : samples.offsets[at + 1]]
            assert learned.tolist() == [action]
            assert samples.search_values[at] == samples.values[at, watching]
            expected += 1
    assert expected > 20


def test_only_two_seats_and_a_network_have_a_fixed_perspective():
    search = SearchSettings(sims=4, fixed_perspective=True)
    three = load_game("catan/official")
    with pytest.raises(BadSetting, match="fixed_perspective: catan has"):
        Forest(three, search, 1)
    forest, states = Forest(GAME, search, 1), GAME.new_states(derive_seeds(1, count=1))
    with pytest.raises(BadSetting, match="fixed_perspective: only a network"):
        forest.set_roots(np.arange(1), states, derive_seeds(1, count=1), UniformEvaluator(GAME))


# -- whole runs ------------------------------------------------------------------------------

OPPONENTS = {
    "self_play": 0.3, "past": 0.5, "agents": {"random": 0.2, "scripted": 0.2}, "every": 1,
    "pool": 2, "past_at_once": 2,
}  # fmt: skip


def begin(path, **changes):
    options = {"opponents": OPPONENTS, "keep_every": 100, "seed": 3, "iterations": 6, **changes}
    return start_run(path, **options)


def test_a_run_with_a_population_resumes_exactly(tmp_path):
    whole, parts = begin(tmp_path / "whole"), begin(tmp_path / "parts")
    whole.run()
    for _ in range(3):
        parts._iterate()
    take_up(tmp_path / "parts").run()
    assert outcome(tmp_path / "parts") == outcome(tmp_path / "whole")
    metrics = RunFolder(tmp_path / "whole").metrics()
    met = {name for line in metrics for name in line.opponents}
    assert {"random", "scripted"} < met and any(name.startswith("iteration") for name in met)
    assert len(whole.progress.pool) == 2
    kept = set(RunFolder(tmp_path / "whole").steps())
    assert whole._needed() <= kept and len(kept) < 6  # and no more than needed
