"""Convolution over a hex and its six neighbours, on a board stored as rows and columns.

Flat-top hexes in the "odd-q" layout: odd columns sit half a hex lower. The three hexes of a cell's
own column are one 3x1 convolution. The four beside it stand in other rows for even columns than
for odd ones; but once the odd columns are moved down by one row they stand in the same two rows
for all, so a second, dilated 2x2 convolution reads them. Seven products per hex, none wasted: the
fastest of those measured in docs/algorithms/networks.md.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

# N NE SE S SW NW, rows and columns to add, from even and from odd columns.
NEIGHBOURS = (
    ((-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, -1)),
    ((-1, 0), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)),
)
COLUMN_PADDING = [1, 0]
SIDES_PADDING = [0, 1]
SIDES_DILATION = [1, 2]


def lower_odd_columns(x: Tensor) -> Tensor:
    """[B, C, H, W] -> [B, C, H + 1, W]: odd columns one row lower, zeros where nothing is left."""
    batch, channels, height, width = x.shape
    # Written out in the memory order of channels-last, the layout that convolutions run in.
    lowered = x.new_zeros(batch, height + 1, width, channels)
    rows = x.permute(0, 2, 3, 1)
    lowered[:, :height, ::2] = rows[:, :, ::2]
    lowered[:, 1:, 1::2] = rows[:, :, 1::2]
    return lowered.permute(0, 3, 1, 2)


class HexLayer(nn.Module):
    """activation(hex convolution(x) + residual) on [B, C, H, W]; keeps height and width.

    Activation is ReLU or nothing. Inference swaps the whole for fused operations (fused.py).
    """

    def __init__(
        self, in_channels: int, out_channels: int, *, relu: bool = True, bias: bool = False
    ) -> None:
        super().__init__()
        self.relu = relu
        self.column = nn.Parameter(torch.empty(out_channels, in_channels, 3, 1))  # N, itself, S
        self.sides = nn.Parameter(torch.empty(out_channels, in_channels, 2, 2))  # NW NE / SW SE
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
        self.start(in_channels, out_channels)

    @torch.no_grad()
    def start(self, in_channels: int, out_channels: int, gain: float = 1.0) -> None:
        """Xavier's uniform spread of each kernel on its own, as HexagDLy's users have it.

        Together the two kernels double the variance, which is what a ReLU behind them takes away.
        """
        for kernel in (self.column, self.sides):
            taps = kernel[0, 0].numel()
            bound = gain * math.sqrt(6 / (taps * (in_channels + out_channels)))
            kernel.uniform_(-bound, bound)

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        y = functional.conv2d(x, self.column, self.bias, padding=COLUMN_PADDING)
        y = y + functional.conv2d(
            lower_odd_columns(x), self.sides, padding=SIDES_PADDING, dilation=SIDES_DILATION
        )
        if residual is not None:
            y = y + residual
        return functional.relu(y) if self.relu else y


class SeparableHexLayer(nn.Module):
    """A HexLayer in two steps: each channel over its neighbours, then all channels of each hex.

    Seven products for each channel and one for each pair of channels, instead of seven for each
    pair (after Chollet's separable convolutions, 2017).
    """

    def __init__(
        self, in_channels: int, out_channels: int, *, relu: bool = True, bias: bool = False
    ) -> None:
        super().__init__()
        self.relu = relu
        self.column = nn.Parameter(torch.empty(in_channels, 1, 3, 1))
        self.sides = nn.Parameter(torch.empty(in_channels, 1, 2, 2))
        self.mix = nn.Conv2d(in_channels, out_channels, 1, bias=bias)
        self.start(in_channels, out_channels)

    @torch.no_grad()
    def start(self, in_channels: int, out_channels: int, gain: float = 1.0) -> None:
        """A fresh layer has the spread of a HexLayer: seven taps share one channel's variance."""
        bound = math.sqrt(3 / 7)
        self.column.uniform_(-bound, bound)
        self.sides.uniform_(-bound, bound)
        wide = gain * math.sqrt(12 / (in_channels + out_channels))
        self.mix.weight.uniform_(-wide, wide)
        if self.mix.bias is not None:
            self.mix.bias.zero_()

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        channels = x.shape[1]
        y = functional.conv2d(x, self.column, padding=COLUMN_PADDING, groups=channels)
        y = y + functional.conv2d(
            lower_odd_columns(x), self.sides, padding=SIDES_PADDING, dilation=SIDES_DILATION,
            groups=channels,
        )  # fmt: skip
        y = self.mix(y)
        if residual is not None:
            y = y + residual
        return functional.relu(y) if self.relu else y
