"""The residual tower of "AlphaZero for Terra Mystica": hexes on a grid of half-cells, three heads.

A hex covers two neighbouring half-cells of its row, and odd rows are shifted right by half a hex,
so that a 3x3 convolution sees all six neighbours. Heads first put the halves of each hex back
together: the paper's 2x2 filter of stride 2 would straddle two hexes in every odd row. A range of
actions may have its own head, as the paper's town tiles do.
"""

from __future__ import annotations

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.kinds.cnn import ResidualBlock
from stratagem.nets.layers.basic import ConvNorm, dense, last_dense
from stratagem.nets.layers.slices import required_slice
from stratagem.nets.output import NetworkOutput, num_scores_for

OPENVINO_CHUNK = 128
_NAME = "network doubled"


class Settings(SettingsModel):
    """Sizes of the tower; the defaults are the paper's."""

    filters: int = Field(256, ge=1, description="channels of the tower")
    blocks: int = Field(19, ge=0, description="residual blocks of two 3x3 convolutions each")
    policy_filters: int = Field(64, ge=1, description="channels per hex in the policy head")
    value_filters: int = Field(32, ge=1, description="channels the value head reduces to")
    value_hidden: int = Field(264, ge=1, description="hidden units of the value head")
    own_head: tuple[int, int] | None = Field(
        None, description="actions [start, stop) with a separate head; unset: none"
    )
    scores: bool = Field(True, description="also predict the final points of every seat")

    @model_validator(mode="after")
    def _some_actions(self) -> Settings:
        if self.own_head is not None and not 0 <= self.own_head[0] < self.own_head[1]:
            raise ValueError("own_head: write [start, stop) with start below stop")
        return self


class HalvesToHexes(nn.Module):
    """[B, C, H, 2W] -> [B, 4C, H, W]: a hex's two halves and the two half-cells below them."""

    cells: Tensor  # [4 * H * W] indices into the flattened grid, which has a margin of zeros

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.height, self.width = height, width
        row = torch.arange(height)[:, None]
        left = row * (2 * width + 1) + 2 * torch.arange(width)[None, :] + row % 2  # [H, W]
        offsets = torch.tensor([0, 1, 2 * width + 1, 2 * width + 2])
        cells = (offsets[:, None, None] + left).flatten()
        self.register_buffer("cells", cells, persistent=False)

    def forward(self, halves: Tensor) -> Tensor:
        padded = functional.pad(halves, (0, 1, 0, 1)).flatten(2)  # one more row and column
        picked = padded[:, :, self.cells]  # [B, C, 4 * H * W]
        return picked.reshape(halves.shape[0], -1, self.height, self.width)


class DoubledTower(nn.Module):
    """Flat observation [B, D] -> logits [B, A], values [B, V] and final points [B, P]."""

    order: Tensor  # [A] index of each action's logit in the heads' outputs

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.planes = required_slice(observation, "planes", _NAME)
        channels, height, doubled = self.planes.shape
        if doubled % 2:
            raise BadSetting(
                f"{_NAME} reads two half-cells per hex, but the board is {doubled} wide"
            )
        start, stop = settings.own_head or (actions.size, actions.size)
        if stop > actions.size:
            raise BadSetting(
                f"{_NAME}: own_head ends at {stop}, but there are {actions.size} actions"
            )
        filters, hexes = settings.filters, height * doubled // 2
        self.stem = ConvNorm(channels, filters, 3)
        self.blocks = nn.Sequential(
            *(ResidualBlock(filters, False) for _ in range(settings.blocks))
        )
        self.to_hexes = HalvesToHexes(height, doubled // 2)
        self.policy_reduce = ConvNorm(4 * filters, settings.policy_filters, 1)
        self.policy_logits = last_dense(
            settings.policy_filters * hexes, actions.size - (stop - start)
        )
        self.own_reduce: nn.Module | None = None
        if settings.own_head is not None:
            self.own_reduce = ConvNorm(settings.policy_filters, 1, 1)
            self.own_logits = last_dense(hexes, stop - start)
        self.value_reduce = ConvNorm(filters, settings.value_filters, 1)
        self.value_hidden = dense(settings.value_filters * height * doubled, settings.value_hidden)
        self.value_out = last_dense(settings.value_hidden, num_values)
        self.score_out: nn.Module | None = None
        if settings.scores:
            self.score_out = last_dense(settings.value_hidden, num_scores_for(num_values))
        own = range(start, stop)
        others_first = [*(k for k in range(actions.size) if k not in own), *own]
        self.register_buffer("order", torch.tensor(others_first).argsort(), persistent=False)

    def forward(self, observation: Tensor) -> NetworkOutput:
        planes = self.planes(observation).contiguous(memory_format=torch.channels_last)
        tower = self.blocks(self.stem(planes))  # [B, filters, H, 2W]
        policy = self.policy_reduce(self.to_hexes(tower))  # [B, policy_filters, H, W]
        logits = self.policy_logits(policy.flatten(1))
        if self.own_reduce is not None:
            own = self.own_logits(self.own_reduce(policy).flatten(1))
            logits = torch.cat([logits, own], 1)[:, self.order]
        value = functional.relu(self.value_hidden(self.value_reduce(tower).flatten(1)))
        scores = None if self.score_out is None else self.score_out(value)
        return NetworkOutput(logits, torch.tanh(self.value_out(value)), scores)


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return DoubledTower(settings, observation, actions, num_values)
