"""Connect Four as planes: own discs, the other side's discs, and ones."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def observe(s, seat, options, out):
    rows = s["rows"]
    columns = s["columns"]
    plane = rows * columns
    for side in range(2):
        discs = s["discs"][seat if side == 0 else 1 - seat]
        for column in range(columns):
            for row in range(s["height"][column]):
                if (discs >> np.uint64(column * (rows + 1) + row)) & _ONE != _ZERO:
                    out[side * plane + (rows - 1 - row) * columns + column] = 1.0
    for cell in range(plane):
        out[2 * plane + cell] = 1.0


def spec(scenario, options):
    shape = (3, scenario.rows, scenario.columns)
    return ObservationSpec((ObservationSlice("board", shape, "planes"),))
