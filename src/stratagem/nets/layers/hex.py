"""Convolution over a hex and its six neighbours, on a board stored as rows and columns.

Flat-top hexes in the "odd-q" layout: odd columns are half a hex lower. The three hexes of a cell's
own column are one 3x1 convolution. The four beside it are in other rows for even columns than for
odd ones; but when the odd columns are moved down by one row, they are in the same two rows for all,
so a second, dilated 2x2 convolution reads them. Seven products per hex, none wasted: the fastest
way measured in docs/results/networks-notes.md.

Gradients have their own implementation (`_HexConvolution`): torch's gradient of such narrow kernels
would take half of a learning step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

# N NE SE S SW NW: rows and columns to add, from even and from odd columns.
NEIGHBOURS = (
    ((-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, -1)),
    ((-1, 0), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)),
)
COLUMN_PADDING = [1, 0]
SIDES_PADDING = [0, 1]
SIDES_DILATION = [1, 2]
_TAPS = (0, None, 3, 5, 1, 4, 2)  # N, itself, S, NW, NE, SW, SE: in the order of the weights
_CHUNK_BYTES = 1 << 20  # of gathered neighbours: what was just written is still in the cache


def lower_odd_columns(x: Tensor) -> Tensor:
    """[B, C, H, W] -> [B, C, H + 1, W]: odd columns one row lower, padded with zeros."""
    batch, channels, height, width = x.shape
    # Written explicitly in the memory order of channels-last, the layout of convolutions.
    lowered = x.new_zeros(batch, height + 1, width, channels)
    rows = x.permute(0, 2, 3, 1)
    lowered[:, :height, ::2] = rows[:, :, ::2]
    lowered[:, 1:, 1::2] = rows[:, :, 1::2]
    return lowered.permute(0, 3, 1, 2)


def hex_convolution(x: Tensor, column: Tensor, sides: Tensor) -> Tensor:
    """[B, C, H, W] -> [B, O, H, W]: weights [O, C, 3, 1] and [O, C, 2, 2] over each hex."""
    y = functional.conv2d(x, column, padding=COLUMN_PADDING)
    return y + functional.conv2d(
        lower_odd_columns(x), sides, padding=SIDES_PADDING, dilation=SIDES_DILATION
    )


@cache
def _neighbours(height: int, width: int) -> Tensor:
    """[H * W * 7] the cell at each tap of each cell; H * W means beyond the edge."""
    cells = []
    for row in range(height):
        for column in range(width):
            for tap in _TAPS:
                down, right = (0, 0) if tap is None else NEIGHBOURS[column % 2][tap]
                there = 0 <= row + down < height and 0 <= column + right < width
                cells.append((row + down) * width + column + right if there else height * width)
    return torch.tensor(cells)


def _weight_gradient(x: Tensor, gradient: Tensor) -> tuple[Tensor, Tensor]:
    """Return gradients of `column` and `sides`: each cell's seven inputs times its gradient."""
    batch, channels, height, width = x.shape
    outputs, cells = gradient.shape[1], height * width
    taps = _neighbours(height, width).to(x.device)
    inputs = functional.pad(x.permute(0, 2, 3, 1).reshape(batch, cells, channels), (0, 0, 0, 1))
    wanted = gradient.permute(0, 2, 3, 1).reshape(batch, cells, outputs)
    total = x.new_zeros(outputs, 7 * channels)
    chunk = max(1, _CHUNK_BYTES // (cells * 7 * channels * x.element_size()))
    for first in range(0, batch, chunk):
        seen = inputs[first : first + chunk].index_select(1, taps).view(-1, 7 * channels)
        total.addmm_(wanted[first : first + chunk].reshape(-1, outputs).t(), seen)
    by_tap = total.view(outputs, 7, channels).transpose(1, 2)
    return by_tap[:, :, :3, None], by_tap[:, :, 3:].reshape(outputs, channels, 2, 2)


class _HexConvolution(torch.autograd.Function):
    """`hex_convolution` with faster gradients; that of `x` is a hex convolution itself."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, column: Tensor, sides: Tensor) -> Tensor:
        ctx.save_for_backward(x, column, sides)
        return hex_convolution(x, column, sides)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor, Tensor]:
        x, column, sides = ctx.saved_tensors
        (gradient,) = gradients
        below = None
        if ctx.needs_input_grad[0]:  # every neighbour sees a cell from the opposite side
            opposite = column.flip(2).transpose(0, 1), sides.flip(2, 3).transpose(0, 1)
            below = hex_convolution(gradient, *opposite)
        return below, *_weight_gradient(x, gradient)


def _convolution_for(x: Tensor) -> Callable[..., Tensor]:
    """Return the faster gradients for learning, plain operations for inference and export.

    The faster gradients were measured only in float32 on CPUs.
    """
    learning = torch.is_grad_enabled() and x.device.type == "cpu"
    if learning and not torch.is_autocast_enabled("cpu"):
        return cast(Callable[..., Tensor], _HexConvolution.apply)
    return hex_convolution


class HexLayer(nn.Module):
    """activation(hex convolution(x) + residual) on [B, C, H, W]; keeps height and width.

    Activation is ReLU or none. Inference replaces it by fused operations (fused.py).
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
        """Initialize each kernel with Xavier's uniform distribution, as HexagDLy does.

        Together the two kernels double the variance, which the following ReLU halves again.
        """
        for kernel in (self.column, self.sides):
            taps = kernel[0, 0].numel()
            bound = gain * math.sqrt(6 / (taps * (in_channels + out_channels)))
            kernel.uniform_(-bound, bound)

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        y: Tensor = _convolution_for(x)(x, self.column, self.sides)
        if self.bias is not None:
            y = y + self.bias[:, None, None]
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
        """Initialize with a HexLayer's distribution: seven taps share one channel's variance."""
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
