"""What a position of Connect Four may hold."""

import numpy as np

from stratagem.core.limits import Limits


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
    """As many discs as the columns are high, and none beyond the last column."""
    heights = states["height"].astype(np.int64)
    beyond = np.arange(heights.shape[1]) >= states["columns"][:, None]
    return (heights.sum(axis=1) == states["ply"]) & ~(beyond & (heights > 0)).any(axis=1)
