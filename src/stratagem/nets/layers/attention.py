"""Encoder and decoder layers of Transformers, and the settings they share.

Both normalize first and add to their input. Masks are additive or boolean, as in torch.
"""

from __future__ import annotations

from typing import Self

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.settings import SettingsModel
from stratagem.nets.layers.basic import dense

KeyValue = tuple[Tensor, Tensor]  # each [B, heads, T, width / heads]


class AttentionSettings(SettingsModel):
    """Sizes that every network with attention has."""

    width: int = Field(64, ge=1, description="size of a token; a multiple of heads")
    heads: int = Field(4, ge=1, description="attention heads per layer")
    feed_forward: int = Field(
        2, ge=1, description="hidden units of a feed-forward block, as a multiple of width"
    )

    @model_validator(mode="after")
    def _heads_share_the_width(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} must be a multiple of heads {self.heads}")
        return self


def projection(in_features: int, out_features: int) -> nn.Linear:
    """Return a dense layer that is not followed by an activation."""
    layer = nn.Linear(in_features, out_features)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def split_heads(x: Tensor, heads: int) -> Tensor:
    """[B, T, width] -> [B, heads, T, width / heads]."""
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """[B, heads, T, width / heads] -> [B, T, width]."""
    return x.transpose(1, 2).flatten(2)


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return what each query [B, heads, S, size] reads of keys and values [B, heads, T, size].

    On CPUs, attention and its gradient take four to six times as long in bfloat16 as in float32, so
    training data is cast. Torch computes learned masks in another way, which is not as slow.
    """
    learned = query.requires_grad and (mask is None or not mask.requires_grad)
    if not (learned and query.dtype == torch.bfloat16 and query.device.type == "cpu"):
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    if mask is not None and mask.is_floating_point():
        mask = mask.float()
    with torch.autocast("cpu", enabled=False):
        attended = functional.scaled_dot_product_attention(
            query.float(), key.float(), value.float(), attn_mask=mask
        )
    return attended.to(query.dtype)


class FeedForward(nn.Module):
    """Two dense layers, applied to each token separately."""

    def __init__(self, width: int, times: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = dense(width, width * times)
        self.outer = projection(width * times, width)

    def forward(self, x: Tensor) -> Tensor:
        summed: Tensor = x + self.outer(functional.relu(self.inner(self.norm(x))))
        return summed


class EncoderLayer(nn.Module):
    """Every token attends to every other."""

    def __init__(self, width: int, heads: int, feed_forward: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query_key_value = projection(width, 3 * width)  # one product instead of three
        self.out = projection(width, width)
        self.feed = FeedForward(width, feed_forward)

    def forward(self, x: Tensor, mask: Tensor | None, unread: int = 0) -> Tensor:
        """x [B, T, width]; mask broadcasts to [B, heads, T, T].

        The last `unread` tokens are attended to, but not returned.
        """
        mixed = self.query_key_value(self.norm(x)).chunk(3, 2)
        query, key, value = (split_heads(part, self.heads) for part in mixed)
        if unread:
            x, query = x[:, :-unread], query[:, :, :-unread]
        attended = attend(query, key, value, mask)
        fed: Tensor = self.feed(x + self.out(join_heads(attended)))
        return fed


class DecoderLayer(nn.Module):
    """Every step attends to itself and earlier steps, then to the encoded position."""

    def __init__(self, width: int, heads: int, feed_forward: int) -> None:
        super().__init__()
        self.heads = heads
        self.self_norm = nn.LayerNorm(width)
        self.query_key_value = projection(width, 3 * width)
        self.self_out = projection(width, width)
        self.cross_norm = nn.LayerNorm(width)
        self.cross_query = projection(width, width)
        self.cross_key_value = projection(width, 2 * width)
        self.cross_out = projection(width, width)
        self.feed = FeedForward(width, feed_forward)

    def read(self, memory: Tensor) -> KeyValue:
        """Return what steps attend to in the encoded position [B, T, width]; once for all steps."""
        key, value = self.cross_key_value(memory).chunk(2, 2)
        return split_heads(key, self.heads), split_heads(value, self.heads)

    def forward(
        self, x: Tensor, mask: Tensor, memory: KeyValue, past: KeyValue | None
    ) -> tuple[Tensor, KeyValue]:
        """x [B, S, width], mask broadcasts to [B, heads, S, past + S]; returns keys and values."""
        mixed = self.query_key_value(self.self_norm(x)).chunk(3, 2)
        query, key, value = (split_heads(part, self.heads) for part in mixed)
        fresh = (key, value)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        attended = attend(query, key, value, mask)
        x = x + self.self_out(join_heads(attended))
        query = split_heads(self.cross_query(self.cross_norm(x)), self.heads)
        seen = attend(query, *memory)
        x = x + self.cross_out(join_heads(seen))
        return self.feed(x), fresh
