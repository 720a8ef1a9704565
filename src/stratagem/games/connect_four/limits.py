"""The allowed values of a Connect Four position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.core.seats import OVER


def limits(scenario):
    return Limits(
        ranges={
            "ply": (0, scenario.rows * scenario.columns),
            "winner": (-1, 1),
            "height": (0, scenario.rows),
        },
        constants=("rows", "columns", "connect"),
        ties=_fits_together,
    )


def _fits_together(states):
    """Whether discs fill columns from below in the right number, and the end is right."""
    heights = states["height"].astype(np.int64)
    columns = np.arange(heights.shape[1])
    beyond = columns >= states["columns"][:, None]
    counted = (heights.sum(axis=1) == states["ply"]) & ~(beyond & (heights > 0)).any(axis=1)
    own, other = states["discs"].T
    filled = ((own | other) == _filled(states, heights)) & ((own & other) == 0)
    cells = states["rows"].astype(np.int64) * states["columns"]
    over = (states["winner"] >= 0) | (states["ply"] == cells)
    return counted & filled & (over == (states["seat"] == OVER))


def _filled(states, heights):
    """Return the bitboard of all discs, from the heights of the columns."""
    columns = np.arange(heights.shape[1], dtype=np.uint64)
    first_bits = columns * (states["rows"].astype(np.uint64)[:, None] + np.uint64(1))
    # Columns beyond the last have no discs, but their shifts must stay below 64 too.
    discs = (np.uint64(1) << heights.astype(np.uint64)) - np.uint64(1)
    return np.bitwise_or.reduce(discs << np.minimum(first_bits, np.uint64(63)), axis=1)
