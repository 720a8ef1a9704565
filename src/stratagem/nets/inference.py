"""The fastest way this machine has to run a network forward: NumPy in, NumPy out.

Batch normalization is folded into its convolution; convolution, bias, residual sum and ReLU
become one oneDNN call on prepacked weights; everything runs channels-last in inference mode. The
measurements behind these choices are in docs/algorithms/networks.md. TorchScript is not used: it
is deprecated, and gains nothing at the batch sizes of self-play.
"""

from __future__ import annotations

import copy
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSpec
from stratagem.nets.layers import ConvNorm
from stratagem.nets.memory import keep_freed_memory

Precision = Literal["float32", "bfloat16"]
Array = npt.NDArray[np.float32]

_TYPES: dict[Precision, torch.dtype] = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_LARGEST_CHUNK = 256  # positions; beyond it the activations of a 7x7 board leave the cache
_SMALLEST_FUSED = 8  # positions; below it the plain convolution starts sooner
_ONES = [1, 1]  # stride and dilation of every convolution


class FoldedConv(nn.Module):
    """A ConvNorm ready for inference: the same call, one fused operation, no normalization."""

    def __init__(self, layer: ConvNorm, dtype: torch.dtype) -> None:
        super().__init__()
        weight, bias = layer.folded()
        self.padding = [weight.shape[2] // 2] * 2
        self.bias = bias.to(dtype)
        self.weight = weight.to(dtype).contiguous(memory_format=torch.channels_last)
        self.packed: Tensor | None = None
        if torch._C._has_mkldnn:
            self.packed = torch.ops.mkldnn._reorder_convolution_weight(
                self.weight, self.padding, _ONES, _ONES, 1, None
            )

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        if self.packed is None or len(x) < _SMALLEST_FUSED:
            return self._plain(x, residual)
        where = (self.packed, self.bias, self.padding, _ONES, _ONES, 1)
        fused: Tensor
        if residual is None:
            fused = torch.ops.mkldnn._convolution_pointwise(x, *where, "relu", [], "")
        elif residual.shape[2:] == x.shape[2:]:
            fused = torch.ops.mkldnn._convolution_pointwise.binary(
                x, residual, *where, "add", 1.0, "relu", [], ""
            )
        else:  # a bias per filter: oneDNN's fused sum wants full planes
            return self._plain(x, residual)
        return fused

    def _plain(self, x: Tensor, residual: Tensor | None) -> Tensor:
        y = functional.conv2d(x, self.weight, self.bias, padding=self.padding)
        return (y if residual is None else y.add_(residual)).relu_()


class InferenceNetwork:
    """A frozen copy of a network, callable on observations [B, D] float32.

    Returns (logits [B, A], values [B, V]) as float32 arrays. The same batch gives the same bits
    every time; the same position inside another batch may differ in the last bits. `bfloat16`
    is about twice as fast where the processor has AVX512-BF16, and keeps about three digits.
    """

    def __init__(
        self,
        module: nn.Module,
        observation: ObservationSpec,
        *,
        precision: Precision = "float32",
    ) -> None:
        if precision not in _TYPES:
            raise BadSetting(f"precision {precision!r}: choose one of {', '.join(_TYPES)}")
        keep_freed_memory()
        # One thread per network, several networks in several threads: with small batches OpenMP's
        # threads wait for each other, and on a busy machine they hardly do anything else.
        torch.set_num_threads(1)
        self.observation = observation
        self.precision = precision
        self.refresh(module)

    def refresh(self, module: nn.Module) -> None:
        """Take the module's present weights; later training does not reach this copy."""
        self._module = _frozen_copy(module, _TYPES[self.precision])

    def __call__(self, observations: Array) -> tuple[Array, Array]:
        """(logits [B, A], values [B, V]) of flat observations [B, D]."""
        count, size = observations.shape
        if size != self.observation.size:
            raise ValueError(f"observations have {size} numbers, not {self.observation.size}")
        if count == 0:
            logits, values = self(np.zeros((1, size), np.float32))
            return logits[:0], values[:0]
        num_chunks = -(-count // _LARGEST_CHUNK)
        if num_chunks == 1:
            return self._run(observations)
        parts = [self._run(chunk) for chunk in np.array_split(observations, num_chunks)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _run(self, observations: Array) -> tuple[Array, Array]:
        # torch refuses read-only memory with a warning; nothing here writes, but copy to be safe.
        wanted = np.require(observations, np.float32, ["C", "W"])
        with torch.inference_mode():
            batch = torch.from_numpy(wanted).to(_TYPES[self.precision])
            output = self._module(batch)
            return output.logits.float().numpy(), output.values.float().numpy()


def choose_precision(wanted: Literal["auto", "float32", "bfloat16"]) -> Precision:
    """`auto` becomes bfloat16 where the processor multiplies it natively, else float32."""
    if wanted != "auto":
        return wanted
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"


def _frozen_copy(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """The module in evaluation mode with every ConvNorm folded, sharing nothing with it."""
    frozen = copy.deepcopy(module).eval().requires_grad_(False)
    for parent in list(frozen.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, ConvNorm):
                setattr(parent, name, FoldedConv(child, dtype))
    return frozen.to(dtype)
