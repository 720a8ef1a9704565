"""The trees themselves: their invariants, reuse, growth, and many leaves or trees at once."""

import numpy as np
import pytest

from search.growing import (
    CONNECT_FOUR,
    HashEvaluator,
    batch,
    check_tree,
    grow,
    play,
    visits_by_action,
)
from search.table_game import Place, TableEvaluator, TableGame, ended, rolled
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.search import Forest, PlayoutEvaluator, SearchSettings, UniformEvaluator

DICE = load_game("dice/three")
FIELDS = ("actions", "visits", "values", "priors", "counts", "root_values", "policy")


def first_rolls(count):
    states = DICE.new_states(derive_seeds(0, count=count))
    DICE.kernels.step(states, (np.arange(count) % 4).astype(np.int32))
    return states


def assert_same_reports(report, other):
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(report, name), getattr(other, name), name)


@pytest.mark.parametrize("leaves", [1, 3, 8])
@pytest.mark.parametrize("moves", ["", "444444333333"])
def test_invariants_hold_without_chance(leaves, moves):
    evaluator = HashEvaluator(CONNECT_FOUR)
    forest, _ = grow(
        CONNECT_FOUR, batch([play(moves)]), evaluator, 200, leaves_per_tree=leaves, virtual_loss=2
    )
    check_tree(forest, 0, evaluator)
    assert np.any(forest.view(0).nodes["seat"] == OVER) == (moves != "")


@pytest.mark.parametrize("leaves", [1, 8])
def test_invariants_hold_with_chance(leaves):
    evaluator = HashEvaluator(DICE)
    forest, _ = grow(DICE, first_rolls(2), evaluator, 200, leaves_per_tree=leaves)
    for tree in range(2):
        check_tree(forest, tree, evaluator)


@pytest.mark.parametrize("fpu", [-1.0, 0.0, 0.4])
def test_only_the_best_untried_edge_is_opened(fpu):
    """After a few simulations a wide root has tried its likeliest actions, and no others."""
    evaluator = HashEvaluator(CONNECT_FOUR)
    for sims in range(1, 8):
        forest, trees = grow(
            CONNECT_FOUR, batch([play("4")]), evaluator, sims, fpu_reduction=fpu, c_init=0.5
        )
        report = forest.report(trees)
        tried = report.priors[0][report.visits[0] > 0]
        untried = report.priors[0][: report.counts[0]][report.visits[0, : report.counts[0]] == 0]
        assert len(tried) == forest.view(0).nodes[0]["opened"]
        assert untried.size == 0 or tried.min() >= untried.max()


def test_a_report_says_what_the_evaluator_and_the_rules_say():
    evaluator = HashEvaluator(CONNECT_FOUR)
    state = play("4444443")  # one column is full
    forest, trees = grow(CONNECT_FOUR, batch([state]), evaluator, 50)
    report = forest.report(trees)
    legal = CONNECT_FOUR.legal_actions(state)
    count = report.counts[0]
    assert sorted(report.actions[0, :count]) == legal == [0, 1, 2, 4, 5, 6]
    logits = evaluator.judge(state)[0][report.actions[0, :count]]
    wanted = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(report.priors[0, :count], wanted, atol=1e-6)
    assert report.priors[0].sum() == pytest.approx(1)
    assert report.visits.sum() == forest.root_visits(trees)[0] == 50
    np.testing.assert_allclose(report.policy[0], report.visits[0] / 50, atol=1e-7)
    own = evaluator.judge(state)[1][int(state["seat"])]
    mean = (own + (report.values * report.visits).sum()) / 51
    assert report.root_values[0] == pytest.approx(mean, abs=1e-6)
    assert not report.visits[0, count:].any() and not report.priors[0, count:].any()


