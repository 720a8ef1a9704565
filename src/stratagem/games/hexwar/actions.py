"""Actions of hexwar: planes over the board, and which of them are legal.

An action is plane * area + hex. With S = stacking limit the planes are, in this order: placement;
movement, 6S, direction-major; target; attackers, S; confirm; no-move, S; no-fight, S. 9S + 3 in
all. A level is the number of units of the hex below the unit meant.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ActionGroup, ActionSpec
from stratagem.games.hexwar.board import (
    area_of,
    arrives_at,
    entry_cost,
    has_room,
    holder,
    level_of,
    neighbour,
)
from stratagem.games.hexwar.state import (
    CREW,
    MOVED,
    READY,
    UNITS,
)

# The four sub-phases of a player's turn.
REINFORCE = 0
MOVE = 1
TARGET = 2
ATTACKERS = 3

PLACE_PLANE = 0
MOVE_PLANE = 1  # + direction * stacking + level


def plane_groups(stacking):
    """Return (name, number of planes) of each kind of action, in order."""
    return (
        ("placement", 1),
        ("movement", 6 * stacking),
        ("target", 1),
        ("attackers", stacking),
        ("confirm", 1),
        ("no-move", stacking),
        ("no-fight", stacking),
    )


def spec(scenario):
    planes = sum(count for _, count in plane_groups(scenario.stacking))
    shape = (planes, scenario.height, scenario.width)
    return ActionSpec(planes * scenario.height * scenario.width, shape)


def groups(scenario):
    area = scenario.height * scenario.width
    found = []
    start = 0
    for name, count in plane_groups(scenario.stacking):
        found.append(ActionGroup(name, start, start + count * area))
        start += count * area
    return tuple(found)


def max_legal(scenario):
    """Placements, or moves and no-moves, or targets and no-fights, or attackers and confirm."""
    most = max(scenario.unit_count(seat) for seat in range(2))
    crew = min(6 * scenario.stacking, CREW) + 1
    return min(max(scenario.height * scenario.width, 7 * most, crew), spec(scenario).size)


@kernel
def target_plane(s):
    return 6 * np.int64(s["stacking"]) + 1


@kernel
def attacker_plane(s):
    return 6 * np.int64(s["stacking"]) + 2


@kernel
def confirm_plane(s):
    return 7 * np.int64(s["stacking"]) + 2


@kernel
def no_move_plane(s):
    return 7 * np.int64(s["stacking"]) + 3


@kernel
def no_fight_plane(s):
    return 8 * np.int64(s["stacking"]) + 3


@kernel
def legal(s, out):
    phase = s["phase"]
    if phase == REINFORCE:
        return list_places(s, out)
    if phase == MOVE:
        return list_moves(s, out)
    if phase == TARGET:
        return list_targets(s, out)
    return list_attackers(s, out)


@kernel
def list_places(s, out):
    seat = np.int64(s["seat"])
    unit = np.int64(s["arriving"])
    width = np.int64(s["width"])
    first = 0
    last = width
    if s["zone"][unit] == 0:
        first = np.int64(s["home"][seat, 0])
        last = np.int64(s["home"][seat, 1])
    count = 0
    for row in range(s["height"]):
        for cell in range(row * width + first, row * width + last):
            if arrives_at(s, unit, cell) and has_room(s, seat, cell):
                out[count] = PLACE_PLANE + cell
                count += 1
    return count


@kernel
def list_moves(s, out):
    """List every step that a ready unit can afford, and no-move for each."""
    seat = np.int64(s["seat"])
    area = area_of(s)
    stacking = np.int64(s["stacking"])
    count = 0
    for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if s["status"][unit] != READY:
            continue
        cell = np.int64(s["cell"][unit])
        points = np.int64(s["points"][unit])
        level = level_of(s, unit)
        for direction in range(6):
            there = neighbour(s, cell, direction)
            if there >= 0 and entry_cost(s, there) <= points and has_room(s, seat, there):
                out[count] = (MOVE_PLANE + direction * stacking + level) * area + cell
                count += 1
        out[count] = (no_move_plane(s) + level) * area + cell
        count += 1
    return count


@kernel
def list_targets(s, out):
    """List enemy hexes next to units that may attack, each once; then no-fight for those units."""
    seat = np.int64(s["seat"])
    first = seat * UNITS
    last = first + np.int64(s["count"][seat])
    area = area_of(s)
    base = target_plane(s) * area
    count = 0
    for unit in range(first, last):
        if s["status"][unit] != MOVED:
            continue
        for direction in range(6):
            there = neighbour(s, s["cell"][unit], direction)
            if there >= 0 and holder(s, there) == 1 - seat:
                if not is_listed(out, count, base + there):
                    out[count] = base + there
                    count += 1
    for unit in range(first, last):
        if s["status"][unit] == MOVED:
            out[count] = (no_fight_plane(s) + level_of(s, unit)) * area + s["cell"][unit]
            count += 1
    return count


@kernel
def is_listed(ids, count, action):
    for k in range(count):
        if ids[k] == action:
            return True
    return False


@kernel
def list_attackers(s, out):
    """List units next to the target that may still attack; confirm once one is chosen."""
    seat = np.int64(s["seat"])
    area = area_of(s)
    target = np.int64(s["target"])
    count = 0
    for direction in range(6):
        there = neighbour(s, target, direction)
        if there < 0 or holder(s, there) != seat:
            continue
        link = np.int64(s["stack"][there])
        level = 0
        while link > 0:
            if s["status"][link - 1] == MOVED:
                out[count] = (attacker_plane(s) + level) * area + there
                count += 1
            link = np.int64(s["above"][link - 1])
            level += 1
    if s["crew_size"] > 0:
        out[count] = confirm_plane(s) * area + target
        count += 1
    return count
