"""The residual convolutional network: torso and two heads, after He et al. (2016) and AlphaZero.

The defaults are from the Battlefield paper's appendix A.1. Reads the observation's `planes`; a
`vector` slice, if there is one, enters the first layer as a bias per filter.
"""

from __future__ import annotations

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.basic import ConvNorm, dense, last_dense
from stratagem.nets.layers.slices import optional_slice, required_slice
from stratagem.nets.output import NetworkOutput

OPENVINO_CHUNK = 128


class Settings(SettingsModel):
    """Sizes of the convolutional network."""

    filters: int = Field(64, ge=1, description="channels of the torso")
    blocks: int = Field(3, ge=0, description="residual blocks of two 3x3 convolutions each")
    policy_channels: int = Field(2, ge=1, description="channels the policy head reduces to")
    value_channels: int = Field(1, ge=1, description="channels the value head reduces to")
    value_hidden: int | None = Field(
        None, ge=1, description="hidden units of the value head; unset: same as filters"
    )
    global_pooling: bool = Field(
        False, description="give each block the mean and maximum over the board"
    )


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions and a skip connection, optionally with a pooled bias between them."""

    def __init__(self, filters: int, global_pooling: bool) -> None:
        super().__init__()
        self.first = ConvNorm(filters, filters, 3)
        self.second = ConvNorm(filters, filters, 3)
        self.pooled_bias = last_dense(2 * filters, filters) if global_pooling else None

    def forward(self, x: Tensor) -> Tensor:
        y = self.first(x)
        if self.pooled_bias is not None:
            pooled = torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1)  # [B, 2 * filters]
            y = y + self.pooled_bias(pooled)[:, :, None, None]
        summed: Tensor = self.second(y, x)
        return summed


class ConvolutionalNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.planes = required_slice(observation, "planes", "network cnn")
        self.vector = optional_slice(observation, "vector")
        channels, height, width = self.planes.shape
        filters, cells = settings.filters, height * width
        hidden = settings.value_hidden or filters
        self.stem = ConvNorm(channels, filters, 3)
        self.vector_bias = None if self.vector is None else dense(self.vector.shape[0], filters)
        self.blocks = nn.Sequential(
            *(ResidualBlock(filters, settings.global_pooling) for _ in range(settings.blocks))
        )
        self.policy_reduce = ConvNorm(filters, settings.policy_channels, 1)
        self.policy_logits = last_dense(settings.policy_channels * cells, actions.size)
        self.value_reduce = ConvNorm(filters, settings.value_channels, 1)
        self.value_hidden = dense(settings.value_channels * cells, hidden)
        self.value_out = last_dense(hidden, num_values)

    def forward(self, observation: Tensor) -> NetworkOutput:
        planes = self.planes(observation).contiguous(memory_format=torch.channels_last)
        bias = None
        if self.vector is not None and self.vector_bias is not None:
            bias = self.vector_bias(self.vector(observation))[:, :, None, None]
        torso = self.blocks(self.stem(planes, bias))  # [B, filters, H, W]
        policy = self.policy_reduce(torso).flatten(1)
        value = functional.relu(self.value_hidden(self.value_reduce(torso).flatten(1)))
        return NetworkOutput(self.policy_logits(policy), torch.tanh(self.value_out(value)))


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return ConvolutionalNetwork(settings, observation, actions, num_values)
