"""Goal Rush: every unit takes the cheapest path to the nearest enemy victory hex.

It places at random, moves one unit after another, attacks whatever is on the next step of a path
with everything, and ignores enemies and friends when planning.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below
from stratagem.games.hexwar.actions import (
    MOVE,
    MOVE_PLANE,
    TARGET,
    is_listed,
    no_fight_plane,
    no_move_plane,
    target_plane,
)
from stratagem.games.hexwar.board import (
    area_of,
    entry_cost,
    first_with,
    holder,
    level_of,
    neighbour,
)
from stratagem.games.hexwar.bots.path_costs import costs_from
from stratagem.games.hexwar.state import (
    HEXES,
    MOVED,
    READY,
    UNITS,
)


@kernel
def goal_rush(s, ids, count, word):
    word = advance(word)
    if s["phase"] == MOVE:
        return rush_move(s, ids, count)
    if s["phase"] == TARGET:
        return rush_target(s)
    if s["crew_size"] > 0:  # the last one listed is confirm: only when nobody else can join
        return ids[below(word, count - 1)] if count > 1 else ids[0]
    return ids[below(word, count)]


@kernel
def rush_move(s, ids, count):
    """Return the next step of the first ready unit if it is legal, else no-move."""
    area = area_of(s)
    unit = first_with(s, np.int64(s["seat"]), READY)
    level = level_of(s, unit)
    cell = np.int64(s["cell"][unit])
    there = next_hex(s, unit)
    for direction in range(6):
        if there >= 0 and neighbour(s, cell, direction) == there:
            plane = MOVE_PLANE + direction * np.int64(s["stacking"]) + level
            if is_listed(ids, count, plane * area + cell):
                return plane * area + cell
    return (no_move_plane(s) + level) * area + cell


@kernel
def rush_target(s):
    """Return the first enemy on a unit's path, else no-fight for a unit that could attack."""
    seat = np.int64(s["seat"])
    area = area_of(s)
    for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if s["status"][unit] == MOVED:
            there = next_hex(s, unit)
            if there >= 0 and holder(s, there) == 1 - seat:
                return target_plane(s) * area + there
    unit = first_with(s, seat, MOVED)
    return (no_fight_plane(s) + level_of(s, unit)) * area + np.int64(s["cell"][unit])


@kernel
def next_hex(s, unit):
    """Return the next hex of the cheapest path to the nearest enemy victory hex; -1 if on it.

    Ties go to the first goal in reading order and, going back from it hex by hex, to the first hex
    in reading order, as in the paper's code, whose results depend on it.
    """
    seat = unit // UNITS
    start = np.int64(s["cell"][unit])
    costs = costs_from(s, start)
    goal = -1
    for k in range(s["goal_count"][1 - seat]):
        cell = np.int64(s["goals"][1 - seat, k])
        if goal < 0 or costs[cell] < costs[goal] or (costs[cell] == costs[goal] and cell < goal):
            goal = cell
    found = -1
    while goal != start:
        found = goal
        before = costs[goal] - entry_cost(s, goal)
        goal = HEXES
        for direction in range(6):
            there = neighbour(s, found, direction)
            if 0 <= there < goal and costs[there] == before:
                goal = there
    return found
