"""Every agent visits every seat, and twins share a group."""

import numpy as np
import pytest

from stratagem.core.errors import BadSetting
from stratagem.evaluate.seating import seat_agents


def test_two_agents_swap() -> None:
    seating = seat_agents(2, 2, 5, "rotate")
    assert seating.agents.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]
    assert seating.groups.tolist() == [0, 0, 1, 1, 2]


def test_three_agents_rotate() -> None:
    seating = seat_agents(3, 3, 4, "rotate")
    assert seating.agents.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 2]]
    assert seating.groups.tolist() == [0, 0, 0, 1]


def test_one_against_the_table() -> None:
    seating = seat_agents(2, 4, 8, "rotate")
    assert (np.sum(seating.agents == 0, axis=1) == 1).all()
    assert np.argmin(seating.agents, axis=1).tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_fixed_keeps_the_first_in_seat_zero() -> None:
    seating = seat_agents(2, 3, 3, "fixed")
    assert seating.agents.tolist() == [[0, 1, 1]] * 3
    assert seating.groups.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("agents", "seats", "games", "how", "message"),
    [
        (3, 2, 4, "rotate", "takes 2 agents, got 3"),
        (1, 3, 4, "rotate", "takes 2 or 3 agents, got 1"),
        (2, 2, 0, "rotate", "at least one game"),
        (2, 2, 4, "sideways", "rotate or fixed"),
    ],
)
def test_mistakes(agents: int, seats: int, games: int, how: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        seat_agents(agents, seats, games, how)  # type: ignore[arg-type]
