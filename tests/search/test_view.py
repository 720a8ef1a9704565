"""Looking below the root: what is read adds up to what the search reported."""

from itertools import pairwise

import numpy as np
import pytest

from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.search import Forest, PlayoutEvaluator, SearchSettings

TREE = np.arange(1)


def grown(spec, sims, steps=0):
    game = load_game(spec)
    state = game.new_state(1)
    while int(state["seat"]) == CHANCE or steps > 0:
        if int(state["seat"]) == CHANCE:
            state = game.after(state, game.chance_outcomes(state)[0][0])
        else:
            state = game.after(state, game.legal_actions(state)[0])
            steps -= 1
    forest = Forest(game, SearchSettings(sims=sims), 1)
    evaluator = PlayoutEvaluator(game, 0)
    forest.set_roots(TREE, as_batch(state), derive_seeds(1, "test", count=1), evaluator)
    forest.search(TREE, sims, evaluator)
    return forest, evaluator


@pytest.mark.parametrize("spec", ["connect_four", "dice", "dice/three"])
def test_visits_add_up_at_every_node(spec):
    forest, _ = grown(spec, 200)
    seen, waiting = 0, [0]
    while waiting:
        point = forest.view(0).read(waiting.pop())
        tried = [branch for branch in point.branches if branch.visits]
        if tried:
            assert point.visits >= sum(branch.visits for branch in tried)
            visits = [branch.visits for branch in point.branches]
            assert visits == sorted(visits, reverse=True)
        for branch in tried:
            assert forest.view(0).read(branch.child).visits == branch.visits
            waiting.append(branch.child)
            seen += 1
        if point.seat == CHANCE:
            assert point.value is None
            assert sum(branch.prior for branch in point.branches) == pytest.approx(1, abs=1e-5)
    assert seen > 50


def test_the_root_reads_as_it_reports():
    forest, _ = grown("connect_four", 150)
    report, root = forest.report(TREE), forest.view(0).read()
    told = {int(a): int(v) for a, v in zip(report.actions[0], report.visits[0], strict=True)}
    assert {branch.action: branch.visits for branch in root.branches} == told
    assert root.value == pytest.approx(float(report.root_values[0]), abs=1e-6)


def test_a_path_leads_to_its_position():
    forest, _ = grown("connect_four", 150)
    first = forest.view(0).read().branches[0]
    point = forest.view(0).follow([first.action])
    expected = forest.game.after(forest.root_states(TREE)[0], first.action)
    assert point.state.tobytes() == expected.tobytes()
    assert forest.view(0).follow([first.action] * 30) is None
    assert forest.view(0).follow([]) == forest.view(0).read()


def test_a_line_of_play_follows_the_most_visited():
    forest, _ = grown("connect_four", 300)
    best = forest.view(0).read().branches[0]
    line = forest.view(0).line_of_play(best.action, 5)
    assert 1 < len(line) <= 5 and line[0].visits == best.visits
    assert all(before.visits > after.visits for before, after in pairwise(line))
    assert forest.view(0).line_of_play(-5, 5) == []


@pytest.mark.parametrize(("spec", "seats"), [("connect_four", 2), ("dice", 2), ("dice/three", 3)])
def test_means_of_all_seats_agree_with_the_deciding_one(spec, seats):
    forest, evaluator = grown(spec, 200)
    means = forest.view(0).seat_means(evaluator)
    root = forest.view(0).read()
    assert means.shape == (seats,)
    assert means[root.seat] == pytest.approx(root.value, abs=1e-4)
