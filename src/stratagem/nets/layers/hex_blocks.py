"""Parts shared by the hex networks: blocks of the torso and the two heads.

`paper` parts follow "Playing Hex and Counter Wargames using Reinforcement Learning and Recurrent
Neural Networks": hex convolutions only, no biases, no normalization. `compact` parts are smaller
and normalized, so that any number of blocks, or repetitions of one, stays stable. All are fully
convolutional or pooled: no weight depends on the size of the board.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.layers.basic import SMALL_GAIN, dense, last_dense
from stratagem.nets.layers.hex import HexLayer, SeparableHexLayer

Style = Literal["compact", "paper"]

_BRANCH_GAIN = 0.3  # of a compact block's second layer: a new block changes little


class PaperBlock(nn.Module):
    """Two hex convolutions and a skip connection: relu(x + conv(relu(conv(x))))."""

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first = HexLayer(filters, filters)
        self.second = HexLayer(filters, filters)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.second(self.first(x), x)
        return y


class BoardPool(nn.Module):
    """[B, C, H, W] -> [B, 2C]: a mean and the maximum of each channel over the board.

    With `focus` the mean is weighted by where its group of channels looks. In a plain mean, the
    signal of a few units fades on a larger board; with a focus it does not. It starts as the plain
    mean.
    """

    def __init__(self, channels: int, focus: int) -> None:
        super().__init__()
        self.looks: nn.Conv2d | None = None
        if focus:
            self.looks = nn.Conv2d(channels, focus, 1, bias=False)
            nn.init.zeros_(self.looks.weight)

    def forward(self, x: Tensor) -> Tensor:
        if self.looks is None:
            return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        shares = self.looks(x).flatten(2).softmax(2)  # [B, focus, cells]
        groups = (x.shape[0], shares.shape[1], x.shape[1] // shares.shape[1], -1)
        grouped = x.reshape(groups)  # [B, focus, channels of a group, cells]
        weighted = (grouped @ shares[..., None]).flatten(1)
        return torch.cat([weighted, x.amax((2, 3))], 1)


class CompactBlock(nn.Module):
    """norm(x + conv(relu(conv(x) + recalled) + pooled)); the norm is over each hex's channels.

    `recalled` is what a recurrent network adds from the input; `pooled` is a bias per channel from
    the mean and maximum over the board, which lets every hex depend on every other.
    """

    def __init__(self, filters: int, pooled: bool, focus: int = 0, separable: bool = False) -> None:
        super().__init__()
        layer = SeparableHexLayer if separable else HexLayer
        self.first: nn.Module = layer(filters, filters, bias=True)
        self.second = layer(filters, filters, relu=False, bias=True)
        self.second.start(filters, filters, _BRANCH_GAIN)
        self.pool = BoardPool(filters, focus if pooled else 0)
        self.pooled_bias = last_dense(2 * filters, filters) if pooled else None
        self.norm = ChannelNorm(filters)

    def forward(self, x: Tensor, recalled: Tensor | None = None) -> Tensor:
        y: Tensor = self.first(x, recalled)
        if self.pooled_bias is not None:
            y = y + self.pooled_bias(self.pool(y))[:, :, None, None]
        normed: Tensor = self.norm(self.second(y, x))
        return normed


class ChannelNorm(nn.Module):
    """Layer normalization over the channels of each cell of [B, C, H, W]."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(channels)

    def forward(self, x: Tensor) -> Tensor:
        normed: Tensor = self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return normed


class PaperPolicyHead(nn.Module):
    """Three hex convolutions down to the planes of actions: [B, planes, H, W] logits."""

    def __init__(self, filters: int, planes: int) -> None:
        super().__init__()
        middle = 1 << (planes - 1).bit_length()  # smallest power of two that holds the planes
        self.layers = nn.Sequential(
            HexLayer(filters, max(1, filters // 2)),
            HexLayer(max(1, filters // 2), middle),
            HexLayer(middle, planes, relu=False),
        )

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.layers(x)
        return logits


class PaperValueHead(nn.Module):
    """Four hex convolutions, the mean over the board, tanh: [B, values]."""

    def __init__(self, filters: int, num_values: int) -> None:
        super().__init__()
        second, third = max(1, filters // 4), max(1, filters // 32)
        self.layers = nn.Sequential(
            HexLayer(filters, filters),
            HexLayer(filters, second),
            HexLayer(second, third),
            HexLayer(third, num_values, relu=False),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.layers(x).mean((2, 3)))


class CompactPolicyHead(nn.Module):
    """One hex convolution, then each hex reads its own actions: [B, planes, H, W] logits."""

    def __init__(self, filters: int, planes: int) -> None:
        super().__init__()
        self.hidden = HexLayer(filters, filters, bias=True)
        self.out = nn.Conv2d(filters, planes, 1)
        nn.init.normal_(self.out.weight, std=SMALL_GAIN)
        nn.init.zeros_(self.out.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.out(self.hidden(x))
        return logits


class CompactValueHead(nn.Module):
    """One hex convolution, mean and maximum over the board, two dense layers, tanh: [B, values]."""

    def __init__(self, filters: int, num_values: int, focus: int = 0) -> None:
        super().__init__()
        channels = max(1, filters // 2)
        self.reduce = HexLayer(filters, channels, bias=True)
        self.pool = BoardPool(channels, focus)
        self.hidden = dense(2 * channels, filters)
        self.out = last_dense(filters, num_values)

    def forward(self, x: Tensor) -> Tensor:
        hidden = functional.relu(self.hidden(self.pool(self.reduce(x))))
        return torch.tanh(self.out(hidden))


def make_heads(
    style: Style, filters: int, planes: int, num_values: int, focus: int = 0
) -> tuple[nn.Module, nn.Module]:
    """Return (policy, value) heads of a style."""
    if style == "paper":
        return PaperPolicyHead(filters, planes), PaperValueHead(filters, num_values)
    return CompactPolicyHead(filters, planes), CompactValueHead(filters, num_values, focus)
