"""Connect Four as planes, top row first.

`planes`: own discs, the other side's discs, ones. `threats` adds what follows from them: empty
cells that would complete an own line, those that would complete the other side's, the cells that a
disc can reach now, and the rows that are this seat's when the other one always drops on top of its
disc (the first, third and fifth from below for the first seat).
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.connect_four.board import line_gaps

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def observe(s, seat, options, out):
    write_plane(s, s["discs"][seat], out, 0)
    write_plane(s, s["discs"][1 - seat], out, 1)
    plane = s["rows"] * s["columns"]
    out[2 * plane : 3 * plane] = 1.0


@kernel
def observe_threats(s, seat, options, out):
    observe(s, seat, options, out)
    taken = s["discs"][0] | s["discs"][1]
    write_plane(s, line_gaps(s["discs"][seat], s["rows"], s["connect"]) & ~taken, out, 3)
    write_plane(s, line_gaps(s["discs"][1 - seat], s["rows"], s["connect"]) & ~taken, out, 4)
    plane = s["rows"] * s["columns"]
    for column in range(s["columns"]):
        row = s["height"][column]
        if row < s["rows"]:
            out[5 * plane + (s["rows"] - 1 - row) * s["columns"] + column] = 1.0
        for row in range(seat, s["rows"], 2):
            out[6 * plane + (s["rows"] - 1 - row) * s["columns"] + column] = 1.0


@kernel
def write_plane(s, cells, out, index):
    """Ones where a bitboard has cells, in plane number `index`."""
    rows, columns = s["rows"], s["columns"]
    for column in range(columns):
        for row in range(rows):
            if (cells >> np.uint64(column * (rows + 1) + row)) & _ONE != _ZERO:
                out[index * rows * columns + (rows - 1 - row) * columns + column] = 1.0


def spec(scenario, options):
    return _planes(3, scenario)


def threats_spec(scenario, options):
    return _planes(7, scenario)


def _planes(count, scenario):
    shape = (count, scenario.rows, scenario.columns)
    return ObservationSpec((ObservationSlice("board", shape, "planes"),))
