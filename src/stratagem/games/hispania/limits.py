"""What a position of Hispania may hold."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.hispania.board.arrays import (
    LEADER,
    MOST_ARRIVALS,
    NATIONS,
    PLAYERS,
    REGIONS,
    ROUNDS,
    STACK,
)
from stratagem.games.hispania.state import AFTER_BATTLES, MOST_ATTACKERS

_NATION_OR_NOBODY = (-1, NATIONS - 1)
_REGION_OR_NONE = (-1, REGIONS - 1)
_MOST_UNITS = 2 * STACK + 4  # of one kind in a region, those that must leave again included


def limits(scenario):
    return Limits(
        ranges={
            "player": (-1, PLAYERS - 1),
            "round": (0, ROUNDS + 1),
            "nation": _NATION_OR_NOBODY,
            "phase": (0, AFTER_BATTLES),
            "second": (0, 1),
            "origin": _REGION_OR_NONE,
            "group": (0, 2**STACK - 1),
            "owner": _NATION_OR_NOBODY,
            "leader": (0, MOST_ARRIVALS),
            "structure": (0, 3),
            "builder": _NATION_OR_NOBODY,
            "counted": _NATION_OR_NOBODY,
            "overlord": _NATION_OR_NOBODY,
            "attacking": (0, MOST_ATTACKERS),
            "site": _REGION_OR_NONE,
            "force": (0, MOST_ATTACKERS),
        },
        constants=("active", "handicap", "player", "tables", "last_round", "num_seats",
                   "submission"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    """Attackers come from and go to regions; the round is one that the scenario has."""
    rows = states["attackers"]
    highest = np.array([REGIONS - 1, REGIONS - 1, LEADER, 1, MOST_ARRIVALS])
    attackers = (rows <= highest).all(axis=(1, 2))
    return attackers & (states["round"] <= states["last_round"].astype(np.int64) + 1)
