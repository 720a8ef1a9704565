"""Connect Four as planes, top row first.

`planes`: own discs, the other side's discs, ones. `threats` adds what follows from them: empty
cells that would complete an own line, those that would complete the other side's, the cells that
can be filled now, and the rows that this seat gets if the other side always plays on top of its
discs (the first, third and fifth from below for the first seat).
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
    plane = int(s["rows"]) * int(s["columns"])
    out[2 * plane : 3 * plane] = 1.0


@kernel
def observe_threats(s, seat, options, out):
    observe(s, seat, options, out)
    taken = s["discs"][0] | s["discs"][1]
    write_plane(s, line_gaps(s["discs"][seat], s["rows"], s["connect"]) & ~taken, out, 3)
    write_plane(s, line_gaps(s["discs"][1 - seat], s["rows"], s["connect"]) & ~taken, out, 4)
    rows, columns = int(s["rows"]), int(s["columns"])
    for column in range(columns):
        if s["height"][column] < rows:
            out[cell_in(5, rows, columns, int(s["height"][column]), column)] = 1.0
        for row in range(seat, rows, 2):
            out[cell_in(6, rows, columns, row, column)] = 1.0


@kernel
def write_plane(s, cells, out, index):
    """Write ones to plane `index` for the cells of a bitboard."""
    rows, columns = int(s["rows"]), int(s["columns"])
    for column in range(columns):
        for row in range(rows):
            if (cells >> np.uint64(column * (rows + 1) + row)) & _ONE != _ZERO:
                out[cell_in(index, rows, columns, row, column)] = 1.0


@kernel
def cell_in(index, rows, columns, row, column):
    """Return the index in the observation of a cell of plane `index`."""
    return (index * rows + rows - 1 - row) * columns + column


def spec(scenario, options):
    shape = (3, scenario.rows, scenario.columns)
    return ObservationSpec((ObservationSlice("board", shape, "planes"),))


def threats_spec(scenario, options):
    shape = (7, scenario.rows, scenario.columns)
    return ObservationSpec((ObservationSlice("board", shape, "planes"),))
