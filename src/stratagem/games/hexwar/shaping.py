"""The shaping potential: army sizes, and nearness to the other side's victory hexes.

Both are the own side's value minus the other's, so potential(s, 0) == -potential(s, 1). Nearness
counts more later in the game, because only final positions decide.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hexwar.board import hexes_between, stat
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    DEAD,
    DEFENCE,
    UNITS,
)

ARMY_WEIGHT = 0.5
NEARNESS_WEIGHT = 0.5


@kernel
def potential(s, seat):
    other = 1 - seat
    total = strength(s, seat, False) + strength(s, other, False)
    army = (strength(s, seat, True) - strength(s, other, True)) / max(total, 1.0)
    near = nearness(s, seat) - nearness(s, other)
    late = np.float64(s["turn"]) / np.float64(s["turns"])
    return ARMY_WEIGHT * army + NEARNESS_WEIGHT * late * near


@kernel
def strength(s, seat, living):
    """Return attack plus defence of a seat's units, including those to come: all, or the living."""
    total = 0.0
    for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if not living or s["status"][unit] != DEAD:
            total += stat(s, unit, ATTACK) + stat(s, unit, DEFENCE)
    return total


@kernel
def nearness(s, seat):
    """Mean over the other's victory hexes of 1 / (1 + hexes to the nearest unit of this seat)."""
    goals = np.int64(s["goal_count"][1 - seat])
    total = 0.0
    for k in range(goals):
        best = 0.0
        for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
            if s["status"][unit] != AWAY and s["status"][unit] != DEAD:
                away = hexes_between(s, s["cell"][unit], s["goals"][1 - seat, k])
                best = max(best, 1.0 / (1.0 + away))
        total += best
    return total / max(goals, 1)
