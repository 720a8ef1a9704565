"""Measures of one finished game: its length, and points at turn 120, counted in two ways."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.games.catan.state import points

_AT_TURN = 120  # the thesis reports points at "turn 120" without saying whose turns count


def measures(states: npt.NDArray[np.void], actions: Sequence[int]) -> Mapping[str, float]:
    """Return turns, and each seat's points after 120 turns (of all, or of each player)."""
    last = states[-1]
    players = int(last["players"])
    found = {"turns": float(last["turn"])}
    for name, turn in (("all", _AT_TURN), ("each", _AT_TURN * players)):
        # A game that ended earlier keeps its final points.
        row = min(int(np.searchsorted(states["turn"], turn)), len(states) - 1)
        for seat in range(players):
            found[f"seat{seat}/points_at_{_AT_TURN}_{name}"] = _points(states[row], seat)
    for seat in range(players):
        found[f"seat{seat}/points"] = _points(last, seat)
        found[f"seat{seat}/road"] = float(last["road_length"][seat])
        found[f"seat{seat}/knights"] = float(last["played"][seat, 0])
    return found


def _points(s: Any, seat: int) -> float:
    return float(points(s, seat))
