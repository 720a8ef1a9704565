"""Several decisions from one encoding, step by step with a key-value cache: NumPy in, NumPy out.

A slot is a game. `begin` encodes the positions of some slots and decides their first step; `go_on`
decides a further step of slots that have begun, from the previous action and what has been chosen
so far. Networks that cannot do this encode every step.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from stratagem.core.specs import ObservationSpec
from stratagem.nets.device import device, to_array, to_device
from stratagem.nets.engine import AnyEngine
from stratagem.nets.inference.fused import frozen_copy
from stratagem.nets.inference.memory import keep_freed_memory
from stratagem.nets.inference.network import InferenceNetwork
from stratagem.nets.inference.runner import TYPES, Array, Precision
from stratagem.nets.kinds.regions import Memory, RegionNetwork

Rows = npt.NDArray[np.int64]  # slots


@runtime_checkable
class Stepper(Protocol):
    """A network that plays several games, remembering the state of each."""

    def begin(self, rows: Rows, observations: Array) -> tuple[Array, Array]:
        """Encode these slots anew; return (logits [B, A], values [B, V])."""

    def go_on(self, rows: Rows, observations: Array, previous: Rows) -> Array:
        """Return logits [B, A] of a further step; `previous` [B] are the actions just taken."""


def make_stepper(
    module: nn.Module,
    observation: ObservationSpec,
    slots: int,
    length: int,
    precision: Precision,
    engine: AnyEngine = "auto",
) -> Stepper:
    """Return a stepper for `slots` games, with at most `length` steps from one encoding."""
    if isinstance(module, RegionNetwork) and length > 1:
        return CachedStepper(module, observation, slots, min(length, module.steps), precision)
    return FreshStepper(InferenceNetwork(module, observation, precision=precision, engine=engine))


class FreshStepper:
    """Every step is encoded; nothing is remembered."""

    def __init__(self, network: InferenceNetwork) -> None:
        self._network = network

    def begin(self, rows: Rows, observations: Array) -> tuple[Array, Array]:
        return self._network(observations)

    def go_on(self, rows: Rows, observations: Array, previous: Rows) -> Array:
        return self._network(observations)[0]


class CachedStepper:
    """Keeps each slot's encoded position, and the keys and values of its steps so far."""

    def __init__(
        self,
        module: RegionNetwork,
        observation: ObservationSpec,
        slots: int,
        length: int,
        precision: Precision,
    ) -> None:
        keep_freed_memory()
        torch.set_num_threads(1)  # see InferenceNetwork
        self.observation = observation
        self.slots, self.length = slots, length
        self._dtype = TYPES[precision]
        frozen: Any = frozen_copy(module, self._dtype)
        self._module: RegionNetwork = frozen
        self._memory: list[Tensor] = []  # each [slots, ...]: tiles, keys, cross keys and values
        self._past: list[Tensor] = []  # each [slots, heads, length, width / heads]
        self._index = torch.zeros(0, dtype=torch.long, device=device())
        self._steps = torch.zeros(slots, dtype=torch.long, device=device())

    def begin(self, rows: Rows, observations: Array) -> tuple[Array, Array]:
        with torch.inference_mode():
            seen, slots = self._tensor(observations), to_device(rows)
            memory = self._module.encode(seen)
            chosen = self._module.decoder.tokens.chosen(seen)[:, None]
            logits, fresh = self._module.decode(memory, chosen, None, None, 0)
            self._keep(slots, memory)
            self._steps[slots] = 0
            self._add([part for pair in fresh for part in pair], slots)
            return to_array(logits[:, 0]), to_array(memory.values)

    def go_on(self, rows: Rows, observations: Array, previous: Rows) -> Array:
        with torch.inference_mode():
            slots = to_device(rows)
            steps = self._steps[slots]
            if int(steps.max()) >= self.length:
                raise ValueError(f"more than {self.length} steps from one encoding")
            chosen = self._module.decoder.tokens.chosen(self._tensor(observations))[:, None]
            longest = int(steps.max())
            attended = torch.arange(longest + 1, device=device()) < steps[:, None]  # [B, past + 1]
            attended[:, -1] = True
            past = [part[slots, :, :longest] for part in self._past]
            logits, fresh = self._module.decode(
                self._recall(slots),
                chosen,
                to_device(previous)[:, None],
                tuple(zip(past[::2], past[1::2], strict=True)),
                steps,
                attended[:, None, None],
            )
            self._add([part for pair in fresh for part in pair], slots)
            return to_array(logits[:, 0])

    def _tensor(self, observations: Array) -> Tensor:
        return to_device(np.require(observations, np.float32, ["C", "W"])).to(self._dtype)

    def _keep(self, slots: Tensor, memory: Memory) -> None:
        """Store encoded positions in their slots."""
        crossing = (part for pair in memory.cross for part in pair)
        parts = [memory.tiles, memory.keys, *crossing]
        if not torch.equal(memory.nodes, self._index):  # the first call, or another scenario
            self._index = memory.nodes
            self._memory = [part.new_zeros(self.slots, *part.shape[1:]) for part in parts]
        for kept, part in zip(self._memory, parts, strict=True):
            kept[slots] = part

    def _recall(self, slots: Tensor) -> Memory:
        tiles, keys, *crossing = (part[slots] for part in self._memory)
        cross = tuple(zip(crossing[::2], crossing[1::2], strict=True))
        return Memory(tiles, self._index, keys, cross, tiles.new_zeros(len(slots), 0))

    def _add(self, fresh: list[Tensor], slots: Tensor) -> None:
        """Append the keys and values of the step just decided."""
        if not self._past:
            self._past = [
                part.new_zeros(self.slots, part.shape[1], self.length, part.shape[3])
                for part in fresh
            ]
        steps = self._steps[slots]
        for kept, part in zip(self._past, fresh, strict=True):
            kept[slots, :, steps] = part[:, :, 0]
        self._steps[slots] = steps + 1
