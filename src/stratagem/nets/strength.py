"""How strongly a policy is held to its reference, as an input of the network.

An encoding that declares a slice `strength` of one number leaves it empty. Whoever trains or plays
writes there how much divergence from the reference policy costs (lambda of piKL): training draws
it for every seat and game, a player chooses it. So one network plays the whole range from strong
to like its reference.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.specs import ObservationSpec

SLICE = "strength"
USUAL = 0.01  # of a player that chooses nothing: hardly held at all

Floats = npt.NDArray[np.float32]


def strength_column(spec: ObservationSpec) -> int | None:
    """Where an observation holds the strength; None: the network does not ask for it."""
    part = next((part for part in spec.slices if part.name == SLICE), None)
    return None if part is None else spec.bounds(part)[0]


def write_strength(
    spec: ObservationSpec, observations: Floats, strengths: float | npt.NDArray[np.floating]
) -> None:
    """Put strengths (one, or [B]) into observations [B, D] that have a place for them."""
    column = strength_column(spec)
    if column is not None:
        # 0.01 becomes 0 and 1 becomes 2: numbers of the size of all other features.
        observations[:, column] = np.log10(strengths) + 2.0
