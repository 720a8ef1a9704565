"""The plain engine: torch with fused layers. Other engines are compared with it.

Batch normalization is folded into its convolution; convolution, bias, residual sum and ReLU become
one oneDNN call on prepacked weights; everything runs channels-last in inference mode.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from stratagem.nets.device import has_bfloat16, to_array, to_device
from stratagem.nets.engine import AnyPrecision
from stratagem.nets.inference.fused import frozen_copy

Precision = Literal["float32", "bfloat16"]
Array = npt.NDArray[np.float32]

TYPES: dict[Precision, torch.dtype] = {"float32": torch.float32, "bfloat16": torch.bfloat16}


class Runner(Protocol):
    """A network with its weights, on one engine."""

    def __call__(self, observations: Array, features: Array | None) -> tuple[Array, Array]:
        """Return (logits, values) for observations [B, D]; features [B, L, F] are of actions."""


class TorchRunner:
    """A network on torch."""

    def __init__(self, module: nn.Module, precision: Precision) -> None:
        self._dtype = TYPES[precision]
        self._module: Any = frozen_copy(module, self._dtype)

    def __call__(self, observations: Array, features: Array | None) -> tuple[Array, Array]:
        with torch.inference_mode():
            batch = self._tensor(observations)
            if features is None:
                output = self._module(batch)
            else:
                output = self._module.decide(batch, self._tensor(features))
            return to_array(output.logits), to_array(output.values)

    def _tensor(self, array: Array) -> Tensor:
        return to_device(array).to(self._dtype)


def choose_precision(wanted: AnyPrecision) -> Precision:
    """Replace `auto` by bfloat16 if the device multiplies it natively, else by float32."""
    if wanted != "auto":
        return wanted
    return "bfloat16" if has_bfloat16() else "float32"
