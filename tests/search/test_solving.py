"""Search finds what is known: short wins, forced blocks, brute-force optima, exact expectations."""

import numpy as np
import pytest

from oracles.exact import ExactSolver
from oracles.few_plies import best_columns
from search.growing import CONNECT_FOUR, batch, grow, most_visited, play, visits_by_action
from search.table_game import Place, TableEvaluator, TableGame, ended, rolled
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.search import PlayoutEvaluator, UniformEvaluator

# (moves, plies to look ahead, what can be forced in them, the columns from 0 that do it)
POSITIONS = [
    ("121213", 1, 1, {0}),  # seat 0 completes a column
    ("1212323", 1, 1, {1}),  # so does seat 1
    ("1223433447", 1, 1, {3}),  # a diagonal
    ("12121", 2, 0, {0}),  # seat 1 must block
    ("121232", 2, 0, {1}),  # seat 0 must block
    ("3344", 3, 1, {1, 4}),  # three in a row with both ends open
    ("13147", 3, 1, {4}),  # the same for seat 1, one end is taken
    ("334", 4, 0, {1, 4}),  # seat 1 must forestall that
    ("3564456355", 5, 1, {3}),
    ("756215366336516", 5, 1, {4}),
]
TINY = load_game("connect_four/default?rows=3&columns=3&connect=3")
LONG = load_game("connect_four/default?rows=3&columns=4&connect=3")
DICE = load_game("dice")
THREE = load_game("dice/three")


@pytest.mark.parametrize(("moves", "plies", "result", "columns"), POSITIONS)
def test_the_positions_are_what_they_claim(moves, plies, result, columns):
    assert best_columns(moves, plies) == (result, columns)
    assert plies == 1 or best_columns(moves, plies - 1) != (result, columns)


@pytest.mark.parametrize(
    ("evaluator", "deepest"),
    [(PlayoutEvaluator(CONNECT_FOUR, seed=3, playouts=4), 5), (UniformEvaluator(CONNECT_FOUR), 4)],
    ids=["playouts", "uniform"],
)
def test_short_wins_and_forced_blocks_are_found(evaluator, deepest):
    positions = [position for position in POSITIONS if position[1] <= deepest]
    states = batch([play(moves) for moves, *_ in positions])
    assert set(states["seat"]) == {0, 1}
    forest, trees = grow(CONNECT_FOUR, states, evaluator, sims=10_000)
    report = forest.report(trees)
    for row, (moves, plies, result, columns) in enumerate(positions):
        assert most_visited(report, row) in columns, moves
        if result == 1 and plies <= 3:
            assert report.root_values[row] > 0.9, moves


@pytest.mark.parametrize(
    ("game", "moves"),
    [(TINY, ""), (TINY, "1"), (TINY, "22"), (LONG, "32"), (LONG, "4142")],
)
def test_visits_converge_to_the_brute_force_optimum(game, moves):
    state = play(moves, game)
    solver = ExactSolver(game)
    forest, trees = grow(game, batch([state]), UniformEvaluator(game), sims=6000)
    report = forest.report(trees)
    best = solver.best_actions(state)
    visits = visits_by_action(report)
    assert most_visited(report) in best
    assert sum(visits[action] for action in best) > 0.9 * sum(visits.values())
    exact = solver.values(state)[int(state["seat"])]
    assert report.root_values[0] == pytest.approx(exact, abs=0.1)


def dice_position(game, *events):
    state = game.new_state(0)
    for event in events:
        state = game.after(state, event)
    assert state["seat"] >= 0
    return state


