"""Calling compiled code without looking at the types of its arguments each time.

Numba's dispatcher inspects every argument of every call; for bundles of a dozen arrays that takes
longer than a small kernel runs. Whoever calls with the same types again and again can ask once.
"""

from __future__ import annotations

from typing import Any

from numba.core.dispatcher import Dispatcher

from stratagem.core.compile import Kernel


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
