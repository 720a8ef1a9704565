"""The residual hex network: as many blocks as the recurrent one has iterations, not shared.

The baseline of "Playing Hex and Counter Wargames using Reinforcement Learning and Recurrent Neural
Networks" (section 4.2): the recurrent network's first layer and heads, 12 blocks of 256 filters in
between. No weight depends on the board's size.
"""

from __future__ import annotations

import copy

from pydantic import Field
from torch import Tensor, nn

from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.hex import HexLayer
from stratagem.nets.layers.hex_blocks import CompactBlock, PaperBlock, Style, make_heads
from stratagem.nets.layers.hex_board import HexBoard
from stratagem.nets.output import NetworkOutput

SIZE_FREE = True
OPENVINO_CHUNK = 64
_NAME = "network residual"


class Settings(SettingsModel):
    """Sizes of the residual hex network; the defaults are the paper's."""

    style: Style = Field("paper", description="compact: normalized, biases; paper: as published")
    filters: int = Field(256, ge=1, description="channels of the torso")
    blocks: int = Field(12, ge=0, description="residual blocks of two hex convolutions each")
    pooled: bool = Field(
        True, description="give every hex a summary of the whole board (compact style only)"
    )


class ResidualNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(self, settings: Settings, board: HexBoard, num_values: int) -> None:
        super().__init__()
        self.board = board
        filters, paper = settings.filters, settings.style == "paper"
        self.projection = HexLayer(board.channels, filters, bias=not paper)
        self.blocks = nn.Sequential(
            *(
                PaperBlock(filters) if paper else CompactBlock(filters, settings.pooled)
                for _ in range(settings.blocks)
            )
        )
        self.policy, self.value = make_heads(
            settings.style, filters, board.action_planes, num_values
        )

    def on_board(self, observation: ObservationSpec, actions: ActionSpec) -> ResidualNetwork:
        """Return a network for another board size that shares this one's weights."""
        board = HexBoard.of(observation, actions, _NAME)
        self.board.check_same_layers(board, _NAME)
        bound = copy.copy(self)
        bound.board = board
        return bound

    def forward(self, observation: Tensor) -> NetworkOutput:
        torso = self.blocks(self.projection(self.board.read(observation)))
        return NetworkOutput(self.policy(torso).flatten(1), self.value(torso))


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return ResidualNetwork(settings, HexBoard.of(observation, actions, _NAME), num_values)
