"""The region network: three encoders, a decoder over action tokens, heads for their fields.

After section 4 of "Transformers for Reinforcement Learning in Strategy Games". The decoder reads
the decisions made since the position was encoded and what has been chosen so far of the current
one; its heads score every entry of an action token, and an action's logit is the sum over the
entries it sets. So a subset of units is a product of independent odds, normalized over what is
legal: a proper density. `forward` encodes and decides one position, for searches; `encode` and
`decode` process whole sequences from one encoding, in parallel or step by step.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.attention import AttentionSettings, KeyValue
from stratagem.nets.layers.basic import dense, last_dense
from stratagem.nets.layers.regions_decoder import ActionTokens, Decoder, TokenHeads
from stratagem.nets.layers.regions_encoder import RegionEncoder, Sizes
from stratagem.nets.output import NetworkOutput

MOST_SEATS = 8  # rows of the seat table; the same weights then serve any number of seats
SEAT_FREE = True


class Settings(AttentionSettings):
    """Sizes of the region network."""

    heads: int = Field(2, ge=1, description="attention heads per layer")
    tile_layers: int = Field(1, ge=0, description="layers of the tile encoder")
    piece_layers: int = Field(1, ge=0, description="layers of the piece encoder")
    state_layers: int = Field(1, ge=1, description="layers of the game-state encoder")
    decoder_layers: int = Field(1, ge=1, description="layers of the decoder")
    tile_size: int | None = Field(
        None, ge=1, description="size of an encoded tile; unset: its number of features"
    )
    stack_size: int | None = Field(
        None, ge=1, description="size of an encoded piece; unset: its number of features"
    )
    distance_bias: bool = Field(
        True, description="add a learned attention bias by distance on the graph"
    )
    decoder: bool = Field(
        True, description="use the decoder; off: each head reads the pooled position"
    )
    steps: int = Field(32, ge=1, description="maximum decisions from one encoding")


class Memory(NamedTuple):
    """An encoded position: everything needed for decisions from it."""

    tiles: Tensor  # [B, T, width]
    nodes: Tensor  # [T] nodes in play
    keys: Tensor  # [B, T, width] what the heads point at
    cross: tuple[KeyValue, ...]  # per decoder layer
    values: Tensor  # [B, V]

    def of(self, rows: Tensor) -> Memory:
        """Select some of the positions."""
        cross = tuple((key[rows], value[rows]) for key, value in self.cross)
        return Memory(self.tiles[rows], self.nodes, self.keys[rows], cross, self.values[rows])


class RegionNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        width = settings.width
        self.num_values = num_values
        self.steps = settings.steps
        sizes = Sizes(width, settings.heads, settings.feed_forward, settings.distance_bias)
        layers = (settings.tile_layers, settings.piece_layers, settings.state_layers)
        self.encoder = RegionEncoder(
            sizes, observation, layers, settings.tile_size, settings.stack_size
        )
        tokens = ActionTokens(observation, actions)
        self.decoder = Decoder(
            sizes, tokens, settings.decoder_layers if settings.decoder else 0, settings.steps
        )
        self.heads = TokenHeads(tokens, width)
        self.value_hidden = dense(width, width)
        self.value_seat = nn.Parameter(torch.zeros(MOST_SEATS, width))
        self.value_out = last_dense(width, 1)

    def forward(self, observation: Tensor) -> NetworkOutput:
        memory = self.encode(observation)
        chosen = self.decoder.tokens.chosen(observation)[:, None]  # [B, 1, F]
        logits, _ = self.decode(memory, chosen, None, None, 0)
        return NetworkOutput(logits[:, 0], memory.values)

    def encode(self, observation: Tensor) -> Memory:
        """Encode positions from which decisions follow."""
        tiles, index = self.encoder(observation)
        pooled = self.value_hidden(tiles.mean(1))  # [B, width]
        seats = self.value_seat[: self.num_values]
        hidden = functional.relu(pooled[:, None] + seats)  # [B, V, width]
        values = torch.tanh(self.value_out(hidden)).squeeze(2)
        return Memory(tiles, index, self.heads.read(tiles), self.decoder.read(tiles), values)

    def decode(
        self,
        memory: Memory,
        chosen: Tensor,
        previous: Tensor | None,
        past: tuple[KeyValue, ...] | None,
        start: int | Tensor,
        mask: Tensor | None = None,
    ) -> tuple[Tensor, tuple[KeyValue, ...]]:
        """Return logits [B, S, A] of consecutive steps, and the keys and values for later ones.

        chosen [B, S, F] is the slice `decision` at each step; previous [B, S] int64 is the previous
        action (-1: none; None: never any). `start` is the index of the first step, or [B]. `mask`
        [B, 1, S, past + S] says which steps to attend to; by default all earlier ones.
        """
        x = self.decoder.embed(memory.tiles, memory.nodes, chosen, previous, start)
        x, fresh = self.decoder(x, memory.tiles, memory.cross, past, mask)
        return self.heads(x, memory.keys, memory.nodes), fresh


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return RegionNetwork(settings, observation, actions, num_values)