def test_edges_add_up_the_value_of_the_seat_that_chose():
    """Seat 0, then seat 2 twice, then an end with three different results."""
    game = TableGame(
        [
            Place(0, moves=(1,), values=(0.1, 0.2, 0.3)),
            Place(2, moves=(2,), values=(0.4, 0.5, 0.6)),
            Place(2, moves=(3,), values=(0.7, 0.8, 0.9)),
            ended(1.0, -0.5, -0.25),
        ],
        num_seats=3,
    )
    forest, trees = grow(game, game.new_states([0]), TableEvaluator(game), 4)
    edges = forest.view(0).edges
    assert edges["visits"].tolist() == [4, 3, 2]
    np.testing.assert_allclose(edges["value"], [0.4 + 0.7 + 2 * 1.0, 0.9 - 2 * 0.25, -0.5])
    assert forest.report(trees).root_values[0] == pytest.approx((0.1 + 3.1) / 5)


def test_search_stops_when_each_root_has_its_visits():
    evaluator = UniformEvaluator(CONNECT_FOUR)
    forest = Forest(CONNECT_FOUR, SearchSettings(sims=10), 3)
    everyone = np.arange(3)
    forest.set_roots(everyone, batch([play("")] * 3), derive_seeds(1, count=3), evaluator)
    forest.search(everyone[:1], 30, evaluator)
    forest.search(everyone[1:2], 7, evaluator)
    forest.search(everyone, 12, evaluator)
    assert forest.root_visits(everyone).tolist() == [30, 12, 12]


# -- reuse -----------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["", "33434", "444444333333"])
def test_a_kept_subtree_is_what_a_fresh_search_would_have_grown(moves):
    evaluator = HashEvaluator(CONNECT_FOUR)
    state = play(moves)
    forest, trees = grow(CONNECT_FOUR, batch([state]), evaluator, 400)
    before = forest.report(trees)
    row = int(np.argsort(before.visits[0])[-1])
    action, visits = before.actions[0, row], before.visits[0, row]
    assert forest.advance(trees, np.array([action], np.int32)).tolist() == [True]
    after = CONNECT_FOUR.after(state, int(action))
    assert forest.root_states(trees)[0].tobytes() == after.tobytes()
    assert forest.root_visits(trees)[0] == visits - 1
    assert forest.root_seats(trees)[0] == after["seat"]
    check_tree(forest, 0, evaluator)
    # Below a node, growth depends on nothing above it.
    fresh, _ = grow(CONNECT_FOUR, batch([after]), evaluator, visits - 1)
    assert_same_reports(forest.report(trees), fresh.report(trees))
    for sims in (visits + 100, visits + 500):
        forest.search(trees, sims, evaluator)
        fresh.search(trees, sims, evaluator)
        assert_same_reports(forest.report(trees), fresh.report(trees))
    check_tree(forest, 0, evaluator)


def test_the_kept_root_has_the_statistics_of_the_old_child():
    evaluator = HashEvaluator(CONNECT_FOUR)
    forest, trees = grow(CONNECT_FOUR, batch([play("4")]), evaluator, 300)
    report = forest.report(trees)
    action = report.actions[0, report.visits[0].argmax()]
    view = forest.view(0)
    number = view.follow([action]).node
    child, below = view.nodes[number].copy(), view.edges_of(number).copy()
    forest.advance(trees, np.array([action], np.int32))
    root = forest.view(0).nodes[0]
    for name in ("seat", "edge_count", "opened", "visits", "value"):
        assert root[name] == child[name]
    kept = forest.view(0).edges_of(0)
    for name in ("action", "prior", "visits", "value"):
        np.testing.assert_array_equal(kept[name], below[name])


def test_a_tree_follows_decisions_and_dice():
    evaluator = HashEvaluator(DICE)
    forest, trees = grow(DICE, first_rolls(1), evaluator, 300)
    again, face = np.array([1], np.int32), np.array([3], np.int32)
    assert forest.advance(trees, again).all()
    assert forest.root_seats(trees)[0] == -1
    assert forest.advance(trees, face).all()
    assert forest.root_states(trees)[0]["roll"] == 4
    check_tree(forest, 0, evaluator)
    visits = forest.root_visits(trees)[0]
    forest.search(trees, visits + 100, evaluator)
    assert forest.report(trees).visits.sum() == visits + 100


