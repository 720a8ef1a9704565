"""The hex board and the units on it: neighbours, distances, stacks, terrain, home sides.

Hexes are flat-top; odd columns are half a hex lower.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hexwar.state import HEXES, NOWHERE, SIDE, UNITS

_TERRAIN_BITS = 3  # in each byte of `ground`; the higher bits are the zones

# Rows and columns to add per direction N, NE, SE, S, SW, NW, for even and for odd columns.
_SHIFTS = (
    ((-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, -1)),
    ((-1, 0), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)),
)


def _neighbours():
    """[width, hex, direction] int16: the hex there; -1 above the board or beside it."""
    table = np.full((SIDE + 1, HEXES, 6), -1, np.int16)
    for width in range(1, SIDE + 1):
        for row in range(SIDE):
            for column in range(width):
                for direction, (down, right) in enumerate(_SHIFTS[column % 2]):
                    if row + down >= 0 and 0 <= column + right < width:
                        target = (row + down) * width + column + right
                        table[width, row * width + column, direction] = target
    return table


_NEIGHBOURS = _neighbours()


def hexes_around(height, width):
    """[hex, direction] of a board: the hex there, or -1 off the board."""
    around = _NEIGHBOURS[width, : height * width]
    return np.where(around < height * width, around, -1)


@kernel
def zone_bit(zone):
    """Return the bit of `ground` that marks a hex of this zone, counted from 1."""
    return 1 << (_TERRAIN_BITS - 1 + zone)


@kernel
def area_of(s):
    return np.int64(s["height"]) * np.int64(s["width"])


@kernel
def neighbour(s, cell, direction):
    """Return the hex in a direction (0 to 5: N, NE, SE, S, SW, NW), or -1 off the board."""
    target = np.int64(_NEIGHBOURS[s["width"], cell, direction])
    return target if target < area_of(s) else -1


@kernel
def terrain_of(s, cell):
    return np.int64(s["ground"][cell]) & ((1 << _TERRAIN_BITS) - 1)


@kernel
def entry_cost(s, cell):
    return np.int64(s["costs"][terrain_of(s, cell)])


@kernel
def stat(s, unit, which):
    """Return the printed attack, defence or movement of a unit."""
    return np.int64(s["kinds"][s["kind"][unit], which])


@kernel
def holder(s, cell):
    """Return the seat whose units are there, or -1."""
    lowest = np.int64(s["stack"][cell])
    return (lowest - 1) // UNITS if lowest > 0 else -1


@kernel
def units_on(s, cell):
    count = 0
    link = np.int64(s["stack"][cell])
    while link > 0:
        count += 1
        link = np.int64(s["above"][link - 1])
    return count


@kernel
def has_room(s, seat, cell):
    """Whether another unit of this seat fits there."""
    owner = holder(s, cell)
    return owner < 0 or (owner == seat and units_on(s, cell) < s["stacking"])


@kernel
def level_of(s, unit):
    """Return how many units of its hex are below this one."""
    level = 0
    link = np.int64(s["stack"][s["cell"][unit]])
    while link != unit + 1:
        level += 1
        link = np.int64(s["above"][link - 1])
    return level


@kernel
def unit_at(s, cell, level):
    link = np.int64(s["stack"][cell])
    for _ in range(level):
        link = np.int64(s["above"][link - 1])
    return link - 1


@kernel
def put_on(s, unit, cell):
    """Put a unit on top of a hex's stack."""
    s["cell"][unit] = cell
    link = np.int64(s["stack"][cell])
    if link == 0:
        s["stack"][cell] = unit + 1
        return
    while s["above"][link - 1] > 0:
        link = np.int64(s["above"][link - 1])
    s["above"][link - 1] = unit + 1


@kernel
def take_off(s, unit):
    """Remove a unit from its hex; those above it move down by one level."""
    cell = np.int64(s["cell"][unit])
    link = np.int64(s["stack"][cell])
    if link == unit + 1:
        s["stack"][cell] = s["above"][unit]
    else:
        while s["above"][link - 1] != unit + 1:
            link = np.int64(s["above"][link - 1])
        s["above"][link - 1] = s["above"][unit]
    s["above"][unit] = 0
    s["cell"][unit] = NOWHERE


@kernel
def meets_enemy(s, unit):
    """Whether an enemy is next to this unit."""
    other = 1 - unit // UNITS
    for direction in range(6):
        there = neighbour(s, s["cell"][unit], direction)
        if there >= 0 and holder(s, there) == other:
            return True
    return False


@kernel
def can_afford_a_step(s, unit):
    """Whether there are points left for some neighbour, ignoring other units."""
    points = np.int64(s["points"][unit])
    for direction in range(6):
        there = neighbour(s, s["cell"][unit], direction)
        if there >= 0 and entry_cost(s, there) <= points:
            return True
    return False


@kernel
def first_with(s, seat, status):
    """Return the first unit of a seat, in schedule order, with this status; -1 if none."""
    for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if s["status"][unit] == status:
            return unit
    return -1


@kernel
def arrives_at(s, unit, cell):
    """Whether the unit may arrive on this hex, ignoring other units."""
    zone = np.int64(s["zone"][unit])
    if zone == 0:
        column = cell % np.int64(s["width"])
        home = s["home"][unit // UNITS]
        return home[0] <= column < home[1]
    return np.int64(s["ground"][cell]) & zone_bit(zone) != 0


@kernel
def goals_held(s, seat):
    """Count the other seat's victory hexes that this seat occupies."""
    other = 1 - seat
    held = 0
    for k in range(s["goal_count"][other]):
        if holder(s, s["goals"][other, k]) == seat:
            held += 1
    return held


@kernel
def hexes_between(s, here, there):
    """Return the steps from one hex to another on an empty board."""
    width = np.int64(s["width"])
    row = np.int64(here) // width
    column = np.int64(here) - row * width
    other_row = np.int64(there) // width
    other_column = np.int64(there) - other_row * width
    # In axial coordinates rows slant: every second column begins a row lower.
    across = other_column - column
    down = (other_row - other_column // 2) - (row - column // 2)
    return max(abs(across), abs(down), abs(across + down))
