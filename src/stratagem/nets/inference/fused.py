"""Layers prepared for inference: convolution, bias, sum and ReLU as single oneDNN calls.

Weights are packed once into oneDNN's layout. Batch normalization is folded into its convolution.
The measurements behind these choices are in docs/results/networks-notes.md.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.device import device
from stratagem.nets.layers.basic import ConvNorm
from stratagem.nets.layers.hex import (
    COLUMN_PADDING,
    SIDES_DILATION,
    SIDES_PADDING,
    HexLayer,
    lower_odd_columns,
)

_SMALLEST_FUSED = 8  # positions; for smaller batches the plain convolution has less overhead
_ONES = [1, 1]  # stride of every convolution, and the dilation of most


def _packs(weight: Tensor) -> bool:
    """Whether oneDNN can pack these weights here; bfloat16 needs newer processors."""
    if not torch._C._has_mkldnn or weight.device.type != "cpu":
        return False
    return weight.dtype != torch.bfloat16 or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


class PackedConv:
    """One convolution with packed weights; sum and activation are part of the call."""

    def __init__(
        self,
        weight: Tensor,
        bias: Tensor | None,
        padding: Sequence[int],
        dilation: Sequence[int] = (1, 1),
    ) -> None:
        self.padding, self.dilation = list(padding), list(dilation)
        self.bias = bias
        self.weight = weight.contiguous(memory_format=torch.channels_last)
        self.packed: Tensor | None = None
        if _packs(weight):
            self.packed = torch.ops.mkldnn._reorder_convolution_weight(
                self.weight, self.padding, _ONES, self.dilation, 1, None
            )

    def __call__(self, x: Tensor, residual: Tensor | None, relu: bool) -> Tensor:
        if self.packed is None or len(x) < _SMALLEST_FUSED or not self._is_full(residual, x):
            return self._plain(x, residual, relu)
        where = (self.packed, self.bias, self.padding, _ONES, self.dilation, 1)
        fused: Tensor
        if residual is None:
            fused = torch.ops.mkldnn._convolution_pointwise(
                x, *where, "relu" if relu else "none", [], ""
            )
        else:
            fused = torch.ops.mkldnn._convolution_pointwise.binary(
                x, residual, *where, "add", 1.0, "relu" if relu else None, [], ""
            )
        return fused

    def _is_full(self, residual: Tensor | None, x: Tensor) -> bool:
        """oneDNN's fused sum needs a number for each cell, not one for each filter."""
        taps = self.weight.shape[2:]
        sizes = tuple(
            size + 2 * pad - step * (tap - 1)
            for size, pad, step, tap in zip(
                x.shape[2:], self.padding, self.dilation, taps, strict=True
            )
        )
        return residual is None or residual.shape[2:] == sizes

    def _plain(self, x: Tensor, residual: Tensor | None, relu: bool) -> Tensor:
        y = functional.conv2d(
            x, self.weight, self.bias, padding=self.padding, dilation=self.dilation
        )
        y = y if residual is None else y.add_(residual)
        return y.relu_() if relu else y


class FoldedConv(nn.Module):
    """A ConvNorm prepared for inference: the same call, one fused operation, no normalization."""

    def __init__(self, layer: ConvNorm, dtype: torch.dtype) -> None:
        super().__init__()
        weight, bias = layer.folded()
        self.conv = PackedConv(weight.to(dtype), bias.to(dtype), [weight.shape[2] // 2] * 2)

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        return self.conv(x, residual, True)


class FusedHex(nn.Module):
    """A HexLayer prepared for inference: two convolutions, the second adds and activates."""

    def __init__(self, layer: HexLayer, dtype: torch.dtype) -> None:
        super().__init__()
        self.relu = layer.relu
        bias = None if layer.bias is None else layer.bias.detach().to(dtype)
        self.sides = PackedConv(layer.sides.detach().to(dtype), None, SIDES_PADDING, SIDES_DILATION)
        self.column = PackedConv(layer.column.detach().to(dtype), bias, COLUMN_PADDING)

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        return self.column(x, self.sides(lower_odd_columns(x), residual, False), self.relu)


def frozen_copy(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """Copy the module to the device, in evaluation mode, fused, sharing nothing."""
    frozen = copy.deepcopy(module).eval().requires_grad_(False).to(device())
    for parent in list(frozen.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, ConvNorm):
                setattr(parent, name, FoldedConv(child, dtype))
            elif isinstance(child, HexLayer):
                setattr(parent, name, FusedHex(child, dtype))
    return frozen.to(dtype)