def test_nothing_is_kept_of_an_untried_action():
    game = TableGame([Place(0, moves=(1, 2), logits=(9.0, -9.0)), ended(1, -1), ended(1, -1)])
    forest, trees = grow(game, game.new_states([0]), TableEvaluator(game), 3)
    assert visits_by_action(forest.report(trees)) == {0: 3, 1: 0}
    assert not forest.advance(trees, np.array([1], np.int32)).any()
    assert forest.root_visits(trees)[0] == 3  # left as it was: the caller sets a new root


# -- memory ----------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 6])
@pytest.mark.parametrize("game", [CONNECT_FOUR, DICE], ids=lambda game: game.name)
def test_growing_memory_changes_nothing(game, leaves):
    states = batch([play("44")] * 3) if game is CONNECT_FOUR else first_rolls(3)
    evaluator = HashEvaluator(game)
    trees = np.arange(3)
    seeds = derive_seeds(4, count=3)
    reports = []
    for capacity in (1, 600):
        forest = Forest(game, SearchSettings(sims=capacity, leaves_per_tree=leaves), 3)
        before = forest.room[0]
        forest.set_roots(trees, states, seeds, evaluator)
        for sims in (20, 21, 90, 300):
            forest.search(trees, sims, evaluator)
            for tree in trees:
                assert len(forest.view(tree).nodes) <= forest.room[0]
                assert len(forest.view(tree).edges) <= forest.room[1]
        assert (forest.room[0] > before) == (capacity == 1)
        check_tree(forest, 1, evaluator)
        reports.append(forest.report(trees))
    assert_same_reports(*reports)


def test_a_batch_of_leaves_behind_dice_stays_inside_its_arena():
    """Each leaf of a batch may need edges for its dice and again for what follows them."""
    width = 16
    root, dice, choice = Place(0, (1,) * width), rolled((2,) * width, [1 / width] * width), 3
    game = TableGame([root, dice, Place(1, (choice,) * width), ended(1, -1)])
    forest = Forest(game, SearchSettings(sims=1, leaves_per_tree=width), 1)
    tree = np.arange(1)
    forest.set_roots(tree, game.new_states([0]), derive_seeds(1, count=1), TableEvaluator(game))
    forest.simulate(tree, TableEvaluator(game))
    edges = width + 2 * width * width
    assert len(forest.view(0).edges) == edges <= forest.room[1]  # no leaf collided
    check_tree(forest, 0, TableEvaluator(game))


def test_a_very_wide_root_finds_room():
    arms = 3000
    game = TableGame([Place(0, moves=(1,) * arms), ended(0, 0)])
    forest, trees = grow(game, game.new_states([0]), TableEvaluator(game), 2)
    assert forest.room[1] >= arms
    assert forest.report(trees).counts[0] == arms


# -- many at once ----------------------------------------------------------------------------


def test_several_leaves_lend_no_loss_for_longer_than_a_batch():
    """With a loss far larger than any value, a forgotten one would show everywhere."""
    evaluator = HashEvaluator(CONNECT_FOUR)
    forest, trees = grow(
        CONNECT_FOUR, batch([play("")]), evaluator, 320, leaves_per_tree=8, virtual_loss=1000
    )
    check_tree(forest, 0, evaluator)
    assert np.abs(forest.report(trees).values).max() <= 1
    assert max(evaluator.asked) == 8  # they really were evaluated together
    assert forest.root_visits(trees)[0] >= 320


def test_colliding_leaves_are_undone():
    """One legal move: all but the first selection of a batch meet a leaf being evaluated."""
    places = [Place(0, moves=(n + 1,), values=(0.5, -0.5)) for n in range(30)]
    game = TableGame([*places, ended(1, -1)])
    forest = Forest(game, SearchSettings(sims=20, leaves_per_tree=5), 1)
    tree = np.arange(1)
    forest.set_roots(tree, game.new_states([0]), derive_seeds(1, count=1), TableEvaluator(game))
    for rounds in range(1, 11):
        forest.simulate(tree, TableEvaluator(game))
        assert forest.root_visits(tree)[0] == rounds
        assert len(forest.view(0).nodes) == rounds + 1
    check_tree(forest, 0, TableEvaluator(game))
    np.testing.assert_allclose(forest.report(tree).values[0, 0], 0.5)


