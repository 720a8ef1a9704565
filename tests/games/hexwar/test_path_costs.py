"""Path costs: there and back, and how far a turn's points go."""

import numpy as np
import pytest

from games.hexwar.positions import battle, cell_of
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.games.hexwar.bots.path_costs import FAR, costs_from, costs_to, reach_from
from stratagem.games.hexwar.state import (
    HEXES,
)


@pytest.fixture(scope="module")
def ground():
    """A random map of 6 x 6 without units."""
    return load_game("hexwar/randomized-6").new_states(derive_seeds(4, count=1))[0]


def _reach(s, start, points, seat):
    price, first_step, reached = (np.empty(HEXES, np.int64) for _ in range(3))
    count = reach_from(s, start, points, seat, price, first_step, reached)
    return price, first_step, reached[:count].tolist()


def test_ways_to_a_hex_are_ways_from_the_others(ground):
    there = np.array([[costs_from(ground, here)[cell] for cell in range(36)] for here in range(36)])
    assert len(np.unique(ground["ground"][:36])) > 2
    assert (there != there.T).any()  # the price is that of the hexes entered
    for end in (0, 17, 35):
        assert np.array_equal(costs_to(ground, np.array([end]), 1)[:36], there[:, end])
    both = costs_to(ground, np.array([0, 35]), 2)[:36]
    assert np.array_equal(both, np.minimum(there[:, 0], there[:, 35]))
    assert (costs_to(ground, np.array([0]), 0) == FAR).all()


@pytest.mark.parametrize("points", [0, 1, 2, 4, 7])
def test_reach_is_what_the_points_pay_for(ground, points):
    for start in (0, 14, 35):
        costs = costs_from(ground, start)
        price, first_step, reached = _reach(ground, start, points, -1)
        assert sorted(reached) == np.flatnonzero(costs <= points).tolist()
        assert all(price[cell] == costs[cell] for cell in reached)
        assert (np.delete(price, reached) == FAR).all()
        assert all(0 <= first_step[cell] < 6 for cell in reached if cell != start)


def test_units_in_the_way_are_walked_around():
    _, state = battle({"b2": "I", "b1": "II"}, {"c2": "I"})
    s = state[0]
    start = cell_of(s, "b2")
    price, _, reached = _reach(s, start, 2, 0)
    assert cell_of(s, "b1") not in reached  # full
    assert cell_of(s, "c2") not in reached  # the enemy's
    assert price[cell_of(s, "b4")] == 2
    assert {cell_of(s, "b1"), cell_of(s, "c2")} <= set(_reach(s, start, 2, -1)[2])
