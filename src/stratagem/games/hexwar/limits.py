"""The allowed values of a hexwar position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.hexwar.actions import ATTACKERS, REINFORCE
from stratagem.games.hexwar.board import hexes_around
from stratagem.games.hexwar.state import (
    AWAY,
    CHOSEN,
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
            "turn": (0, scenario.turns),
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
        # Not the map, victory hexes and home sides: they may be drawn, or mirrored.
        constants=("height", "width", "turns", "stacking", "attack_mods", "defence_mods", "costs",
                   "terrain_letters", "kinds", "kind_letters", "goal_count", "count", "kind",
                   "turn_due", "zone"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    return _stacks_hold(states) & _arrival_holds(states) & _attack_holds(states) & _goals(states)


def _stacks_hold(states):
    """Whether every unit on the board is once in the stack of its hex, and no stack is circular.

    A stack belongs to one seat and is no higher than the scenario allows.
    """
    seats, highest = (states["stack"] - 1) // UNITS, states["stacking"].astype(np.int64)
    link = states["stack"].astype(np.int64)  # [B, hexes]
    found = np.zeros((len(states), 2 * UNITS), np.int64)
    fits = np.ones(len(states), np.bool_)
    for level in range(STACK):
        rows, hexes = np.nonzero(link)
        units = link[rows, hexes] - 1
        fits[rows[states["cell"][rows, units] != hexes]] = False
        fits[rows[(units // UNITS != seats[rows, hexes]) | (highest[rows] <= level)]] = False
        np.add.at(found, (rows, units), 1)
        link = np.zeros_like(link)
        link[rows, hexes] = states["above"][rows, units]
    standing = (states["status"] > AWAY) & (states["status"] < DEAD)
    return fits & ~link.any(axis=1) & (found == standing).all(axis=1)


def _arrival_holds(states):
    """Whether the unit to be placed exists, and no unit exists without a schedule."""
    unit, seat = states["arriving"].astype(np.int64), states["seat"].astype(np.int64)
    placing = (states["phase"] == REINFORCE) & (seat >= 0)
    place = np.arange(2 * UNITS) % UNITS
    spare = place >= np.repeat(states["count"], UNITS, axis=1)
    known = np.clip(unit, 0, 2 * UNITS - 1)
    rows = np.arange(len(states))
    waits = (unit < 2 * UNITS) & (unit // UNITS == seat) & ~spare[rows, known]
    waits &= states["status"][rows, known] == AWAY
    return (waits | ~placing) & ~(spare & (states["status"] != AWAY)).any(axis=1)


def _attack_holds(states):
    """Whether only attacks have a target, and their crew was chosen, each once and adjacent."""
    attacking, target = states["phase"] == ATTACKERS, states["target"].astype(np.int64)
    used = np.arange(CREW) < states["crew_size"][:, None]
    crew = states["crew"].astype(np.int64)
    fits = (target != NOWHERE) == attacking
    fits &= ~(used & (crew == NOBODY)).any(axis=1)
    rows, places = np.nonzero(used & (crew != NOBODY))
    units = crew[rows, places]
    times = np.zeros((len(states), 2 * UNITS), np.int64)
    np.add.at(times, (rows, units), 1)
    fits &= (times == (states["status"] == CHOSEN)).all(axis=1)
    fits[rows[units // UNITS != states["seat"][rows]]] = False
    for row in np.flatnonzero(attacking & fits):
        around = hexes_around(int(states["height"][row]), int(states["width"][row]))[target[row]]
        own = crew[row][used[row]]
        fits[row] &= np.isin(states["cell"][row][own], around).all()
    return fits


def _goals(states):
    """Whether every counted victory hex is a hex."""
    counted = np.arange(GOALS) < states["goal_count"][:, :, None]
    return ~(counted & (states["goals"] == NOWHERE)).any(axis=(1, 2))
