"""The plain network: every number of the observation into dense layers. Fits every encoding.

The thesis on Catan calls it FF: features of places, edges and players side by side (section 5.2.2).
"""

from __future__ import annotations

import torch
from pydantic import Field, PositiveInt
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.basic import dense, last_dense
from stratagem.nets.layers.standardise import Standardise
from stratagem.nets.output import NetworkOutput

OPENVINO_CHUNK = 256


class Settings(SettingsModel):
    """Sizes of the plain network."""

    hidden: tuple[PositiveInt, ...] = Field(
        (128, 128), description="units of the hidden layers, in order"
    )
    standardise: bool = Field(
        False, description="standardise inputs to mean 0 and standard deviation 1"
    )


class DenseHeads(nn.Module):
    """Dense layers with ReLU, then logits and, if there are any, values."""

    def __init__(
        self, in_features: int, hidden: tuple[int, ...], num_actions: int, num_values: int
    ) -> None:
        super().__init__()
        self.torso = nn.ModuleList()
        for units in hidden:
            self.torso.append(dense(in_features, units))
            in_features = units
        self.logits = last_dense(in_features, num_actions)
        self.values = last_dense(in_features, num_values) if num_values else None

    def forward(self, features: Tensor) -> NetworkOutput:
        """[B, in_features] -> logits [B, A] and values [B, V]; V may be zero."""
        torso = features
        for layer in self.torso:
            torso = functional.relu(layer(torso))
        if self.values is None:
            return NetworkOutput(self.logits(torso), torso.new_zeros(torso.shape[0], 0))
        return NetworkOutput(self.logits(torso), torch.tanh(self.values(torso)))


class FeedForwardNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.inputs = Standardise(observation.size) if settings.standardise else nn.Identity()
        self.heads = DenseHeads(observation.size, settings.hidden, actions.size, num_values)

    def forward(self, observation: Tensor) -> NetworkOutput:
        output: NetworkOutput = self.heads(self.inputs(observation))
        return output


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return FeedForwardNetwork(settings, observation, actions, num_values)
