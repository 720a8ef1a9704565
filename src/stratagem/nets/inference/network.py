"""The fastest way to run a network forward on this machine: NumPy in, NumPy out.

`engine.py` decides whether OpenVINO or torch runs a network; this module is the same for both:
copies of the weights, batches cut into parts, and only the tokens of legal actions.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from torch import nn

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSpec
from stratagem.nets.device import on_card
from stratagem.nets.engine import AnyEngine, choose_engine, plan_for
from stratagem.nets.inference.graph import bind_graph
from stratagem.nets.inference.legal_tokens import run_packed
from stratagem.nets.inference.memory import keep_freed_memory
from stratagem.nets.inference.runner import TYPES, Array, Precision, Runner, TorchRunner
from stratagem.nets.layers.slices import SliceReader
from stratagem.nets.output import HasActionTokens, Iterated

_LARGEST_ON_CARD = 4096  # positions that fit into a small GPU
_LARGEST_CHUNK = 256  # positions on torch; more would push activations out of the cache


class InferenceNetwork:
    """A frozen copy of a network, callable on observations [B, D] float32.

    Returns (logits [B, A], values [B, V]) as float32 arrays. The same batch gives the same bits
    every time; the same position in another batch may differ in the last bits. `bfloat16` is about
    twice as fast on processors with AVX512-BF16, and keeps about three digits. `iterations` changes
    how often a recurrent network repeats itself. A network with a token for every action computes
    only those of legal actions; the others' logits are 0.
    """

    def __init__(
        self,
        module: nn.Module,
        observation: ObservationSpec,
        *,
        precision: Precision = "float32",
        iterations: int | None = None,
        engine: AnyEngine = "auto",
    ) -> None:
        if precision not in TYPES:
            raise BadSetting(f"precision {precision!r}: choose one of {', '.join(TYPES)}")
        keep_freed_memory()
        # One thread per network, several networks in several threads: with small batches OpenMP's
        # threads wait for each other, and on a busy machine they do hardly anything else.
        torch.set_num_threads(1)
        self.observation = observation
        self.precision = precision
        self._wanted = choose_engine(engine)
        self._iterations = iterations
        self.refresh(module)

    def refresh(self, module: nn.Module) -> None:
        """Take the module's current weights; later training does not change this copy."""
        if self._iterations is not None:
            if not isinstance(module, Iterated):
                raise BadSetting("iterations: this kind of network is not iterative, leave it out")
            if self._iterations < 1:
                raise BadSetting(f"iterations {self._iterations}: write 1 or more")
            module = copy.copy(module)
            module.iterations = self._iterations
        self._tokens = _action_tokens(module)
        self.engine, self._chunk, self._run = self._prepare(module)

    def __call__(self, observations: Array) -> tuple[Array, Array]:
        """Return (logits [B, A], values [B, V]) for flat observations [B, D]."""
        count, size = observations.shape
        if size != self.observation.size:
            raise ValueError(f"observations have {size} numbers, not {self.observation.size}")
        if count == 0:
            logits, values = self(np.zeros((1, size), np.float32))
            return logits[:0], values[:0]
        # torch warns about read-only memory; nothing here writes, but copy to be safe.
        wanted = np.require(observations, np.float32, ["C", "W"])
        if self._tokens is not None:
            return run_packed(self._run, wanted, self._tokens, self._chunk)
        if count <= self._chunk:
            return self._run(wanted, None)
        cuts = range(self._chunk, count, self._chunk)
        parts = [self._run(chunk, None) for chunk in np.split(wanted, cuts)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _prepare(self, module: nn.Module) -> tuple[str, int, Runner]:
        """Return (engine, positions per call, runner)."""
        if on_card():
            return "torch", _LARGEST_ON_CARD, TorchRunner(module, self.precision)
        plan = plan_for(module) if self._wanted == "openvino" else None
        native = self.precision == "float32" or torch.cpu._is_avx512_bf16_supported()
        if plan is not None and native:
            shape: Any = None if self._tokens is None else self._tokens.shape
            size, sizes = self.observation.size, plan.sizes
            runner = bind_graph(module, size, shape, self.precision, sizes)
            if runner is not None:
                return "openvino", plan.chunk, runner
        return "torch", _LARGEST_CHUNK, TorchRunner(module, self.precision)


def _action_tokens(module: nn.Module) -> SliceReader | None:
    return module.actions if isinstance(module, HasActionTokens) else None
