"""Seeds: one root number, and a named path to every use of randomness.

There is no global generator. Code that needs randomness derives its own seed from the root seed and
the names of its purpose, so adding a consumer never shifts the numbers of another.
"""

from __future__ import annotations

import hashlib
import operator

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadSetting

Seeds = npt.NDArray[np.uint64]


def derive_seed(root: int, *path: str | int) -> int:
    """Return a 64-bit seed for the thing named by `path`, different for each root and path."""
    text = "/".join([str(_whole(root)), *map(str, path)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _whole(root: int) -> int:
    """Return a root as a plain number; 1.5 or "1" would silently be the same root as 1."""
    try:
        number = operator.index(root)
    except TypeError:
        raise BadSetting(f"seed {root!r}: use a whole number") from None
    if number < 0:
        raise BadSetting(f"seed {number}: use a whole number from 0 up")
    return number


def derive_seeds(root: int, *path: str | int, count: int) -> Seeds:
    """Return `count` well-mixed 64-bit seeds for the things named by `path`."""
    sequence = np.random.SeedSequence(derive_seed(root, *path))
    seeds: Seeds = sequence.generate_state(count, np.uint64).astype(np.uint64, copy=False)
    return seeds


def derive_generator(root: int, *path: str | int) -> np.random.Generator:
    """Return a NumPy generator for the thing named by `path`."""
    return np.random.Generator(np.random.PCG64(derive_seed(root, *path)))


def random_seeds(generator: np.random.Generator, count: int) -> Seeds:
    """Return the generator's next `count` seeds; none is zero."""
    return generator.integers(1, 2**64 - 1, count, np.uint64, endpoint=True)


def nth_seeds(streams: Seeds, counts: npt.NDArray[np.int64]) -> Seeds:
    """Return the n-th seed of each stream, [B]: SplitMix64's output function (Steele 2014)."""
    # Wrapping multiplication is intended; NumPy wraps arrays silently.
    word = streams + (counts.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Seeds = word ^ (word >> np.uint64(31))
    return mixed
