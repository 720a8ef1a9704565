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
from torch.optim import Optimizer

Tensors = dict[str, Tensor]
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


def named_arrays(module: nn.Module) -> dict[str, npt.NDArray[Any]]:
    """A network's state as arrays that can travel; on the CPU they share the network's memory."""
    return {name: tensor.cpu().numpy() for name, tensor in module.state_dict().items()}


def load_arrays(module: nn.Module, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Give a network the state of another of its kind."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})


def optimiser_tensors(optimiser: Optimizer) -> Tensors:
    """What an optimiser remembers of its steps; its settings belong to the settings."""
    states = optimiser.state_dict()["state"]
    return {f"{index}.{key}": t for index, state in states.items() for key, t in state.items()}


def restore_optimiser(optimiser: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Take up exactly where `optimiser_tensors` left off."""
    states: dict[int, Tensors] = {}
    for name, tensor in tensors.items():
        index, key = name.split(".", 1)
        states.setdefault(int(index), {})[key] = tensor
    groups = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": states, "param_groups": groups})
