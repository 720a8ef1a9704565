"""The allowed values of a Terra Mystica position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.terra_mystica.board.factions import (
    FACTIONS,
    MOST_BRIDGES,
    MOST_PRIESTS,
    MOST_SITES,
    SANCTUARY,
    STOCK,
)
from stratagem.games.terra_mystica.board.hexes import LAND, MOST_SHIPPING, TERRAINS
from stratagem.games.terra_mystica.board.tiles import BONUS_CARDS, FAVOURS, ROUND_TILES
from stratagem.games.terra_mystica.state import FACTION, FREE_LEECH, NOTHING, SCORING, SEATS

_SEAT_OR_NOBODY = (-1, SEATS - 1)
_CULT_TOP = 10
_ALL_POWER = 12 + 12  # tokens of a player, and room


def limits(scenario):
    return Limits(
        ranges={
            "kind": (0, FACTION),
            "phase": (0, SCORING),
            "active": _SEAT_OR_NOBODY,
            "explicit": (0, 1),
            "leech": (0, FREE_LEECH),
            "start_hex": (-1, LAND - 1),
            "start_card": (-1, BONUS_CARDS - 1),
            "tile": (0, ROUND_TILES - 1),
            "round": (0, 6),
            "starter": _SEAT_OR_NOBODY,
            "terrain": (0, len(TERRAINS) - 1),
            "building": (0, SANCTUARY),
            "owner": _SEAT_OR_NOBODY,
            "town": (0, 1),
            "bridge": _SEAT_OR_NOBODY,
            "spot": _SEAT_OR_NOBODY,
            "power_taken": (0, 1),
            "favours_left": (0, 3),
            "towns_left": (0, 2),
            "card": (-2, SEATS - 1),
            "faction": (-1, len(FACTIONS) - 1),
            "priests": (0, MOST_PRIESTS),
            "priests_out": (0, MOST_PRIESTS),
            "bowl": (0, _ALL_POWER),
            "cult": (0, _CULT_TOP),
            "dig": (0, 2),
            "ship": (0, MOST_SHIPPING),
            "count": (0, int(STOCK.max())),
            "site": (0, LAND - 1),
            "sites": (0, MOST_SITES),
            "bridges": (0, MOST_BRIDGES),
            "favours": (0, 2**FAVOURS - 1),
            "bonus": (-1, BONUS_CARDS - 1),
            "passed": (0, SEATS),
            "split": (0, 7),
            "tops_due": (0, 15),
            "stuck": (0, 15),
            "builder": _SEAT_OR_NOBODY,
        },
        special={"kind": NOTHING},
        constants=("players", "explicit", "cap", "leech"),
        ties=_fits_together,
    )


def _fits_together(states):
    """Whether only existing seats are named, and structures are counted correctly."""
    players = states["players"].astype(np.int64)
    named = [states[name] < players for name in ("active", "starter", "builder")]
    standing = np.zeros((len(states), SEATS, SANCTUARY + 1), np.int64)
    rows, hexes = np.nonzero(states["owner"] >= 0)
    np.add.at(standing, (rows, states["owner"][rows, hexes], states["building"][rows, hexes]), 1)
    counted = (standing == states["count"]).all(axis=(1, 2))
    counted &= (standing.sum(axis=2) == states["sites"]).all(axis=1)
    return np.logical_and.reduce(named) & counted
