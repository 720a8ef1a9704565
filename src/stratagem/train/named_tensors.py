"""The state of a learner as a flat dictionary of named tensors, and back again.

Names are dotted paths, so that the networks, optimisers and counters of every algorithm fit into
one file of a checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy.typing as npt
import torch
from torch import Tensor, nn

Tensors = dict[str, Tensor]
Weights = Mapping[str, npt.NDArray[Any]]  # a network's state, ready to be sent to workers
Value = TypeVar("Value")


def add_prefix(named: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    """Prepend a prefix to every name."""
    return {prefix + name: value for name, value in named.items()}


def strip_prefix(named: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    """Return the entries whose names begin with the prefix, without it."""
    return {n.removeprefix(prefix): t for n, t in named.items() if n.startswith(prefix)}


def on_cpu(named: Mapping[str, Tensor]) -> Tensors:
    """Copy to the CPU for a checkpoint, which belongs to no device."""
    return {name: t.detach().to("cpu", copy=True).contiguous() for name, t in named.items()}


def named_arrays(module: nn.Module) -> Weights:
    """Return a network's state as arrays to send; on the CPU they share the network's memory."""
    return {name: tensor.cpu().numpy() for name, tensor in module.state_dict().items()}


def load_arrays(module: nn.Module, arrays: Weights) -> None:
    """Load the state of another network of the same kind into a network."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
