"""Lines on the board, as bitboards (state.py has the layout)."""

import numpy as np

from stratagem.core.compile import kernel

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def line_gaps(discs, rows, connect):
    """Return cells that would complete a line of these discs; some are taken or off the board."""
    height = np.uint64(rows + 1)
    if connect == 4:
        found = (discs << _ONE) & (discs << np.uint64(2)) & (discs << np.uint64(3))
        found |= four_gaps(discs, height)
        found |= four_gaps(discs, height - _ONE)
        found |= four_gaps(discs, height + _ONE)
    else:
        found = gaps(discs, _ONE, connect)
        found |= gaps(discs, height, connect)
        found |= gaps(discs, height - _ONE, connect)
        found |= gaps(discs, height + _ONE, connect)
    return found


@kernel
def four_gaps(discs, shift):
    """Return cells in a line of four whose other cells are all set; a faster `gaps`."""
    before, after = discs << shift, discs >> shift
    two_before, two_after = before & (before << shift), after & (after >> shift)
    both = two_before & ((before << (shift + shift)) | after)
    return both | (two_after & ((after >> (shift + shift)) | before))


@kernel
def gaps(discs, shift, connect):
    """Return cells in a line of `connect` whose other cells are all set."""
    found = _ZERO
    for gap in range(connect):
        line = ~_ZERO
        for place in range(connect):
            if place < gap:
                line &= discs << (shift * np.uint64(gap - place))
            elif place > gap:
                line &= discs >> (shift * np.uint64(place - gap))
        found |= line
    return found
