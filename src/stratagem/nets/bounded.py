"""Builds networks from untrusted cards without using more memory than their weights need.

A card may ask for ten million blocks. Parameters are counted while the network is built, and
building stops when there are more than the weights beside the card can fill.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook

from stratagem.core.errors import BadCheckpoint

_TIED = 4  # a parameter may be registered under several names
_SPARE = 100_000


@contextmanager
def at_most_parameters(saved: int) -> Iterator[None]:
    """During the block, this thread may register about as many numbers as were saved."""
    thread, most, found = threading.get_ident(), _TIED * saved + _SPARE, 0

    def count(module: nn.Module, name: str, parameter: nn.Parameter | None) -> None:
        nonlocal found
        if parameter is None or threading.get_ident() != thread:
            return
        found += parameter.numel()
        if found > most:
            raise BadCheckpoint(f"its card needs more than the {saved:,} numbers in its weights")

    handle = register_module_parameter_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()
