"""Arrays of states, copied byte by byte.

NumPy copies structured elements field by field: for a state of seventy fields, that takes fifty
times as long as copying its bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

States = npt.NDArray[np.void]  # [M] of any structured dtype
Rows = npt.NDArray[np.int64]
Arrays = dict[str, npt.NDArray[np.generic]]  # by name, as checkpoints keep them


def as_bytes(states: States) -> npt.NDArray[np.uint8]:
    """Return the same memory as [M, bytes per state]."""
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


def gather(parts: Iterable[np.void], dtype: np.dtype[np.void]) -> States:
    """Return an array of single states."""
    return np.frombuffer(bytearray(b"".join(part.tobytes() for part in parts)), dtype)


def take(states: States, rows: Rows) -> States:
    """Return a copy of states[rows]."""
    copies = as_bytes(states)[rows]
    return copies.reshape(-1).view(states.dtype)


def put(states: States, rows: Rows, values: States) -> None:
    """Do states[rows] = values, for two arrays of the same dtype."""
    if states.dtype != values.dtype:
        raise TypeError(f"states of different types: {states.dtype} and {values.dtype}")
    as_bytes(states)[rows] = as_bytes(values)
