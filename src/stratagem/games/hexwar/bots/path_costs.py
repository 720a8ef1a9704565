"""Path costs from hex to hex.

A path costs the movement points needed to enter its hexes, except the first, so there and back may
differ. A hex is visited again whenever a cheaper path to it turns up.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hexwar.board import entry_cost, has_room, neighbour
from stratagem.games.hexwar.state import (
    HEXES,
)

FAR = 1 << 30  # no path leads there


@kernel
def costs_from(s, start):
    """[HEXES] movement points from a hex to each other one, ignoring units."""
    costs = np.full(HEXES, FAR, np.int64)
    costs[start] = 0
    queue = np.empty(HEXES + 1, np.int64)
    queue[0] = start
    spread_out(s, costs, queue, 1, False)
    return costs


@kernel
def costs_to(s, ends, count):
    """[HEXES] movement points from each hex to the nearest of some hexes, ignoring units."""
    costs = np.full(HEXES, FAR, np.int64)
    queue = np.empty(HEXES + 1, np.int64)
    for k in range(count):
        costs[ends[k]] = 0
        queue[k] = ends[k]
    spread_out(s, costs, queue, count, True)
    return costs


@kernel
def spread_out(s, costs, queue, tail, backwards):
    """Expand the first `tail` hexes of the queue until nothing becomes cheaper."""
    waiting = np.zeros(HEXES, np.uint8)
    head = 0
    while head != tail:
        cell = queue[head]
        head = (head + 1) % (HEXES + 1)
        waiting[cell] = 0
        for direction in range(6):
            there = neighbour(s, cell, direction)
            if there < 0:
                continue
            total = costs[cell] + entry_cost(s, cell if backwards else there)
            if total < costs[there]:
                costs[there] = total
                if waiting[there] == 0:
                    waiting[there] = 1
                    queue[tail] = there
                    tail = (tail + 1) % (HEXES + 1)


@kernel
def reach_from(s, start, points, seat, price, first_step, reached):
    """Return how many hexes can be reached with these points, listed in `reached`.

    `price` becomes the cost of going there (FAR elsewhere) and `first_step` the first direction. A
    seat's units need room at every step; seat -1 ignores other units.
    """
    price[:] = FAR
    price[start] = 0
    reached[0] = start
    count = 1
    at = 0
    while at < count:
        cell = reached[at]
        at += 1
        for direction in range(6):
            there = neighbour(s, cell, direction)
            if there < 0:
                continue
            total = price[cell] + entry_cost(s, there)
            if total > points or total >= price[there]:
                continue
            if seat >= 0 and not has_room(s, seat, there):
                continue
            known = price[there] < FAR
            price[there] = total
            first_step[there] = direction if cell == start else first_step[cell]
            if not known:
                reached[count] = there
                count += 1
                continue
            for k in range(at):  # already listed: hexes behind it may become cheaper
                if reached[k] == there:
                    at = k
                    break
    return count
