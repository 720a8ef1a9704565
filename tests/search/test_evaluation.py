"""Evaluators without a network: playouts and nothing at all."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, batch, play
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.search import PlayoutEvaluator, UniformEvaluator

TINY = load_game("connect_four/default?rows=3&columns=3&connect=3")
DICE = load_game("dice/three?rerolls=1")
KNOWN = {TINY.spec: {}, DICE.spec: {}}


def random_play_values(game, state, known):
    """Exact expectation and second moment of [P] returns when everybody moves at random."""
    key = state.tobytes()
    if key not in known:
        if state["seat"] == OVER:
            returns = game.returns(as_batch(state))[0].astype(float)
            known[key] = np.array([returns, returns**2])
        else:
            if state["seat"] == CHANCE:
                events = game.chance_outcomes(state)
            else:
                legal = game.legal_actions(state)
                events = [(action, 1 / len(legal)) for action in legal]
            known[key] = sum(
                p * random_play_values(game, game.after(state, event), known) for event, p in events
            )
    return known[key]


@pytest.mark.parametrize(
    ("game", "events"),
    [(TINY, ()), (TINY, (1,)), (TINY, (0, 0, 2)), (DICE, (1,)), (DICE, (3, 0, 2))],
)
def test_playouts_average_to_random_play(game, events):
    state = game.new_state(0)
    for event in events:
        state = game.after(state, event)
    mean, square = random_play_values(game, state, KNOWN[game.spec])
    playouts = 4000
    for seed in range(3):
        evaluator = PlayoutEvaluator(game, seed, playouts)
        found = evaluator.evaluate(as_batch(state), np.array([0])).values[0]
        deviation = np.sqrt(np.maximum(square - mean**2, 1e-9) / playouts)
        assert np.all(np.abs(found - mean) < 4 * deviation)


def test_single_playouts_of_many_positions_are_not_all_alike():
    """Seeds come from positions: nearby ones must not play the same random game."""
    states = batch([play(f"{a}{b}{c}") for a in "1234567" for b in "1234567" for c in "1234567"])
    values = PlayoutEvaluator(CONNECT_FOUR, 1).evaluate(states, np.arange(343)).values[:, 1]
    assert -0.5 < values.mean() < 0.3
    assert set(values) >= {-1.0, 1.0}


def test_a_playout_does_not_depend_on_its_company():
    states = batch([play(moves) for moves in ("", "1", "12", "123", "4444")])
    evaluator = PlayoutEvaluator(CONNECT_FOUR, seed=5, playouts=3)
    together = evaluator.evaluate(states, np.arange(5)).values
    picked = evaluator.evaluate(states, np.array([4, 2, 2])).values
    np.testing.assert_array_equal(picked, together[[4, 2, 2]])
    alone = PlayoutEvaluator(CONNECT_FOUR, seed=5, playouts=3).evaluate(states[3:4], np.array([0]))
    np.testing.assert_array_equal(alone.values, together[3:4])
    many = np.arange(5).repeat(30)
    others = [PlayoutEvaluator(CONNECT_FOUR, seed).evaluate(states, many).values for seed in (5, 6)]
    assert np.any(others[0] != others[1])


def test_playouts_leave_positions_alone():
    states = batch([play("44"), play("1")])
    before = states.tobytes()
    PlayoutEvaluator(CONNECT_FOUR, 0, 5).evaluate(states, np.array([0, 1]))
    assert states.tobytes() == before


def test_uniform_says_nothing():
    evaluation = UniformEvaluator(DICE).evaluate(np.zeros(9, DICE.rules.dtype), np.arange(4))
    assert len(evaluation.logits) == 0
    assert evaluation.values.shape == (4, 3) and not evaluation.values.any()
