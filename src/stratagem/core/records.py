"""Records picked, put and gathered byte by byte.

NumPy copies structured elements field by field: for a record of seventy fields that takes fifty
times as long as copying its bytes. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Records = npt.NDArray[np.void]  # [M] of any structured type
Rows = npt.NDArray[np.int64]


def as_bytes(records: Records) -> npt.NDArray[np.uint8]:
    """The same memory as [M, bytes per record]."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def gather(parts: Iterable[np.void], dtype: np.dtype[np.void]) -> Records:
    """An array of single records."""
    return np.frombuffer(bytearray(b"".join(part.tobytes() for part in parts)), dtype)


def take(records: Records, rows: Rows) -> Records:
    """A copy of records[rows]."""
    copies = as_bytes(records)[rows]
    return copies.reshape(-1).view(records.dtype)


def put(records: Records, rows: Rows, values: Records) -> None:
    """records[rows] = values, both of one type."""
    if records.dtype != values.dtype:
        raise TypeError(f"records of two types: {records.dtype} and {values.dtype}")
    as_bytes(records)[rows] = as_bytes(values)