def test_several_leaves_find_what_one_finds():
    state = batch([play("13147")])
    for leaves in (1, 16):
        forest, trees = grow(
            CONNECT_FOUR, state, UniformEvaluator(CONNECT_FOUR), 1500, leaves_per_tree=leaves
        )
        visits = visits_by_action(forest.report(trees))
        assert max(visits, key=visits.get) == 4


@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("game", [CONNECT_FOUR, DICE], ids=lambda game: game.name)
def test_one_tree_and_five_hundred_take_the_same_path(game, leaves):
    if game is CONNECT_FOUR:
        states = batch([play("4" * (n % 6)) for n in range(500)])
    else:
        states = first_rolls(500)
    evaluator = _Cheap(game)
    options = SearchSettings(sims=60, leaves_per_tree=leaves)
    seeds = derive_seeds(8, count=500)
    together = Forest(game, options, 500)
    everyone = np.arange(500)
    together.set_roots(everyone, states, seeds, evaluator)
    together.prepare_roots(everyone, noise=True)
    together.search(everyone, 60, evaluator)
    for n in (0, 1, 250, 499):
        alone, tree = Forest(game, options, 1), np.arange(1)
        alone.set_roots(tree, states[n : n + 1], seeds[n : n + 1], evaluator)
        alone.prepare_roots(tree, noise=True)
        alone.search(tree, 60, evaluator)
        assert_same_reports(alone.report(tree), together.report(everyone[n : n + 1]))


class _Cheap(HashEvaluator):
    """The same judgements for all 500 trees cost one each."""

    def __init__(self, game):
        super().__init__(game)
        self._known = {}

    def judge(self, state):
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = super().judge(state)
        return self._known[key]


def test_a_tree_can_get_a_new_root():
    evaluator = HashEvaluator(CONNECT_FOUR)
    forest, trees = grow(CONNECT_FOUR, batch([play("1")]), evaluator, 150)
    forest.set_roots(trees, batch([play("4453")]), derive_seeds(5, count=1), evaluator)
    forest.search(trees, 150, evaluator)
    fresh, _ = grow(CONNECT_FOUR, batch([play("4453")]), evaluator, 150, seed=5)
    assert_same_reports(forest.report(trees), fresh.report(trees))


def test_chance_below_chance_is_passed_in_one_simulation():
    game = TableGame(
        [
            Place(0, moves=(1,)),
            rolled((2, 2), (0.25, 0.75)),
            rolled((3, 4), (0.5, 0.5)),
            ended(1, -1),
            ended(-1, 1),
        ]
    )
    forest, trees = grow(game, game.new_states([0]), TableEvaluator(game), 2000)
    assert forest.root_visits(trees)[0] == 2000
    assert forest.report(trees).values[0, 0] == pytest.approx(0, abs=0.1)
    check_tree(forest, 0, TableEvaluator(game))


@pytest.mark.parametrize("leaves", [1, 3])
@pytest.mark.parametrize(
    "evaluator", [UniformEvaluator(CONNECT_FOUR), PlayoutEvaluator(CONNECT_FOUR, 5, 2)]
)
def test_the_compiled_loop_grows_the_same_trees(monkeypatch, evaluator, leaves):
    """Also through growing memory: the forest starts with room for far fewer simulations."""

    def reports(fused):
        if not fused:
            monkeypatch.setattr(Forest, "_can_fuse", lambda self, evaluator: False)
        forest = Forest(CONNECT_FOUR, SearchSettings(sims=8, leaves_per_tree=leaves), 3)
        trees = np.arange(3)
        roots = batch([play("4"), play("4453"), play("33434")])
        forest.set_roots(trees, roots, derive_seeds(1, count=3), evaluator)
        forest.search(trees, 300, evaluator)
        return forest.report(trees)

    compiled, plain = reports(True), reports(False)
    assert (compiled.visits == plain.visits).all()
    assert (compiled.actions == plain.actions).all()
    assert (compiled.values == plain.values).all()
