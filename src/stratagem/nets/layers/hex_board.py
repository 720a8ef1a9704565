"""The inputs and outputs of a hex network: planes in, one plane of logits per kind of action out.

The only part of such a network that knows the size of the board: the same weights can be bound to
a board of another size.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.slices import SliceReader, optional_slice, required_slice


@dataclass(frozen=True)
class HexBoard:
    """The sizes of observation and actions on one board, and how to read observations."""

    planes: SliceReader
    vector: SliceReader | None
    action_planes: int

    @classmethod
    def of(cls, observation: ObservationSpec, actions: ActionSpec, reader: str) -> HexBoard:
        """Check that the actions are laid out as planes over the same board."""
        planes = required_slice(observation, "planes", reader)
        if len(actions.shape) != 3 or actions.shape[1:] != planes.shape[1:]:
            raise BadSetting(
                f"{reader} gives each hex its own actions, but this game's are not laid out over "
                "its board: choose another network"
            )
        vector = optional_slice(observation, "vector")
        return cls(planes, vector, actions.shape[0])

    @property
    def channels(self) -> int:
        """The number of planes that `read` returns."""
        return self.planes.shape[0] + (0 if self.vector is None else self.vector.shape[0])

    @property
    def height(self) -> int:
        return self.planes.shape[1]

    @property
    def width(self) -> int:
        return self.planes.shape[2]

    def read(self, observation: Tensor) -> Tensor:
        """[B, D] -> [B, channels, H, W]; global features are repeated on each hex."""
        planes = self.planes(observation)
        if self.vector is not None:
            facts = self.vector(observation)[:, :, None, None]
            planes = torch.cat([planes, facts.expand(-1, -1, self.height, self.width)], 1)
        return planes.contiguous(memory_format=torch.channels_last)

    def check_same_layers(self, other: HexBoard, reader: str) -> None:
        """Refuse another board whose planes or kinds of actions differ."""
        if (self.channels, self.action_planes) != (other.channels, other.action_planes):
            raise BadSetting(
                f"{reader}: {other.channels} planes and {other.action_planes} kinds of actions, "
                f"but these weights have {self.channels} and {self.action_planes}: "
                "choose a scenario with the same planes"
            )