@pytest.mark.parametrize("roll", range(6))
def test_dice_values_converge_to_the_exact_expectation(roll):
    """Sixteen trees that differ in their dice alone, together: luck averages out."""
    state = dice_position(DICE, roll)
    exact = ExactSolver(DICE).action_values(state)
    evaluator = UniformEvaluator(DICE)
    forest, trees = grow(DICE, batch([state] * 16), evaluator, sims=300)
    early = abs(forest.report(trees).root_values.mean() - max(exact.values()))
    forest.search(trees, 6000, evaluator)
    report = forest.report(trees)
    late = abs(report.root_values.mean() - max(exact.values()))
    assert late < 0.06  # what is left is the opponent's exploration
    assert late < max(0.02, 0.6 * early)
    visits = [sum(visits_by_action(report, row)[action] for row in trees) for action in (0, 1)]
    best = int(np.argmax(visits))
    assert best == max(exact, key=exact.get)
    found = report.values[(report.actions == best) & (report.visits > 0)]
    assert found.mean() == pytest.approx(exact[best], abs=0.06)


def test_three_seats_each_maximise_their_own_result():
    """With three faces and two more rolls per seat every node can be compared with the truth."""
    game = load_game("dice/three?faces=3&rerolls=2")
    solver = ExactSolver(game)
    state = dice_position(game, 2)
    forest, _ = grow(game, batch([state]), UniformEvaluator(game), sims=30_000)
    view = forest.view(0)
    nodes = view.nodes
    compared = {0: 0, 1: 0, 2: 0}
    repeated = 0
    for n in np.flatnonzero((nodes["visits"] > 1000) & (nodes["seat"] >= 0)):
        state, seat = view.states[n], int(nodes[n]["seat"])
        wanted = solver.values(state)[seat]
        assert nodes[n]["value"] / nodes[n]["visits"] == pytest.approx(wanted, abs=0.1)
        compared[seat] += 1
        repeated += state["used"] > 0
    assert min(compared.values()) >= 1
    assert repeated >= 1  # the same seat decided before


def test_chance_outcomes_are_visited_as_often_as_they_are_likely():
    forest, _ = grow(THREE, batch([dice_position(THREE, 1)]), UniformEvaluator(THREE), sims=20_000)
    view = forest.view(0)
    rolls = np.flatnonzero(view.nodes["seat"] == CHANCE)
    often = rolls[view.nodes["visits"][rolls] > 4000]
    assert len(often)
    for n in often:
        chances = dict(THREE.chance_outcomes(view.states[n]))
        for edge in view.edges_of(n):
            p, trials = chances[int(edge["action"])], int(view.nodes[n]["visits"])
            assert abs(edge["visits"] - p * trials) < 4 * np.sqrt(trials * p * (1 - p))


# -- outcomes of chance in turn --------------------------------------------------------------


def two_wagers(chances):
    """Two moves with the same roll below them; the first is worth 0.2 more whatever is rolled."""
    count = len(chances)
    results = np.linspace(-0.8, 0.6, count)
    below = tuple(range(3, 3 + count)), tuple(range(3 + count, 3 + 2 * count))
    return TableGame(
        [
            Place(0, moves=(1, 2)),
            *(rolled(moves, chances) for moves in below),
            *(ended(result + 0.2, -result - 0.2) for result in results),
            *(ended(result, -result) for result in results),
        ]
    )


DICE_CHANCES = tuple(np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) / 36)


def grown_wagers(even, sims, seed, trees=1):
    game = two_wagers(DICE_CHANCES)
    options = {"root": "gumbel", "stratified_chance": even}
    states = game.new_states(range(trees))
    return grow(game, states, TableEvaluator(game), sims, seed=seed, **options)


def outcomes_below(forest, n, tree=0):
    """{outcome: visits} of the chance node n of a tree."""
    point = forest.view(tree).read(n)
    assert point.seat == CHANCE
    return {branch.action: branch.visits for branch in point.branches if branch.visits}


def chance_nodes(forest, tree=0):
    return np.flatnonzero(forest.view(tree).nodes["seat"] == CHANCE)


