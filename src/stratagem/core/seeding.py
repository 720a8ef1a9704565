"""Seeds: one root number, and a named path to everything random that grows from it.

There is no global generator. Whoever needs randomness derives its own seed from the root seed and
the names of what it is for, so adding a consumer never shifts the numbers of another.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

Seeds = npt.NDArray[np.uint64]


def derive_seed(root: int, *path: str | int) -> int:
    """A 64-bit seed for the thing named by `path`, different for each root and path."""
    text = "/".join([str(int(root)), *map(str, path)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def derive_seeds(root: int, *path: str | int, count: int) -> Seeds:
    """`count` well-mixed 64-bit words for the things named by `path`."""
    sequence = np.random.SeedSequence(derive_seed(root, *path))
    words: Seeds = sequence.generate_state(count, np.uint64).astype(np.uint64, copy=False)
    return words


def derive_generator(root: int, *path: str | int) -> np.random.Generator:
    """A NumPy generator for the thing named by `path`."""
    return np.random.Generator(np.random.PCG64(derive_seed(root, *path)))
