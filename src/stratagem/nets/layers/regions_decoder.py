"""The decoder of the region network, and the heads that score the fields of an action token.

A step's input is the token of the previous decision, what has been chosen so far of the current
one, and the embeddings of the tiles already named. Heads for tile fields point at tiles; the others
are dense. Uses the fields that an ActionSpec declares, and knows no game.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionField, ActionSpec, ObservationSpec
from stratagem.nets.layers.attention import DecoderLayer, KeyValue, projection
from stratagem.nets.layers.basic import SMALL_GAIN, dense, last_dense
from stratagem.nets.layers.regions_encoder import DECISION, Sizes
from stratagem.nets.layers.slices import SliceReader

_EMBEDDING_SPREAD = 0.02


class ActionTokens:
    """Where the fields of a token are, and which entries each action sets.

    The slice `decision` begins with the fields other than choices, as far as they have been chosen.
    """

    def __init__(self, observation: ObservationSpec, actions: ActionSpec) -> None:
        if not actions.fields or len(actions.tokens) != actions.size:
            raise BadSetting(
                "network regions needs actions that declare fields and tokens: choose another one"
            )
        decision = next((part for part in observation.slices if part.name == DECISION), None)
        self.decision = None if decision is None else SliceReader(observation, decision)
        self.chosen_size = 0 if decision is None else decision.shape[0]
        self.fields = actions.fields
        self.starts = [sum(f.size for f in actions.fields[:k]) for k in range(len(actions.fields))]
        self.size = sum(field.size for field in actions.fields)
        self.matrix = torch.zeros(actions.size, self.size)  # [A, token]
        for action, entries in enumerate(actions.tokens):
            self.matrix[action, list(entries)] = 1.0

    def chosen(self, observation: Tensor) -> Tensor:
        """[B, F] the slice `decision`."""
        if self.decision is None:
            return observation.new_zeros(observation.shape[0], 0)
        return self.decision(observation)

    def chosen_nodes(self) -> list[tuple[int, int]]:
        """Return where the node fields are inside the slice `decision`."""
        found, at = [], 0
        for field in self.fields:
            if field.kind != "choice":
                if field.kind == "nodes" and at + field.size <= self.chosen_size:
                    found.append((at, at + field.size))
                at += field.size
        return found

    def pairs(self) -> list[tuple[int, int, Tensor]]:
        """Return (node field, set field, [3, n]: action, node, entry) of actions that set both."""
        found = []
        for one, nodes in enumerate(self.fields):
            for other, entries in enumerate(self.fields):
                if nodes.kind == "nodes" and entries.kind == "set":
                    here = self._part(one, nodes)
                    there = self._part(other, entries)
                    both = ((here.sum(1) == 1) & (there.sum(1) == 1)).nonzero().squeeze(1)
                    if len(both):
                        rows = [both, here[both].argmax(1), there[both].argmax(1)]
                        found.append((one, other, torch.stack(rows)))
        return found

    def _part(self, number: int, field: ActionField) -> Tensor:
        return self.matrix[:, self.starts[number] : self.starts[number] + field.size]


class Decoder(nn.Module):
    """Causal self-attention over decisions and cross-attention to tiles, or no layers at all."""

    matrix: Tensor

    def __init__(self, sizes: Sizes, tokens: ActionTokens, layers: int, steps: int) -> None:
        super().__init__()
        width = sizes.width
        self.tokens = tokens
        self.steps = steps
        self.register_buffer("matrix", tokens.matrix, persistent=False)
        self.previous = projection(tokens.size, width)
        self.chosen = projection(tokens.chosen_size, width) if tokens.chosen_size else None
        self.nodes = tokens.chosen_nodes()
        self.chosen_nodes = nn.ModuleList(projection(width, width) for _ in self.nodes)
        self.begin = nn.Parameter(torch.randn(width) * _EMBEDDING_SPREAD)
        self.step = nn.Parameter(torch.randn(steps, width) * _EMBEDDING_SPREAD)
        self.layers = nn.ModuleList(
            DecoderLayer(width, sizes.heads, sizes.feed_forward) for _ in range(layers)
        )
        self.pooled = None if layers else dense(2 * width, width)
        self.norm = nn.LayerNorm(width)

    def read(self, tiles: Tensor) -> tuple[KeyValue, ...]:
        """Return what each layer attends to in an encoded position."""
        return tuple(layer.read(tiles) for layer in self.layers if isinstance(layer, DecoderLayer))

    def embed(
        self,
        tiles: Tensor,
        index: Tensor,
        chosen: Tensor,
        previous: Tensor | None,
        start: int | Tensor,
    ) -> Tensor:
        """Return the inputs [B, S, width] of steps; see RegionNetwork.decode."""
        steps = torch.arange(chosen.shape[1], device=chosen.device)
        if isinstance(start, Tensor):
            numbers = (start[:, None] + steps).clamp(max=self.steps - 1)  # [B, S]
        else:
            numbers = (start + steps).clamp(max=self.steps - 1)[None]
        x = self.step[numbers]
        if previous is None:
            x = x + self.begin
        else:
            first = (previous < 0)[:, :, None]
            tokens = self.previous(self.matrix[previous.clamp(min=0)])
            x = x + torch.where(first, self.begin, tokens)
        if self.chosen is not None:
            x = x + self.chosen(chosen)
            for (low, high), layer in zip(self.nodes, self.chosen_nodes, strict=True):
                x = x + layer(chosen[:, :, low:high][:, :, index] @ tiles)
        return x.expand(chosen.shape[0], -1, -1)

    def forward(
        self,
        x: Tensor,
        tiles: Tensor,
        cross: tuple[KeyValue, ...],
        past: tuple[KeyValue, ...] | None,
        mask: Tensor | None,
    ) -> tuple[Tensor, tuple[KeyValue, ...]]:
        """x [B, S, width] -> the same shape, and each layer's keys and values of these steps."""
        if self.pooled is not None:
            pooled = tiles.mean(1, keepdim=True).expand(-1, x.shape[1], -1)
            return self.norm(functional.relu(self.pooled(torch.cat([x, pooled], 2)))), ()
        if mask is None:
            count = x.shape[1] + (0 if past is None else past[0][0].shape[2])
            mask = torch.ones(x.shape[1], count, dtype=torch.bool, device=x.device)
            mask = mask.tril(count - x.shape[1])
        fresh = []
        for number, layer in enumerate(self.layers):
            before = None if past is None else past[number]
            x, kept = layer(x, mask, cross[number], before)
            fresh.append(kept)
        return self.norm(x), tuple(fresh)


