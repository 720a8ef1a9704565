"""The value of a finished game: result and margin together."""

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.search import Forest, SearchSettings, UniformEvaluator, outcome_values


@pytest.fixture(scope="module")
def finished():
    game = load_game("terra_mystica")
    states = game.new_states(derive_seeds(1, count=16))
    game.kernels.random_play(states, game.packed_scenario, derive_seeds(2, count=16), game.width)
    assert (states["seat"] == OVER).all()
    return game, states


def test_without_a_share_it_is_the_result(finished):
    game, states = finished
    assert (outcome_values(game, states, SearchSettings()) == game.returns(states)).all()


def test_result_and_margin_are_mixed(finished):
    game, states = finished
    settings = SearchSettings(margin_share=0.25, margin_scale=20)
    scores, results = game.scores(states), game.returns(states)
    wanted = 0.75 * results[:, 0] + 0.25 * np.tanh((scores[:, 0] - scores[:, 1]) / 20)
    values = outcome_values(game, states, settings)
    assert np.allclose(values[:, 0], wanted, atol=1e-6)
    assert np.allclose(values.sum(axis=1), 0, atol=1e-6)
    assert len(np.unique(values[:, 0])) > len(np.unique(results[:, 0]))


def test_the_search_sees_the_margin_at_the_end_of_a_game():
    """Both moves of the last decision end the game with the same result, one with more points."""
    game = load_game("terra_mystica")
    settings = SearchSettings(sims=8, margin_share=1.0, margin_scale=30)
    state = _last_decision(game)
    legal = game.legal_actions(state)
    ends = np.array([game.after(state, action) for action in legal])
    assert (ends["seat"] == OVER).all()
    forest = Forest(game, settings, 1)
    trees = np.zeros(1, np.int64)
    evaluator = UniformEvaluator(game)
    forest.set_roots(trees, np.array([state]), np.ones(1, np.uint64), evaluator)
    forest.search(trees, 8, evaluator)
    report = forest.report(trees)
    seat = int(state["seat"])
    wanted = dict(zip(legal, outcome_values(game, ends, settings)[:, seat], strict=True))
    seen = report.visits[0] > 0
    assert seen.any()
    for action, value in zip(report.actions[0, seen], report.values[0, seen], strict=True):
        assert value == pytest.approx(wanted[int(action)], abs=1e-5)
        assert abs(value) < 1


def _last_decision(game):
    """The last position of a random game from which every move ends it."""
    generator = np.random.default_rng(0)
    state = game.new_state(5)
    while True:
        legal = game.legal_actions(state)
        afters = [game.after(state, action) for action in legal]
        if all(after["seat"] == OVER for after in afters):
            return state
        state = afters[int(generator.integers(len(afters)))]