@pytest.mark.parametrize("sims", [2, 4, 16, 40])
def test_stratified_chance_gives_every_move_the_same_rolls(sims):
    for seed in range(10):
        forest, trees = grown_wagers(True, sims, seed)
        rolls = [outcomes_below(forest, n) for n in chance_nodes(forest)]
        assert len(rolls) == 2
        assert rolls[0] == rolls[1]
        values = dict(zip(*(part[0] for part in actions_and_values(forest, trees)), strict=True))
        assert values[0] - values[1] == pytest.approx(0.2, abs=1e-5)
    differing = [
        len({str(outcomes_below(forest, n)) for n in chance_nodes(forest)})
        for forest, _ in (grown_wagers(False, sims, seed) for seed in range(10))
    ]
    assert 2 in differing  # drawn apart, they differ


def actions_and_values(forest, trees):
    report = forest.report(trees)
    return report.actions, report.values


def test_stratified_chance_is_fair_from_the_first_roll_on_and_close_after_few():
    """Over seeds every outcome comes as often as it is likely; in one tree, nearly so.

    Trees of one forest differ in their seeds alone.
    """
    first, count = np.zeros(11), 800
    forest, trees = grown_wagers(True, 2, 1, count)
    for tree in trees:
        for outcome, visits in outcomes_below(forest, chance_nodes(forest, tree)[0], tree).items():
            first[outcome] += visits
    chances = np.array(DICE_CHANCES)
    assert np.all(np.abs(first - count * chances) < 4 * np.sqrt(count * chances * (1 - chances)))
    forest, trees = grown_wagers(True, 144, 1, 20)
    for tree in trees:
        for n in chance_nodes(forest, tree):
            rolls = outcomes_below(forest, n, tree)
            total = sum(rolls.values())
            for outcome, chance in enumerate(chances):
                assert abs(rolls.get(outcome, 0) - total * chance) < 2.5


def test_stratified_chance_does_not_repeat_a_roll_in_the_next():
    """The second of two dice, over seeds, is as likely for each outcome of the first."""
    game = TableGame(
        [
            Place(0, moves=(1,)),
            rolled((2, 3), (0.5, 0.5)),
            rolled((4, 5), (0.5, 0.5)),
            rolled((4, 5), (0.5, 0.5)),
            ended(1, -1),
            ended(-1, 1),
        ]
    )
    states = game.new_states(range(400))
    forest, trees = grow(game, states, TableEvaluator(game), 1, stratified_chance=True)
    values, pairs = forest.report(trees).values, {}
    for tree in trees:
        first = next(iter(outcomes_below(forest, 1, tree)))
        pair = first, float(values[tree, 0])
        pairs[pair] = pairs.get(pair, 0) + 1
    assert len(pairs) == 4
    assert min(pairs.values()) > 60


@pytest.mark.parametrize("name", ["connect_four", "dice", "dice/three"])
def test_statistics_do_not_depend_on_the_seed_of_the_game(name):
    """Equal positions of games with other set-up and dice seeds are searched equally."""
    game = load_game(name)
    groups = {}
    for seed in range(40):
        states = game.new_states(derive_seeds(seed, "setup", count=1))
        if states[0]["seat"] == CHANCE:
            drawn = game.draw(states, derive_seeds(seed, "dice", count=1))
            game.kernels.step(states, drawn)
        groups.setdefault(states[0].tobytes(), []).append(states)
    same = max(groups.values(), key=len)
    assert len(same) > 5
    reports = []
    for states in same[:4]:
        forest, trees = grow(game, states, PlayoutEvaluator(game, seed=1), sims=200, seed=9)
        reports.append(forest.report(trees))
    for report in reports[1:]:
        np.testing.assert_array_equal(report.visits, reports[0].visits)
        np.testing.assert_array_equal(report.values, reports[0].values)
    if name != "connect_four":  # the search rolls its own dice, from its own seed
        forest, trees = grow(game, same[0], PlayoutEvaluator(game, seed=1), sims=200, seed=10)
        assert np.any(forest.report(trees).values != reports[0].values)
