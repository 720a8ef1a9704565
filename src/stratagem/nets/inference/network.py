"""The fastest way this machine has to run a network forward: NumPy in, NumPy out.

Batch normalization is folded into its convolution; convolution, bias, residual sum and ReLU
become one oneDNN call on prepacked weights; everything runs channels-last in inference mode. The
measurements behind these choices are in docs/algorithms/networks.md. TorchScript is not used: it
is deprecated, and gains nothing at the batch sizes of self-play.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSpec
from stratagem.nets.device import has_bfloat16, on_card, to_array, to_device
from stratagem.nets.inference.fused import frozen_copy
from stratagem.nets.inference.memory import keep_freed_memory
from stratagem.nets.output import Iterated

Precision = Literal["float32", "bfloat16"]
Array = npt.NDArray[np.float32]

_TYPES: dict[Precision, torch.dtype] = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_LARGEST_ON_CARD = 4096  # positions; what a small card has room for
_LARGEST_CHUNK = 256  # positions; beyond it the activations of a 7x7 board leave the cache


class InferenceNetwork:
    """A frozen copy of a network, callable on observations [B, D] float32.

    Returns (logits [B, A], values [B, V]) as float32 arrays. The same batch gives the same bits
    every time; the same position inside another batch may differ in the last bits. `bfloat16`
    is about twice as fast where the processor has AVX512-BF16, and keeps about three digits.
    `iterations` changes how often a recurrent network repeats itself.
    """

    def __init__(
        self,
        module: nn.Module,
        observation: ObservationSpec,
        *,
        precision: Precision = "float32",
        iterations: int | None = None,
    ) -> None:
        if precision not in _TYPES:
            raise BadSetting(f"precision {precision!r}: choose one of {', '.join(_TYPES)}")
        keep_freed_memory()
        # One thread per network, several networks in several threads: with small batches OpenMP's
        # threads wait for each other, and on a busy machine they hardly do anything else.
        torch.set_num_threads(1)
        self.observation = observation
        self.precision = precision
        self._iterations = iterations
        self.refresh(module)

    def refresh(self, module: nn.Module) -> None:
        """Take the module's present weights; later training does not reach this copy."""
        self._module = frozen_copy(module, _TYPES[self.precision])
        if self._iterations is not None:
            if not isinstance(self._module, Iterated):
                raise BadSetting("iterations: this kind of network repeats nothing, leave it out")
            if self._iterations < 1:
                raise BadSetting(f"iterations {self._iterations}: write 1 or more")
            self._module.iterations = self._iterations

    def __call__(self, observations: Array) -> tuple[Array, Array]:
        """(logits [B, A], values [B, V]) of flat observations [B, D]."""
        count, size = observations.shape
        if size != self.observation.size:
            raise ValueError(f"observations have {size} numbers, not {self.observation.size}")
        if count == 0:
            logits, values = self(np.zeros((1, size), np.float32))
            return logits[:0], values[:0]
        num_chunks = -(-count // (_LARGEST_ON_CARD if on_card() else _LARGEST_CHUNK))
        if num_chunks == 1:
            return self._run(observations)
        parts = [self._run(chunk) for chunk in np.array_split(observations, num_chunks)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _run(self, observations: Array) -> tuple[Array, Array]:
        # torch refuses read-only memory with a warning; nothing here writes, but copy to be safe.
        wanted = np.require(observations, np.float32, ["C", "W"])
        with torch.inference_mode():
            batch = to_device(wanted).to(_TYPES[self.precision])
            output = self._module(batch)
            return to_array(output.logits), to_array(output.values)


def choose_precision(wanted: Literal["auto", "float32", "bfloat16"]) -> Precision:
    """`auto` becomes bfloat16 where the device multiplies it natively, else float32."""
    if wanted != "auto":
        return wanted
    return "bfloat16" if has_bfloat16() else "float32"
