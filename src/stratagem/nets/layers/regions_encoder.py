"""Tile encoder, piece encoder and game-state encoder of the region network.

Tiles attend to each other with a bias for their distance on the graph; pieces have an embedding of
their tile; the game-state encoder reads, tile by tile, the global features, the encoded tile and
its stack of encoded pieces. An encoding without pieces is read flat: its nodes go directly to the
game-state encoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSpec
from stratagem.nets.layers.attention import EncoderLayer, projection
from stratagem.nets.layers.graph_bias import GraphBias
from stratagem.nets.layers.slices import SliceReader, required_slice

_EMBEDDING_SPREAD = 0.02
DECISION = "decision"  # slice with what has been chosen so far; the decoder reads it


@dataclass(frozen=True)
class Sizes:
    """What the parts of the encoder share."""

    width: int
    heads: int
    feed_forward: int
    distance_bias: bool


class TokenStack(nn.Module):
    """Encoder layers over tokens that first enter a common width and may leave it again."""

    def __init__(self, sizes: Sizes, features: int, layers: int, out: int | None) -> None:
        super().__init__()
        self.enter = projection(features, sizes.width)
        self.layers = nn.ModuleList(
            EncoderLayer(sizes.width, sizes.heads, sizes.feed_forward) for _ in range(layers)
        )
        self.norm = nn.LayerNorm(sizes.width)
        self.leave = None if out is None else projection(sizes.width, out)

    def forward(self, tokens: Tensor, added: Tensor, mask: Tensor | None) -> Tensor:
        """tokens [B, T, F]; `added` [.., T, width] is added to their embeddings."""
        x = self.enter(tokens) + added
        for layer in self.layers:
            x = layer(x, mask)
        x = self.norm(x)
        left: Tensor = x if self.leave is None else self.leave(x)
        return left


class PieceEncoder(nn.Module):
    """Pieces -> the stack of each tile, [B, T, stack * piece_size]."""

    def __init__(
        self, sizes: Sizes, observation: ObservationSpec, num_nodes: int, layers: int,
        out: int | None,
    ) -> None:  # fmt: skip
        super().__init__()
        pieces = observation.of_kind("tokens")
        assert pieces is not None
        vectors = {part.name: part for part in observation.slices if part.kind == "vector"}
        try:
            tile, slot = vectors["piece_tile"], vectors["piece_slot"]
        except KeyError as missing:
            raise BadSetting(
                f"network regions: an encoding with pieces needs a slice {missing}: "
                "choose another encoding or network"
            ) from None
        self.pieces = SliceReader(observation, pieces)
        self.tile = SliceReader(observation, tile)
        self.slot = SliceReader(observation, slot)
        self.stack = 6
        self.size = out or pieces.shape[1]
        self.tokens = TokenStack(sizes, pieces.shape[1], layers, self.size)
        self.tile_reference = nn.Parameter(torch.randn(num_nodes, sizes.width) * _EMBEDDING_SPREAD)

    def forward(self, observation: Tensor, index: Tensor, place: Tensor) -> Tensor:
        """`index` [T] are the nodes in play, `place` [N] is each node's row among them."""
        tile = self.tile(observation).long()  # [B, P], -1: no piece
        present = tile >= 0
        count = max(int(present.sum(1).max()), 1)  # pieces first, padding behind
        tile, present = tile[:, :count].clamp(min=0), present[:, :count]
        slot = self.slot(observation)[:, :count].long().clamp(min=0)
        mask = present[:, None, None] | ~present.any(1)[:, None, None, None]
        encoded = self.tokens(
            self.pieces(observation)[:, :count], self.tile_reference[tile], mask
        ) * present[:, :, None].to(observation.dtype)
        slots = index.shape[0] * self.stack
        where = place[tile] * self.stack + slot  # [B, P]
        stacks = encoded.new_zeros(observation.shape[0], slots, self.size)
        stacks = stacks.scatter_add(1, where[:, :, None].expand(-1, -1, self.size), encoded)
        # Several pieces in the last slot are averaged.
        sharing = encoded.new_zeros(observation.shape[0], slots)
        sharing = sharing.scatter_add(1, where, present.to(encoded.dtype)).clamp(min=1.0)
        meant: Tensor = stacks / sharing[:, :, None]
        return meant.view(observation.shape[0], index.shape[0], -1)


class RegionEncoder(nn.Module):
    """Flat observation -> an embedding of each tile in play."""

    def __init__(
        self, sizes: Sizes, observation: ObservationSpec, layers: tuple[int, int, int],
        tile_size: int | None, piece_size: int | None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.nodes = required_slice(observation, "nodes", "network regions")
        nodes = observation.of_kind("nodes")
        assert nodes is not None
        tile_layers, piece_layers, state_layers = layers
        count, features = nodes.shape
        self.globals = [
            SliceReader(observation, part)
            for part in observation.slices
            if part.kind == "vector" and part.name not in ("piece_tile", "piece_slot", DECISION)
        ]
        width = sizes.width
        self.position = nn.Parameter(torch.randn(count, width) * _EMBEDDING_SPREAD)
        self.tile_tokens: TokenStack | None = None
        self.pieces: PieceEncoder | None = None
        row = features
        if observation.of_kind("tokens") is not None:
            row = tile_size or features
            self.tile_tokens = TokenStack(sizes, features, tile_layers, row)
            self.pieces = PieceEncoder(sizes, observation, count, piece_layers, piece_size)
            row += self.pieces.stack * self.pieces.size
        self.state_tokens = TokenStack(sizes, row, state_layers, None)
        self.state_position = nn.Parameter(torch.randn(count, width) * _EMBEDDING_SPREAD)
        known = sum(part.shape[0] for part in self.globals)
        # The global part of a row is the same for all tiles, so it is projected once.
        self.global_features = projection(known, width) if known else None
        use = sizes.distance_bias
        self.tile_bias = GraphBias(nodes, sizes.heads) if use and self.tile_tokens else None
        self.state_bias = GraphBias(nodes, sizes.heads) if use else None

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Return (embeddings [B, T, width], index [T] of the nodes in play)."""
        nodes = self.nodes(observation)
        index = (nodes != 0).any(2).any(0).nonzero().squeeze(1)  # [T]
        if not index.shape[0]:
            index = torch.arange(nodes.shape[1], device=nodes.device)
        rows = nodes[:, index]
        if self.tile_tokens is not None and self.pieces is not None:
            bias = None if self.tile_bias is None else self.tile_bias(index).to(rows.dtype)
            tiles = self.tile_tokens(rows, self.position[index], bias)
            place = index.new_zeros(nodes.shape[1])
            place[index] = torch.arange(index.shape[0], device=index.device)
            rows = torch.cat([tiles, self.pieces(observation, index, place)], 2)
        added = self.state_position[index]
        if self.global_features is not None:
            known = torch.cat([part(observation) for part in self.globals], 1)
            added = added + self.global_features(known)[:, None]
        bias = None if self.state_bias is None else self.state_bias(index).to(rows.dtype)
        return self.state_tokens(rows, added, bias), index
