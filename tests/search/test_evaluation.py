"""Evaluators without a network: playouts, nothing at all, and a memory in front of another."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, grow, play
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.search import CachedEvaluator, PlayoutEvaluator, UniformEvaluator

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


# -- memory ----------------------------------------------------------------------------------


def positions(count):
    return batch([play("1234567"[: n % 7] + "7" * (n // 7)) for n in range(count)])


@pytest.mark.parametrize("capacity", [1, 3, 1000])
def test_a_cache_answers_as_its_evaluator_does(capacity):
    states = positions(12)
    inner = HashEvaluator(CONNECT_FOUR)
    cached = CachedEvaluator(inner, CONNECT_FOUR, capacity)
    generator = np.random.default_rng(capacity)
    for _ in range(30):
        rows = generator.integers(0, 12, generator.integers(1, 9))
        wanted = HashEvaluator(CONNECT_FOUR).evaluate(states, rows)
        found = cached.evaluate(states, rows)
        np.testing.assert_array_equal(found.logits, wanted.logits)
        np.testing.assert_array_equal(found.values, wanted.values)
    if capacity == 1000:
        assert sum(inner.asked) == 12
    assert cached.asked - cached.hits == sum(inner.asked)


def test_duplicates_in_a_batch_are_asked_once():
    states = positions(3)
    inner = HashEvaluator(CONNECT_FOUR)
    cached = CachedEvaluator(inner, CONNECT_FOUR, 10)
    cached.evaluate(states, np.array([1, 1, 2, 1]))
    assert inner.asked == [2]
    cached.evaluate(states, np.array([2, 1]))
    assert inner.asked == [2]  # not asked at all
    cached.evaluate(states, np.array([2, 0, 1]))
    assert inner.asked == [2, 1]
    assert (cached.asked, cached.hits) == (9, 6)


def test_the_oldest_is_forgotten_first():
    states = positions(4)
    inner = HashEvaluator(CONNECT_FOUR)
    cached = CachedEvaluator(inner, CONNECT_FOUR, 2)
    for row in (0, 1, 0, 2):  # 2 takes the place of 0, however recently that was used
        cached.evaluate(states, np.array([row]))
    assert len(inner.asked) == 3
    cached.evaluate(states, np.array([1]))
    assert len(inner.asked) == 3
    cached.evaluate(states, np.array([0]))
    assert len(inner.asked) == 4


@pytest.mark.parametrize("capacity", [5, 10_000])
@pytest.mark.parametrize("kind", ["hash", "playouts"])
def test_a_search_with_a_cache_grows_the_same_tree(kind, capacity):
    make = {
        "hash": lambda: HashEvaluator(CONNECT_FOUR),
        "playouts": lambda: PlayoutEvaluator(CONNECT_FOUR, 1),
    }[kind]
    states = batch([play("4"), play("44"), play("4")])
    plain, trees = grow(CONNECT_FOUR, states, make(), 150)
    cached = CachedEvaluator(make(), CONNECT_FOUR, capacity)
    remembered, _ = grow(CONNECT_FOUR, states, cached, 150)
    np.testing.assert_array_equal(plain.report(trees).visits, remembered.report(trees).visits)
    np.testing.assert_array_equal(plain.report(trees).values, remembered.report(trees).values)
    assert cached.hits > 100  # the first and third tree are the same
