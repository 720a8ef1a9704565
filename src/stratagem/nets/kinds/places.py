"""A network for a board that never changes: places share their weights, then all are combined.

Each place (a row of the observation's `nodes`) goes through the same small layers and reads the
mean of the places it is linked to. A few features of every place and the `vector` then enter one
wide residual trunk, which can learn what is special about each place, because places never move.
Logits come from the trunk, and for actions that happen at a place also from that place's own
features (`ActionSpec.at_nodes`), so that what is learned at one place applies to all.
"""

from __future__ import annotations

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.basic import dense, last_dense
from stratagem.nets.layers.graph_convolution import mean_matrix
from stratagem.nets.layers.slices import optional_slice, required_slice
from stratagem.nets.output import NetworkOutput, num_scores_for

OPENVINO_CHUNK = 128
_NAME = "network places"


class Settings(SettingsModel):
    """Sizes of the network of places."""

    channels: int = Field(32, ge=1, description="features per place")
    rounds: int = Field(1, ge=0, description="rounds of averaging over linked places")
    summary: int = Field(16, ge=1, description="features per place passed to the trunk")
    width: int = Field(512, ge=1, description="units of the trunk")
    blocks: int = Field(2, ge=0, description="residual blocks of two dense layers each")
    value_hidden: int = Field(128, ge=1, description="hidden units of the value head")
    scores: bool = Field(True, description="also predict the final points of every seat")


class LinkedAverage(nn.Module):
    """relu(W [own features, mean of the linked places' features]) on [N, B, C]."""

    beside: Tensor  # [N, N] row n averages over the places that n is linked to

    def __init__(self, channels: int, beside: Tensor) -> None:
        super().__init__()
        self.mix = dense(2 * channels, channels)
        self.register_buffer("beside", beside, persistent=False)

    def forward(self, places: Tensor) -> Tensor:
        flat = places.reshape(places.shape[0], -1)  # [N, B * C]
        averages = (self.beside.to(places.dtype) @ flat).view_as(places)
        return functional.relu(self.mix(torch.cat([places, averages], 2)))


class TrunkBlock(nn.Module):
    """x + W2 relu(W1 norm(x)); starts as the identity, nearly."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = dense(width, width)
        self.outer = last_dense(width, width)

    def forward(self, x: Tensor) -> Tensor:
        added: Tensor = x + self.outer(functional.relu(self.inner(self.norm(x))))
        return added


class PlacesNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A], values [B, V] and final points [B, P]."""

    order: Tensor  # [A] index of each action's logit: places first, one after another

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.nodes = required_slice(observation, "nodes", _NAME)
        self.vector = optional_slice(observation, "vector")
        count, features = self.nodes.shape
        channels, width = settings.channels, settings.width
        nodes = observation.of_kind("nodes")
        beside = mean_matrix(count, nodes.links if nodes else ())
        self.embed = dense(features, channels)
        self.hearing = nn.Sequential(
            *(LinkedAverage(channels, beside) for _ in range(settings.rounds))
        )
        self.summary = dense(channels, settings.summary)
        extra = 0 if self.vector is None else self.vector.shape[0]
        self.enter = dense(count * settings.summary + extra, width)
        self.trunk = nn.Sequential(
            *(TrunkBlock(width) for _ in range(settings.blocks)), nn.LayerNorm(width)
        )
        self.logits = last_dense(width, actions.size)
        self.per_place = _actions_per_place(actions, count)
        if self.per_place:
            self.place_hidden = dense(channels, channels)
            self.place_context = nn.Linear(width, channels)
            self.place_logits = last_dense(channels, self.per_place)
        self.register_buffer("order", _order(actions), persistent=False)
        self.value_hidden = dense(width, settings.value_hidden)
        self.value_out = last_dense(settings.value_hidden, num_values)
        self.score_out: nn.Module | None = None
        if settings.scores:
            self.score_out = last_dense(settings.value_hidden, num_scores_for(num_values))

    def forward(self, observation: Tensor) -> NetworkOutput:
        # Places first: then mixing and transforming them are one matrix product each.
        rows = self.nodes(observation).transpose(0, 1)  # [N, B, F]
        places = self.hearing(functional.relu(self.embed(rows)))  # [N, B, C]
        read = functional.relu(self.summary(places)).transpose(0, 1).flatten(1)
        if self.vector is not None:
            read = torch.cat([read, self.vector(observation)], 1)
        trunk = self.trunk(functional.relu(self.enter(read)))  # [B, width]
        logits = self.logits(trunk)
        if self.per_place:
            logits = logits + self._logits_of_places(places, trunk)
        value = functional.relu(self.value_hidden(trunk))
        scores = None if self.score_out is None else self.score_out(value)
        return NetworkOutput(logits, torch.tanh(self.value_out(value)), scores)

    def _logits_of_places(self, places: Tensor, trunk: Tensor) -> Tensor:
        """[B, A], zero for actions that happen at no place."""
        hidden = functional.relu(self.place_hidden(places) + self.place_context(trunk))
        own = self.place_logits(hidden).transpose(0, 1).flatten(1)  # [B, N * per_place]
        return functional.pad(own, (0, len(self.order) - own.shape[1]))[:, self.order]


def _actions_per_place(actions: ActionSpec, count: int) -> int:
    """Return how many actions each place has; 0 if the game does not say."""
    if not actions.at_nodes:
        return 0
    numbers = {len(listed) for listed in actions.at_nodes}
    if len(actions.at_nodes) != count or len(numbers) != 1:
        raise BadSetting(
            f"{_NAME}: the actions are laid out over {len(actions.at_nodes)} places, but this "
            f"encoding has {count}: choose another encoding"
        )
    return numbers.pop()


def _order(actions: ActionSpec) -> Tensor:
    placed = [action for listed in actions.at_nodes for action in listed]
    taken = set(placed)
    rest = [action for action in range(actions.size) if action not in taken]
    return torch.argsort(torch.tensor(placed + rest))


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return PlacesNetwork(settings, observation, actions, num_values)
