"""Who plays which seat in each game of a match, and which games are twins.

Games that share a *group* have the same set-up and the same dice, with the agents in other seats,
so that a lucky deal helps each of them equally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadSetting

Seats = Literal["rotate", "fixed"]


@dataclass(frozen=True, eq=False)
class Seating:
    """Row g: the agent in each seat of game g, and the group of game g."""

    agents: npt.NDArray[np.int64]  # [games, P] agent index
    groups: npt.NDArray[np.int64]  # [games]


def seat_agents(num_agents: int, num_seats: int, games: int, seats: Seats) -> Seating:
    """Assign seats in every game: one agent each, or the first against copies of the second."""
    if num_agents not in (2, num_seats):
        wanted = "2" if num_seats == 2 else f"2 or {num_seats}"
        raise BadSetting(f"a match of this game takes {wanted} agents, got {num_agents}")
    if not isinstance(games, int) or games < 1:
        raise BadSetting(f"a match needs at least one game, got {games}")
    if seats not in ("rotate", "fixed"):
        raise BadSetting(f"seats {seats!r}: write rotate or fixed")
    index = np.arange(games)
    rotate = seats == "rotate"
    turns = index % num_seats if rotate else np.zeros_like(index)  # [games] seats to shift
    # In a game shifted by r, seat s has the agent that would otherwise sit in seat s - r.
    home = (np.arange(num_seats)[None, :] - turns[:, None]) % num_seats
    groups = index // num_seats if rotate else index
    return Seating(np.minimum(home, num_agents - 1), groups)
