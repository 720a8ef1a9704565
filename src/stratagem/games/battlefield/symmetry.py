"""The symmetries of the board: four mirrorings, and four more that transpose a square one.

Bit 0 of the index flips the rows, bit 1 the columns, bit 2 then swaps rows and columns. Teammates
are never swapped: they act in order, so swapping them would change what an action does.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.battlefield.actions import DIGITS, FIRST_SHOT, digit_of
from stratagem.games.battlefield.board import STRIDE
from stratagem.games.battlefield.state import GONE, PAST, TEAM


@kernel
def symmetry(s, index, out):
    if index == 0:
        return
    for seat in range(2):
        for agent in range(TEAM):
            out["cells"][seat, agent] = turn_cell(s, index, s["cells"][seat, agent])
            for slot in range(PAST):
                past = s["past_cells"][slot, seat, agent]
                out["past_cells"][slot, seat, agent] = turn_cell(s, index, past)
    turn_walls(s, index, out)
    for k in range(s["path_length"]):
        out["path"][k] = turn_path(index, np.int64(s["path"][k]))


@kernel
def symmetry_action(s, index, action):
    turned = 0
    for agent in range(s["team_size"]):
        turned = turned * DIGITS + turn_digit(index, digit_of(s, action, agent))
    return turned


@kernel
def turn_cell(s, index, cell):
    if cell == GONE:
        return np.int64(GONE)
    row = np.int64(cell) >> 4
    column = np.int64(cell) & 15
    if index & 1:
        row = np.int64(s["height"]) - 1 - row
    if index & 2:
        column = np.int64(s["width"]) - 1 - column
    if index & 4:
        return column * STRIDE + row
    return row * STRIDE + column


@kernel
def turn_walls(s, index, out):
    height = np.int64(s["height"])
    width = np.int64(s["width"])
    beyond = 0xFFFF & ~((1 << width) - 1)
    for row in range(height):
        out["walls"][row] = beyond
    for row in range(height):
        for column in range(width):
            if (np.int64(s["walls"][row]) >> column) & 1 != 0:
                cell = turn_cell(s, index, row * STRIDE + column)
                out["walls"][cell >> 4] = np.int64(out["walls"][cell >> 4]) | (1 << (cell & 15))


@kernel
def turn_direction(index, direction):
    """Of 0 to 3: north, east, south, west."""
    if (index & 1 and direction % 2 == 0) or (index & 2 and direction % 2 == 1):
        direction = (direction + 2) % 4
    if index & 4:
        direction = 3 - direction  # transposing swaps north with west and east with south
    return direction


@kernel
def turn_digit(index, digit):
    if digit == 0:
        return digit
    if digit < FIRST_SHOT:
        return 1 + turn_direction(index, digit - 1)
    return FIRST_SHOT + turn_direction(index, digit - FIRST_SHOT)


@kernel
def turn_path(index, code):
    """Transform a joint move in base 5, agent 0 in the lowest digit."""
    return (
        turn_digit(index, code % 5)
        + 5 * turn_digit(index, code // 5 % 5)
        + 25 * turn_digit(index, code // 25)
    )
