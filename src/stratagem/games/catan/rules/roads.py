"""Roads: where they may go, how long they are, and who has the longest."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.board import BIT, EDGE_PLACES, EDGES, NONE, PLACE_EDGES
from stratagem.games.catan.state import LONGEST_AT_LEAST, ROAD, SEATS, owner_of

_STACK = 64  # a trail has at most 15 roads, and at most two continuations at each place
_MOST_ROADS = 15


@kernel
def can_extend(s, seat, edge):
    """Whether an edge is free and touches the seat's network at a place no opponent holds."""
    if s["road"][edge] != 0:
        return False
    ends = BIT[EDGE_PLACES[edge, 0]] | BIT[EDGE_PLACES[edge, 1]]
    return np.int64(s["open"][seat]) & ends != 0


@kernel
def has_road_site(s, seat):
    if s["pieces"][seat, ROAD] == 0:
        return False
    for edge in range(EDGES):
        if can_extend(s, seat, edge):
            return True
    return False


@kernel
def lay_road(s, seat, edge):
    """Build a road; measure it and update the longest road."""
    s["road"][edge] = seat + 1
    s["pieces"][seat, ROAD] -= 1
    for side in range(2):
        place = EDGE_PLACES[edge, side]
        owner = owner_of(s["place"][place])
        if owner < 0 or owner == seat:
            s["open"][seat] = np.int64(s["open"][seat]) | BIT[place]
    s["road_length"][seat] = longest_trail(s, seat)
    award_longest(s)


@kernel
def longest_trail(s, seat):
    """Return the most roads in one trail: each road once, places repeatedly, no opponents' places.

    An opponent's building ends a trail without shortening it: the road up to it counts.
    """
    roads = np.empty(_MOST_ROADS, np.int64)
    slot = np.empty(EDGES, np.int64)
    count = 0
    for edge in range(EDGES):
        if s["road"][edge] == seat + 1:
            roads[count] = edge
            slot[edge] = count
            count += 1
    places = np.empty(_STACK, np.int64)
    used = np.empty(_STACK, np.int64)
    lengths = np.empty(_STACK, np.int64)
    tried = 0  # bit set of places already used as starts
    best = 0
    for k in range(2 * count):
        first = EDGE_PLACES[roads[k >> 1], k & 1]
        if tried & BIT[first] != 0:
            continue
        tried |= BIT[first]
        places[0] = first
        used[0] = 0
        lengths[0] = 0
        best = max(best, _explore(s, seat, slot, places, used, lengths))
    return best


@kernel
def _explore(s, seat, slot, places, used, lengths):
    """Return the longest trail that begins at places[0]; the three arrays are the stack."""
    best = 0
    top = 1
    while top > 0:
        top -= 1
        place = places[top]
        taken = used[top]
        length = lengths[top]
        best = max(best, length)
        owner = owner_of(s["place"][place])
        if length > 0 and owner >= 0 and owner != seat:
            continue
        for k in range(3):
            edge = PLACE_EDGES[place, k]
            if edge == NONE or s["road"][edge] != seat + 1 or (taken >> slot[edge]) & 1 != 0:
                continue
            places[top] = EDGE_PLACES[edge, 0] + EDGE_PLACES[edge, 1] - place
            used[top] = taken | (1 << slot[edge])
            lengths[top] = length + 1
            top += 1
    return best


@kernel
def cut_roads(s, seat, place):
    """Update roads after a new building of this seat: others' roads no longer pass through."""
    for other in range(s["players"]):
        if other == seat:
            continue
        s["open"][other] = np.int64(s["open"][other]) & ~BIT[place]
        touching = 0
        for k in range(3):
            edge = PLACE_EDGES[place, k]
            if edge != NONE and s["road"][edge] == other + 1:
                touching += 1
        if touching >= 2:
            s["road_length"][other] = longest_trail(s, other)
            award_longest(s)


@kernel
def award_longest(s):
    """Give the card to a sole longest road; the holder keeps it while nobody's is longer."""
    best = 0
    sole = -1
    for seat in range(SEATS):
        length = np.int64(s["road_length"][seat])
        if length > best:
            best = length
            sole = seat
        elif length == best:
            sole = -1
    if best < LONGEST_AT_LEAST:
        s["road_holder"] = -1
    elif s["road_holder"] < 0 or np.int64(s["road_length"][s["road_holder"]]) < best:
        s["road_holder"] = sole


@kernel
def road_length(s, seat):
    """The goal that the thesis gives its road builder (section 6.1.3)."""
    return np.float64(s["road_length"][seat])
