"""Keeps freed memory inside the process, so that activations do not cost page faults.

The C library returns large freed blocks to the system, and a network that allocates the same
activations at every call pays for them again and again: up to 15 % of inference time, as measured
(docs/results/networks-notes.md).
"""

from __future__ import annotations

import ctypes
import functools

_TRIM_THRESHOLD = -1  # mallopt's parameter: return memory when this much is free at the top
_MMAP_THRESHOLD = -3  # mallopt's parameter: ask the system directly for blocks larger than this
_KEPT_BYTES = 256 << 20
_LARGEST_OWN_BLOCK = 32 << 20  # the most that glibc accepts


@functools.cache
def keep_freed_memory() -> bool:
    """Let this process keep up to 256 MiB of freed memory; return False if that is impossible."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # not glibc
        return False
    trimmed = mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
    return bool(trimmed and mallopt(_MMAP_THRESHOLD, _LARGEST_OWN_BLOCK))
