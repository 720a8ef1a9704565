"""How strongly a policy is tied to its reference, as an input of the network.

An encoding that declares a slice `strength` of one number leaves it empty. Training or playing code
writes the cost of divergence from the reference policy there (lambda of piKL): training draws it
for every seat and game, a player chooses it. So one network covers the whole range from strong to
similar to its reference.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.specs import ObservationSpec

SLICE = "strength"
USUAL = 0.01  # default of a player: hardly tied at all

Floats = npt.NDArray[np.float32]


def strength_column(spec: ObservationSpec) -> int | None:
    """Return the column of the strength in an observation; None: the network does not use it."""
    part = next((part for part in spec.slices if part.name == SLICE), None)
    return None if part is None else spec.bounds(part)[0]


def write_strength(
    spec: ObservationSpec, observations: Floats, strengths: float | npt.NDArray[np.floating]
) -> None:
    """Write strengths (one, or [B]) into observations [B, D] that have a column for them."""
    column = strength_column(spec)
    if column is not None:
        # 0.01 becomes 0 and 1 becomes 2, similar in size to the other features.
        observations[:, column] = np.log10(strengths) + 2.0
