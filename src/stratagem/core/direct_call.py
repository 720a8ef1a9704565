"""Calls of compiled code that cost next to nothing, for kernels that take bundles of arrays.

From Python, Numba's dispatcher inspects every argument of every call; for bundles of a dozen arrays
that takes longer than a small kernel runs. From another kernel, a bundle is copied word by word.
"""

from __future__ import annotations

from typing import Any

from numba.core.dispatcher import Dispatcher

from stratagem.core.compile import Kernel


def inlined(kernel: Kernel) -> Kernel:
    """Make kernels that call this one contain it: nothing is copied. Decorates a kernel."""
    if isinstance(kernel, Dispatcher):
        kernel.targetoptions["forceinline"] = True
    return kernel


def direct(kernel: Kernel, *examples: Any) -> Kernel:
    """The compiled code of `kernel` for arguments of the same types as `examples`.

    Nothing is checked in a call: arguments of other types are misread. Arrays must agree with the
    example in element type, number of axes and layout; their shapes are free. With the JIT off this
    is the kernel itself.
    """
    if not isinstance(kernel, Dispatcher):
        return kernel
    compiled: Kernel = kernel.compile(tuple(kernel.typeof_pyval(one) for one in examples))
    return compiled
