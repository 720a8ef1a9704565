"""Numbers that are not finite end a run: nothing learned with them may be saved or play."""

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
    """Refuse to go on with a loss that is not a number."""
    for name, value in losses.items():
        if not math.isfinite(value):
            raise Diverged(f"iteration {iteration}: the loss {name!r} is {value}: {_FIX}")


def check_tensors(tensors: Mapping[str, Tensor], iteration: int) -> None:
    """Refuse to save weights, statistics or an optimiser's memory that are not finite."""
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise Diverged(f"iteration {iteration}: {name} is no longer finite: {_FIX}")


def check_inputs(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Where a loss is not finite: is what the network was shown to blame?"""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise Diverged(f"{name} given to the network are not finite: check the game's encoding")


_FIX = "nothing of it was saved; lower the learning rate, or resume from the last checkpoint"
