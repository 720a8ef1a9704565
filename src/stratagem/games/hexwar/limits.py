"""What a position of hexwar may hold."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.hexwar.actions import ATTACKERS
from stratagem.games.hexwar.state import (
    AWAY,
    CREW,
    DEAD,
    GOALS,
    KINDS,
    NOBODY,
    NOWHERE,
    STACK,
    UNITS,
    ZONES,
)


def limits(scenario):
    hexes = (0, scenario.height * scenario.width - 1)
    return Limits(
        ranges={
            "phase": (0, ATTACKERS),
            "turn": (0, scenario.turns + 1),
            "arriving": (0, 2 * UNITS - 1),
            "target": hexes,
            "crew_size": (0, CREW),
            "crew": (0, 2 * UNITS - 1),
            "goal_count": (0, GOALS),
            "goals": hexes,
            "home": (0, scenario.width),
            "count": (0, UNITS),
            "kind": (0, KINDS - 1),
            "zone": (0, ZONES),
            "status": (AWAY, DEAD),
            "cell": hexes,
            "above": (0, 2 * UNITS),
            "stack": (0, 2 * UNITS),
        },
        special={"arriving": NOBODY, "crew": NOBODY, "target": NOWHERE, "goals": NOWHERE,
                 "cell": NOWHERE},
        constants=("height", "width", "turns", "stacking"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    """Every unit on the board lies once in the stack of its hex, and no stack goes in circles."""
    link = states["stack"].astype(np.int64)  # [B, hexes]
    found = np.zeros((len(states), 2 * UNITS), np.int64)
    fits = np.ones(len(states), np.bool_)
    for _ in range(2 * STACK):
        rows, hexes = np.nonzero(link)
        units = link[rows, hexes] - 1
        fits[rows[states["cell"][rows, units] != hexes]] = False
        np.add.at(found, (rows, units), 1)
        link = np.zeros_like(link)
        link[rows, hexes] = states["above"][rows, units]
    standing = (states["status"] > AWAY) & (states["status"] < DEAD)
    return fits & ~link.any(axis=1) & (found == standing).all(axis=1)
