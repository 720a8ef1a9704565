"""Calls of compiled code at almost no cost, for kernels that take bundles of arrays.

From Python, Numba's dispatcher inspects every argument of every call; for bundles of a dozen arrays
that takes longer than a small kernel runs. From another kernel, a bundle is copied word by word.
"""

from __future__ import annotations

from typing import Any

from numba.core.dispatcher import Dispatcher

from stratagem.core.compile import Kernel


def inlined(kernel: Kernel) -> Kernel:
    """Inline this kernel into the kernels that call it, so that nothing is copied. A decorator."""
    if isinstance(kernel, Dispatcher):
        kernel.targetoptions["forceinline"] = True
    return kernel


def direct(kernel: Kernel, *examples: Any) -> Kernel:
    """Return the compiled code of `kernel` for arguments of the same types as `examples`.

    Calls are not checked: arguments of other types are misread. Arrays must agree with the example
    in element type, number of axes and layout; their shapes may differ. With the JIT off, this
    returns the kernel itself.
    """
    if not isinstance(kernel, Dispatcher):
        return kernel
    compiled: Kernel = kernel.compile(tuple(kernel.typeof_pyval(one) for one in examples))
    return compiled
