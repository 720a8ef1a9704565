"""Evaluations are remembered: the same trees grow, and no position is evaluated twice."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, grow, play
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.search import Evaluation, Forest, SearchSettings, evaluation_cache

DICE = load_game("dice/three?rerolls=1")
ROOTS = batch([play("4"), play("44"), play("4")])


class Perspectives(HashEvaluator):
    """Says something else to every observer."""

    def evaluate_for(self, states, rows, observer_seats):
        own = self.evaluate(states, rows)
        return Evaluation(own.logits, own.values * (1 + observer_seats[:, None]))


def evaluated(evaluator):
    return sum(evaluator.asked)


def search_again(forest, trees, states, evaluator, sims, seed=2):
    forest.set_roots(trees, states, derive_seeds(seed, count=len(trees)), evaluator)
    forest.prepare_roots(trees, noise=False)
    forest.search(trees, sims, evaluator)


def assert_same(one, other, trees):
    found, wanted = one.report(trees), other.report(trees)
    np.testing.assert_array_equal(found.actions, wanted.actions)
    np.testing.assert_array_equal(found.visits, wanted.visits)
    np.testing.assert_array_equal(found.values, wanted.values)
    np.testing.assert_array_equal(found.priors, wanted.priors)


@pytest.mark.parametrize("entries", [4, 64, 100_000])
@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_the_same_trees_grow(monkeypatch, entries, root):
    """Also where the cache is far too small: entries are replaced while others wait for theirs."""
    monkeypatch.setattr(evaluation_cache, "_FEWEST", entries)
    monkeypatch.setattr(evaluation_cache, "_MOST_BYTES", 60 * entries)
    plain, with_cache = HashEvaluator(CONNECT_FOUR), HashEvaluator(CONNECT_FOUR)
    wanted, trees = grow(CONNECT_FOUR, ROOTS, plain, 100, root=root, cache=False)
    found, _ = grow(CONNECT_FOUR, ROOTS, with_cache, 100, root=root)
    assert_same(found, wanted, trees)
    for states in (batch([play("41"), play("442"), play("41")]), ROOTS):
        search_again(wanted, trees, states, plain, 100)
        search_again(found, trees, states, with_cache, 100)
        assert_same(found, wanted, trees)
    if entries > 64:
        assert evaluated(with_cache) < 0.5 * evaluated(plain)


def test_games_with_dice_and_three_seats_too():
    states = batch([DICE.new_state(0), DICE.new_state(1), DICE.new_state(0)])
    plain, with_cache = HashEvaluator(DICE), HashEvaluator(DICE)
    wanted, trees = grow(DICE, states, plain, 80, cache=False)
    found, _ = grow(DICE, states, with_cache, 80)
    assert_same(found, wanted, trees)
    assert evaluated(with_cache) < evaluated(plain)


def test_no_position_is_evaluated_twice_in_a_batch_or_later():
    evaluator = HashEvaluator(CONNECT_FOUR)
    seen = set()
    judge = evaluator.judge

    def once(state):
        key = state.tobytes()
        assert key not in seen
        if len(evaluator.asked) > 1:  # the first batch tells whether there is anything to keep
            seen.add(key)
        return judge(state)

    evaluator.judge = once
    forest, trees = grow(CONNECT_FOUR, ROOTS, evaluator, 60)
    before = evaluated(evaluator)
    search_again(forest, trees, ROOTS, evaluator, 60)
    assert evaluated(evaluator) <= before + 2  # the roots, which the first batch did not keep


def test_another_evaluator_begins_with_nothing():
    forest, trees = grow(CONNECT_FOUR, ROOTS, HashEvaluator(CONNECT_FOUR), 60)
    fresh = HashEvaluator(CONNECT_FOUR)
    search_again(forest, trees, ROOTS, fresh, 60)
    alone, _ = grow(CONNECT_FOUR, ROOTS, again := HashEvaluator(CONNECT_FOUR), 60, seed=2)
    assert fresh.asked == again.asked
    assert_same(forest, alone, trees)


def test_positions_with_many_legal_actions_are_not_kept(monkeypatch):
    monkeypatch.setattr(evaluation_cache, "_MOST_LOGITS", 6)  # all seven columns are open
    plain, with_cache = HashEvaluator(CONNECT_FOUR), HashEvaluator(CONNECT_FOUR)
    wanted, trees = grow(CONNECT_FOUR, ROOTS, plain, 60, cache=False)
    found, _ = grow(CONNECT_FOUR, ROOTS, with_cache, 60)
    assert_same(found, wanted, trees)
    assert evaluated(with_cache) == evaluated(plain)


def test_a_failed_evaluation_leaves_nothing_behind():
    class Failing(HashEvaluator):
        fails = False

        def evaluate(self, states, rows):
            if self.fails:
                raise RuntimeError("lost")
            return super().evaluate(states, rows)

    evaluator = Failing(CONNECT_FOUR)
    forest, trees = grow(CONNECT_FOUR, ROOTS, evaluator, 20)
    evaluator.fails = True
    for _ in range(3):
        with pytest.raises(RuntimeError):
            search_again(forest, trees, batch([play("1")] * 3), evaluator, 20)
    evaluator.fails = False
    search_again(forest, trees, batch([play("1")] * 3), evaluator, 40)
    wanted, _ = grow(
        CONNECT_FOUR, batch([play("1")] * 3), HashEvaluator(CONNECT_FOUR), 40, seed=2, cache=False
    )
    assert_same(forest, wanted, trees)


def test_what_one_seat_observes_is_not_told_to_another():
    states, trees = batch([play("4"), play("4")]), np.arange(2)
    plain, with_cache = Perspectives(CONNECT_FOUR), Perspectives(CONNECT_FOUR)

    def searched_twice(evaluator, cache):
        settings = SearchSettings(sims=60, cache=cache, fixed_perspective=True)
        forest = Forest(CONNECT_FOUR, settings, 2)
        forest.observer_seats[:] = [0, 1]
        for _ in range(2):
            search_again(forest, trees, states, evaluator, 60)
        return forest

    wanted, found = searched_twice(plain, False), searched_twice(with_cache, True)
    assert_same(found, wanted, trees)
    values = found.report(trees).root_values
    assert values[0] != values[1]
    assert evaluated(with_cache) < evaluated(plain)
