"""Reference values from scripted players: regions by round, points by nation, alignment.

From our own playouts during the design of the rules. They are drawn beside a game's measures.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.games.hispania.board.arrays import CODES, DATA_FOLDER, NATIONS, REGIONS, ROUNDS
from stratagem.games.hispania.board.rows import read_rows

# Territorial alignment of random and scripted play on full55, for the normalised score.
RANDOM_ALIGNMENT = 0.268
SCRIPTED_ALIGNMENT = 0.579

_MOST_POINTS = 999


@cache
def reference_curve() -> npt.NDArray[np.float64]:
    """[nation, round] regions in scripted games (reference_curve.csv)."""
    curve = np.zeros((NATIONS, ROUNDS))
    for row in read_rows(DATA_FOLDER / "reference_curve.csv", ("nation", "r1", "r21")):
        nation = row.choice("nation", CODES)
        curve[nation] = [row.real(f"r{when}", 0, REGIONS) for when in range(1, ROUNDS + 1)]
    return curve


@cache
def par() -> Mapping[str, float]:
    """Points of each nation in scripted games of full55 (par.csv)."""
    rows = read_rows(DATA_FOLDER / "par.csv", ("level", "key", "policy", "mean_vp"))
    return {
        CODES[row.choice("key", CODES)]: row.real("mean_vp", 0, _MOST_POINTS)
        for row in rows
        if (row.text("level"), row.text("policy")) == ("nation", "script")
    }


def expected(scenario: Any) -> Mapping[str, float]:
    """Return typical measures from scripted games; empty for parts of the map."""
    if scenario.regions:
        return {}
    playing = [n for n, seat in enumerate(scenario.seats_of_nations()) if seat >= 0]
    rounds = range(scenario.first_round, scenario.last_round + 1)
    found = {
        f"regions/{CODES[nation]}/r{when}": float(reference_curve()[nation, when - 1])
        for nation in playing
        for when in rounds
    }
    if len(playing) == NATIONS and len(rounds) == ROUNDS:
        found |= {f"vp/{code}": points for code, points in par().items()}
        found["territorial_alignment"] = SCRIPTED_ALIGNMENT
        found["normalised_alignment"] = 1.0
    return found
