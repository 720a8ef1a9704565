"""What a position of Connect Four may hold."""

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
    """Discs fill every column from below, as many as were dropped; the game is over when it is."""
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
    """The bitboard of all discs, from the heights of the columns."""
    columns = np.arange(heights.shape[1], dtype=np.uint64)
    first_bits = columns * (states["rows"].astype(np.uint64)[:, None] + np.uint64(1))
    # A column beyond the last has no disc; its shift must stay below 64 all the same.
    discs = (np.uint64(1) << heights.astype(np.uint64)) - np.uint64(1)
    return np.bitwise_or.reduce(discs << np.minimum(first_bits, np.uint64(63)), axis=1)
