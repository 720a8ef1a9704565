"""A hint to the processor: this memory will be needed soon.

Between two rounds of a search the network pushes everything else out of the caches. What the next
leaf needs is known while the current one is processed, and asking for it early hides most of the
wait. It never changes a result.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LINE = 64  # bytes fetched together


def _declare(typing: Any, array: Any, row: Any, column: Any) -> Any:
    """Compile to one instruction; an index beyond the array is harmless."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, args[0])
        places = [
            context.cast(builder, arg, given, types.intp)
            for arg, given in zip(args[1:], signature.args[1:], strict=True)
        ]
        item = cgutils.get_item_pointer(context, builder, kind, view, places, wraparound=False)
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", (byte,), shape)
        # For reading, keep it in every cache, data (not instructions).
        builder.call(hint, [builder.bitcast(item, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, row, column), generate


def _nothing(array: Any, row: Any, column: Any) -> None:
    """What is left of a hint where nothing is compiled."""


def _make() -> Any:
    if numba.config.DISABLE_JIT:
        return _nothing
    made = intrinsic(_declare)
    # Closures over kernels that use it are found in the disk cache by what they capture; a random
    # identity would differ in every process.
    made._set_uuid(__name__)
    return made


prefetch = _make()
