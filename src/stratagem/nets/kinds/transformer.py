"""The Transformer: one token per board cell, a [CLS] token, and optionally one token per action.

After the Battlefield paper's appendix A.2. Cells have learned row and column embeddings. With
action tokens, actions attend jointly with the board and each logit is read from its own token;
without, the cells' embeddings are reduced, flattened and mapped to logits together with [CLS]. The
value is read from [CLS].
"""

from __future__ import annotations

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.attention import AttentionSettings, EncoderLayer, projection
from stratagem.nets.layers.basic import dense, last_dense
from stratagem.nets.layers.slices import SliceReader, optional_slice, required_slice
from stratagem.nets.output import NetworkOutput

OPENVINO_CHUNK = 64
_EMBEDDING_SPREAD = 0.02
_UNHEARD = -1e9  # a score that becomes zero attention


class Settings(AttentionSettings):
    """Sizes of the Transformer."""

    layers: int = Field(4, ge=1, description="encoder layers")
    action_tokens: bool = Field(
        False, description="give every action a token (needs an encoding with an actions slice)"
    )
    policy_channels: int = Field(
        8, ge=1, description="policy channels per cell; unused with action tokens"
    )


class BoardTokens(nn.Module):
    """[CLS] and the cells of the board, as tokens with row and column embeddings."""

    def __init__(self, observation: ObservationSpec, width: int) -> None:
        super().__init__()
        self.planes = required_slice(observation, "planes", "network transformer")
        self.vector = optional_slice(observation, "vector")
        channels, rows, columns = self.planes.shape
        self.num_cells = rows * columns
        self.embed_cell = projection(channels, width)
        self.embed_vector = None if self.vector is None else projection(self.vector.shape[0], width)
        self.cls = nn.Parameter(torch.randn(width) * _EMBEDDING_SPREAD)
        self.row = nn.Parameter(torch.randn(rows, 1, width) * _EMBEDDING_SPREAD)
        self.column = nn.Parameter(torch.randn(1, columns, width) * _EMBEDDING_SPREAD)

    def forward(self, observation: Tensor) -> Tensor:
        """[B, D] -> [B, 1 + cells, width], [CLS] first."""
        planes = self.planes(observation).flatten(2).transpose(1, 2)  # [B, cells, C]
        cells = self.embed_cell(planes) + (self.row + self.column).flatten(0, 1)
        cls = self.cls.expand(observation.shape[0], 1, -1)
        if self.vector is not None and self.embed_vector is not None:
            cls = cls + self.embed_vector(self.vector(observation))[:, None]
        return torch.cat([cls, cells], 1)


class TransformerNetwork(nn.Module):
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
        self.board = BoardTokens(observation, width)
        self.encoder = nn.ModuleList(
            EncoderLayer(width, settings.heads, settings.feed_forward)
            for _ in range(settings.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.actions: SliceReader | None = None
        if settings.action_tokens:
            self.actions = _action_slice(observation, actions)
            self.embed_action = projection(self.actions.shape[1], width)
            self.policy_logits = last_dense(width, 1)
        else:
            self.policy_reduce = dense(width, settings.policy_channels)
            read = settings.policy_channels * self.board.num_cells + width
            self.policy_logits = last_dense(read, actions.size)
        self.value_hidden = dense(width, width)
        self.value_out = last_dense(width, num_values)

    def forward(self, observation: Tensor) -> NetworkOutput:
        if self.actions is not None:
            return self.decide(observation, self.actions(observation))
        tokens = self._encode(self.board(observation), None)
        cls = tokens[:, 0]
        # [CLS] is dropped afterwards: before, that would copy all the cells.
        reduced = functional.relu(self.policy_reduce(tokens))[:, 1:].flatten(1)
        logits = self.policy_logits(torch.cat([reduced, cls], 1))
        return NetworkOutput(logits, self._values(cls))

    def decide(self, observation: Tensor, features: Tensor) -> NetworkOutput:
        """Return logits [B, L] of actions with features [B, L, F], the last marking legal ones."""
        board = self.board(observation)
        hidden = _hidden(features[:, :, -1] > 0, self.board.num_cells, board.dtype)
        # The cells come last: nothing reads them after the last layer.
        tokens = torch.cat([board[:, :1], self.embed_action(features), board[:, 1:]], 1)
        encoded = self._encode(tokens, hidden, self.board.num_cells)
        logits = self.policy_logits(encoded[:, 1:]).squeeze(2)
        return NetworkOutput(logits, self._values(encoded[:, 0]))

    def _encode(self, tokens: Tensor, mask: Tensor | None, unread: int = 0) -> Tensor:
        """Encode all but the last `unread` tokens, which the last layer skips."""
        last = len(self.encoder) - 1
        for number, layer in enumerate(self.encoder):
            tokens = layer(tokens, mask, unread if number == last else 0)
        encoded: Tensor = self.norm(tokens)
        return encoded

    def _values(self, cls: Tensor) -> Tensor:
        return torch.tanh(self.value_out(functional.relu(self.value_hidden(cls))))


def _hidden(legal: Tensor, num_cells: int, dtype: torch.dtype) -> Tensor:
    """Added to scores: allows [CLS], legal actions and cells, hides illegal actions."""
    added = torch.where(legal, 0.0, _UNHEARD).to(dtype)
    return functional.pad(added, (1, num_cells))[:, None, None]


def _action_slice(observation: ObservationSpec, actions: ActionSpec) -> SliceReader:
    reader = required_slice(observation, "actions", "network transformer with action_tokens")
    if reader.shape[0] != actions.size:
        raise BadSetting(
            f"the encoding describes {reader.shape[0]} actions, but the game has {actions.size}: "
            "choose another encoding or turn action_tokens off"
        )
    return reader


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return TransformerNetwork(settings, observation, actions, num_values)
