"""Ends a run when numbers are no longer finite: nothing learned from them may be saved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stratagem.core.errors import Diverged


def check_losses(losses: Mapping[str, float], iteration: int) -> None:
    """Refuse to continue with a loss that is not finite."""
    for name, value in losses.items():
        if not math.isfinite(value):
            raise Diverged(f"iteration {iteration}: the loss {name!r} is {value}: {_FIX}")


def check_tensors(tensors: Mapping[str, Tensor], iteration: int) -> None:
    """Refuse to save weights, statistics or optimiser state that are not finite."""
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise Diverged(f"iteration {iteration}: {name} is no longer finite: {_FIX}")


def check_inputs(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """If a loss is not finite, check whether the network's inputs are to blame."""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise Diverged(f"{name} given to the network are not finite: check the game's encoding")


_FIX = "nothing was saved; lower the learning rate, or resume from the last checkpoint"
