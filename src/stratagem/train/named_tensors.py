"""The state of a learner as one flat folder of named tensors, and back again.

Names are paths with dots, so that networks, optimisers and counters of every algorithm fit into
one file of a checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy.typing as npt
import torch
from torch import Tensor, nn

Tensors = dict[str, Tensor]
Weights = Mapping[str, npt.NDArray[Any]]  # a network's state, ready to travel
Value = TypeVar("Value")


def add_prefix(named: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    """Everything under a longer name."""
    return {prefix + name: value for name, value in named.items()}


def strip_prefix(named: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    """What has a name that begins with the prefix, under the rest of the name."""
    return {n.removeprefix(prefix): t for n, t in named.items() if n.startswith(prefix)}


def on_cpu(named: Mapping[str, Tensor]) -> Tensors:
    """Copies for a checkpoint, which belongs to no device."""
    return {name: t.detach().to("cpu", copy=True).contiguous() for name, t in named.items()}


def named_arrays(module: nn.Module) -> Weights:
    """A network's state as arrays that can travel; on the CPU they share the network's memory."""
    return {name: tensor.cpu().numpy() for name, tensor in module.state_dict().items()}


def load_arrays(module: nn.Module, arrays: Weights) -> None:
    """Give a network the state of another of its kind."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