class TokenHeads(nn.Module):
    """Scores every entry of a token; an action's logit is the sum over the entries it sets."""

    matrix: Tensor

    def __init__(self, tokens: ActionTokens, width: int) -> None:
        super().__init__()
        self.fields = tokens.fields
        self.width = width
        self.num_nodes = max((f.size for f in tokens.fields if f.kind == "nodes"), default=0)
        self.register_buffer("matrix", tokens.matrix.T.contiguous(), persistent=False)  # [token, A]
        self.keys = projection(width, width)
        self.scores = nn.ModuleList(
            _query(width, 1) if field.kind == "nodes" else last_dense(width, field.size)
            for field in tokens.fields
        )
        self.pairs = [(fields[1], rows) for *fields, rows in tokens.pairs()]
        self.pair_queries = nn.ModuleList(
            _query(width, tokens.fields[entries].size) for entries, _ in self.pairs
        )

    def read(self, tiles: Tensor) -> Tensor:
        """Return what the heads point at."""
        keys: Tensor = self.keys(tiles) * self.width**-0.5
        return keys

    def forward(self, x: Tensor, keys: Tensor, index: Tensor) -> Tensor:
        """x [B, S, width], keys [B, T, width] -> logits [B, S, A]."""
        parts = []
        for field, head in zip(self.fields, self.scores, strict=True):
            score = head(x)  # [B, S, size or width]
            if field.kind == "nodes":
                score = self._spread(score @ keys.transpose(1, 2), index)
            parts.append(score)
        logits: Tensor = torch.cat(parts, 2) @ self.matrix.to(x.dtype)
        for (entries, rows), head in zip(self.pairs, self.pair_queries, strict=True):
            size = self.fields[entries].size
            queries = head(x).view(x.shape[0], -1, self.width)  # [B, S * size, width]
            score = self._spread(queries @ keys.transpose(1, 2), index)
            score = score.view(x.shape[0], -1, size * self.num_nodes)  # [B, S, size * N]
            action, node, entry = rows
            logits = logits.index_add(2, action, score[:, :, entry * self.num_nodes + node])
        return logits

    def _spread(self, scores: Tensor, index: Tensor) -> Tensor:
        """[B, S, T] of the nodes in play -> [B, S, N] of all; the others can never be chosen."""
        whole = scores.new_zeros(*scores.shape[:2], self.num_nodes)
        return whole.index_copy(2, index, scores)


def _query(width: int, count: int) -> nn.Linear:
    """Return a head's query layer: small at first, so that training starts from even odds."""
    layer = nn.Linear(width, width * count)
    nn.init.normal_(layer.weight, std=SMALL_GAIN)
    nn.init.zeros_(layer.bias)
    return layer
