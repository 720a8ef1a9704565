"""Cuts the flat observation back into the slices that a network reads."""

from __future__ import annotations

from torch import Tensor

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSlice, ObservationSpec, SliceKind


class SliceReader:
    """Reads one slice of a batch of flat observations [B, D] in its own shape."""

    def __init__(self, observation: ObservationSpec, part: ObservationSlice) -> None:
        self.shape = part.shape
        self.start, self.stop = observation.bounds(part)

    def __call__(self, observation: Tensor) -> Tensor:
        """[B, D] -> [B, *shape], a view where memory allows."""
        return observation[:, self.start : self.stop].reshape(observation.shape[0], *self.shape)


def required_slice(observation: ObservationSpec, kind: SliceKind, reader: str) -> SliceReader:
    """Return a slice that a network needs; the error says which encoding lacks it."""
    part = observation.of_kind(kind)
    if part is None:
        present = ", ".join(sorted({part.kind for part in observation.slices})) or "nothing"
        raise BadSetting(
            f"{reader} reads a {kind!r} slice, but this encoding has {present}: "
            "choose another encoding or network"
        )
    return SliceReader(observation, part)


def optional_slice(observation: ObservationSpec, kind: SliceKind) -> SliceReader | None:
    """Return a slice that a network reads if the encoding has it."""
    part = observation.of_kind(kind)
    return None if part is None else SliceReader(observation, part)
