"""Builds networks without using more memory than their weights need, or than this machine has.

A card or a setting may ask for ten million blocks. Parameters are counted while the network is
built, before they get their values, and building stops when there are too many.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook

from stratagem.core.errors import BadCheckpoint, BadSetting

_TIED = 4  # a parameter may be registered under several names
_SPARE = 100_000
_LEARNING = 16  # bytes that learning takes for each: itself, its gradient, and Adam's two averages
_MOST_TENSORS = 20_000  # a network in so many pieces would take minutes to build


@contextmanager
def at_most_parameters(saved: int) -> Iterator[None]:
    """During the block, this thread may register about as many numbers as were saved."""

    def check(numbers: int, tensors: int) -> None:
        if numbers > _TIED * saved + _SPARE:
            raise BadCheckpoint(f"its card needs more than the {saved:,} numbers in its weights")

    with _counted(check):
        yield


def too_large(kind: str) -> BadSetting:
    return BadSetting(f"network {kind}: too large for this machine: lower its settings")


@contextmanager
def within_memory(kind: str) -> Iterator[None]:
    """During the block, this thread may register what this machine could train."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def check(numbers: int, tensors: int) -> None:
        if numbers * _LEARNING > memory or tensors > _MOST_TENSORS:
            raise too_large(kind)

    with _counted(check):
        yield


@contextmanager
def _counted(check: Callable[[int, int], None]) -> Iterator[None]:
    """Calls `check` with the numbers and tensors that this thread has registered so far."""
    thread, numbers, tensors = threading.get_ident(), 0, 0

    def count(module: nn.Module, name: str, parameter: nn.Parameter | None) -> None:
        nonlocal numbers, tensors
        if parameter is not None and threading.get_ident() == thread:
            numbers, tensors = numbers + parameter.numel(), tensors + 1
            check(numbers, tensors)

    handle = register_module_parameter_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()
