"""The Connect Four solver against looking at everything, and against published results."""

from functools import cache

import numpy as np
import pytest

from oracles.slow_connect_four import SlowConnectFour
from stratagem.core.registry import load_game
from stratagem.games.connect_four.solver import Solver


def slow_value(position, remembered):
    """The mover's value by looking at every line of play to its end."""
    if position.over:
        if position.winner is None:
            return 0
        cells = position.rows * len(position.columns)
        return -((cells + 2 - position.ply) // 2)  # the other side has just won
    if position.key not in remembered:
        children = [slow_value(after(position, c), remembered) for c in position.legal()]
        remembered[position.key] = max(-value for value in children)
    return remembered[position.key]


def after(position, column):
    child = position.copy()
    child.drop(column)
    return child


def slow_solution(position, remembered):
    values = {c: -slow_value(after(position, c), remembered) for c in position.legal()}
    top = max(values.values())
    best = tuple(c for c, value in values.items() if value == top)
    return top, best, tuple(c for c, value in values.items() if np.sign(value) == np.sign(top))


def random_position(game, generator, plies):
    """The same random position, not over, in both versions of the rules."""
    scenario = game.scenario
    while True:
        twin = SlowConnectFour(scenario.rows, scenario.columns, scenario.connect)
        state = game.new_state(0)
        for _ in range(plies):
            if twin.over:
                break
            column = int(generator.choice(twin.legal()))
            twin.drop(column)
            state = game.after(state, column)
        if not twin.over:
            return twin, state


def assert_agrees(game, twin, state, remembered):
    found = game.rules.solve(state)
    assert (found.value, found.best, found.holding) == slow_solution(twin, remembered), twin.key


@pytest.mark.parametrize(
    ("rows", "columns", "connect", "plies"),
    [(3, 4, 3, 0), (4, 3, 2, 0), (4, 4, 3, 2), (4, 4, 4, 4), (5, 4, 4, 8), (3, 6, 5, 6)],
)
def test_small_boards_equal_looking_at_everything(rows, columns, connect, plies):
    game = load_game(f"connect_four?rows={rows}&columns={columns}&connect={connect}")
    generator, remembered = np.random.default_rng(rows * 64 + columns), {}
    for extra in range(12):
        depth = plies + extra % 4
        assert_agrees(game, *random_position(game, generator, depth), remembered)


def test_late_positions_of_the_usual_board_equal_looking_at_everything():
    game, generator = load_game("connect_four"), np.random.default_rng(5)
    for plies in [30] * 15 + [28] * 4:
        assert_agrees(game, *random_position(game, generator, plies), {})


# Whether the first seat wins, draws or loses, by columns and rows: John Tromp's table of small
# boards ("John's Connect Four Playground").
@pytest.mark.parametrize(
    ("rows", "columns", "result"), [(4, 4, 0), (5, 4, 0), (4, 5, 0), (6, 4, 0), (4, 6, -1)]
)
def test_small_boards_have_their_published_results(rows, columns, result):
    game = load_game(f"connect_four?rows={rows}&columns={columns}")
    assert np.sign(game.rules.solve(game.new_state(0)).value) == result


@cache
def small_solver(table_bits):
    return Solver(5, 5, 4, table_bits)


def test_mirror_images_have_mirrored_solutions_and_memory_does_not_matter():
    game, generator = load_game("connect_four?rows=5&columns=5"), np.random.default_rng(2)
    for plies in (6, 7, 9, 12, 14):
        _, state = random_position(game, generator, plies)
        mirrored = np.array([state])
        game.kernels.symmetry(np.array([state]), np.array([1]), mirrored)
        found = small_solver(18).solve(state)
        image = small_solver(18).solve(mirrored[0])
        assert image.value == found.value
        assert sorted(4 - column for column in image.best) == list(found.best)
        assert sorted(4 - column for column in image.holding) == list(found.holding)
        assert small_solver(6).solve(state) == found  # 64 slots: nearly everything is forgotten


def test_the_value_tells_how_soon():
    game = load_game("connect_four?rows=5&columns=5")
    state = game.new_state(0)
    for column in "232323":
        state = game.after(state, int(column))
    found = game.rules.solve(state)
    assert found.value == 10  # (25 cells + 2 - the seventh disc) / 2
    assert found.best == (2,)
