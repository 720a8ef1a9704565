"""Cutting the flat observation back into the named slices that a network reads.

Knows the kinds of slices and nothing about what a game puts into them.
"""

from __future__ import annotations

from torch import Tensor

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSpec, SliceKind


class SliceReader:
    """Reads one slice of a batch of flat observations [B, D] in its own shape."""

    def __init__(self, observation: ObservationSpec, kind: SliceKind) -> None:
        part = observation.of_kind(kind)
        if part is None:
            raise ValueError(f"no slice of kind {kind}")
        self.shape = part.shape
        self.start, self.stop = observation.bounds(part)

    def __call__(self, observation: Tensor) -> Tensor:
        """[B, D] -> [B, *shape], a view where memory allows."""
        return observation[:, self.start : self.stop].reshape(len(observation), *self.shape)


def required_slice(observation: ObservationSpec, kind: SliceKind, reader: str) -> SliceReader:
    """The slice a network cannot do without; its absence is the user's to mend."""
    if observation.of_kind(kind) is None:
        present = ", ".join(sorted({part.kind for part in observation.slices})) or "nothing"
        raise BadSetting(
            f"{reader} reads a {kind!r} slice and this encoding has {present}: "
            "choose another encoding or network"
        )
    return SliceReader(observation, kind)


def optional_slice(observation: ObservationSpec, kind: SliceKind) -> SliceReader | None:
    """A slice that a network reads if the encoding has it."""
    return None if observation.of_kind(kind) is None else SliceReader(observation, kind)
