"""The allowed values of a Battlefield position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.battlefield.board import STRIDE
from stratagem.games.battlefield.state import GONE, TEAM, WINDOW

_CODES = 5**TEAM  # joint moves


def limits(scenario):
    on_board = (0, (scenario.height - 1) * STRIDE + scenario.width - 1)
    health, ammo = (0, scenario.health), (0, scenario.ammo)
    return Limits(
        ranges={
            "winner": (-1, 1),
            "margin": (0, max(scenario.height, scenario.width)),
            "cells": on_board,
            "past_cells": on_board,
            "health": health,
            "past_health": health,
            "ammo": ammo,
            "past_ammo": ammo,
            "path": (0, _CODES - 1),
            "path_length": (0, WINDOW),
            "repeated": (0, 1),
        },
        special={"cells": GONE, "past_cells": GONE},
        constants=("height", "width", "team_size", "max_health", "max_ammo", "shot_range", "damage",
                   "hold_turns", "shrink_every"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    """Whether all agents of a team are on existing columns, and missing ones nowhere.

    A path is no longer than the number of plies since a shrink.
    """
    cells = states["cells"].astype(np.int64)
    column = cells % STRIDE
    off_board = (cells != GONE) & (column >= states["width"][:, None, None])
    spare = np.arange(TEAM) >= states["team_size"][:, None]
    off_board |= (cells != GONE) & spare[:, None, :]
    since = states["ply"].astype(np.int64) % (2 * states["shrink_every"].astype(np.int64))
    too_long = (states["path_length"] > since) & (states["path_length"] > 0)
    return ~off_board.any(axis=(1, 2)) & ~too_long
