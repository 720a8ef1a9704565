"""Terra Mystica for a small network: features of the 77 land hexes and one vector for the rest.

Encoding `compact`. Nothing is repeated over the board, and what a player would read off it (reach,
power next to a hex, groups close to a town) is included. Rivers never change and have no rows; what
is on them is in the vector. The observing seat comes first, then the others clockwise.
docs/games/terra_mystica.md lists the features and their scales.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.terra_mystica.board.factions import HOME, MOST_SHIP, POWER_VALUE, SPADES
from stratagem.games.terra_mystica.board.hexes import (
    BIT,
    BRIDGE,
    BRIDGES,
    LAND,
    MOST_SHIPPING,
    NEAR,
    SHIP,
)
from stratagem.games.terra_mystica.encode.compact_vector import describe, vector_size
from stratagem.games.terra_mystica.rules.ground import in_set, reached, reached_beyond, shipping
from stratagem.games.terra_mystica.rules.towns import group_of, power_of

SHARED, PER_SEAT = 14, 13
# For each player, after one number for each of the five structures:
IN_TOWN, POWER_BESIDE, SPADES_NEEDED, REACHED, SHIP_REACHED = range(5, 10)
GROUP_POWER, GROUP_SIZE, BRIDGE_END = range(10, 13)
# [14, terrain] spades that a faction needs to make a terrain its home, scaled.
_SPADES_HOME = (SPADES[np.arange(14)[:, None], np.arange(7), HOME[:, None]] / 3.0).astype(
    np.float32
)


def _links():
    """Return pairs of land hexes that are adjacent, or separated by one river hex."""
    return tuple(
        (a, b) for a in range(LAND) for b in range(a + 1, LAND) if b in NEAR[a] or SHIP[a, b] == 1
    )


LINKS = _links()


def hex_features(players):
    return SHARED + PER_SEAT * players


def spec(scenario, options):
    shape = (LAND, hex_features(scenario.players))
    return ObservationSpec(
        (
            ObservationSlice("hexes", shape, "nodes", LINKS),
            ObservationSlice("table", (vector_size(scenario.players),), "vector"),
        )
    )


@kernel
def compact(s, seat, options, out):
    out[:] = 0.0  # row by row while it is in the cache: faster than clearing the batch
    players = np.int64(s["players"])
    width = SHARED + PER_SEAT * players
    home = HOME[s["faction"][seat]] if s["faction"][seat] >= 0 else -1
    for land in range(LAND):
        out[land * width + s["terrain"][land]] = 1.0
    if home >= 0:
        for land in range(LAND):
            terrain = np.int64(s["terrain"][land])
            around = terrain - home if terrain >= home else terrain - home + 7
            out[land * width + 7 + around] = 1.0
    for k in range(players):
        other = (seat + k) % players
        if s["faction"][other] >= 0:
            first = SHARED + PER_SEAT * k
            show_ground(s, other, out, first, width)
            show_structures(s, other, out, first, width)
            show_groups(s, other, out, first, width)
    describe(s, seat, out, LAND * width)


@kernel
def show_ground(s, seat, out, first, width):
    """Write the spades that a hex needs, and whether a player reaches it, or will with a ship."""
    faction = np.int64(s["faction"][seat])
    level = shipping(s, seat)
    low, high = reached(s, seat, level)
    beyond_low, beyond_high = reached_beyond(s, seat, low, high)
    more_low, more_high = beyond_low, beyond_high
    if MOST_SHIP[faction] > 0:
        more_low, more_high = reached(s, seat, min(level + 1, MOST_SHIPPING))
    spades = _SPADES_HOME[faction]
    for land in range(LAND):
        if s["building"][land] == 0:
            out[land * width + first + SPADES_NEEDED] = spades[s["terrain"][land]]
    for land in range(LAND):  # both sets contain only empty hexes
        if in_set(low, high, land):
            out[land * width + first + REACHED] = 1.0
        elif in_set(more_low, more_high, land):
            out[land * width + first + SHIP_REACHED] = 1.0


@kernel
def show_structures(s, seat, out, first, width):
    """Write structures, towns, bridges, and the power that they add next to other hexes."""
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        building = np.int64(s["building"][land])
        at = land * width + first
        out[at + building - 1] = 1.0
        out[at + IN_TOWN] = np.float64(s["town"][land])
        for n in range(6):
            if NEAR[land, n] >= 0:
                near = NEAR[land, n] * width + first
                out[near + POWER_BESIDE] += POWER_VALUE[building] / 8.0
    for k in range(BRIDGES):
        if s["bridge"][k] >= 0:
            for end in range(2):
                here, there = BRIDGE[k, end], BRIDGE[k, 1 - end]
                if s["bridge"][k] == seat:
                    out[here * width + first + BRIDGE_END] += 0.5
                if s["owner"][there] == seat:
                    power = POWER_VALUE[s["building"][there]]
                    out[here * width + first + POWER_BESIDE] += power / 8.0


@kernel
def show_groups(s, seat, out, first, width):
    """Write power and size of groups without a town, on their hexes and adjacent empty ones."""
    sites = np.int64(s["sites"][seat])
    seen_low, seen_high = 0, 0
    for k in range(sites):
        start = np.int64(s["site"][seat, k])
        if s["town"][start] or in_set(seen_low, seen_high, start):
            continue
        low, high = group_of(s, seat, BIT[start, 0], BIT[start, 1])
        seen_low |= low
        seen_high |= high
        power, size = power_of(s, seat, low, high)
        for n in range(sites):
            land = np.int64(s["site"][seat, n])
            if not in_set(low, high, land):
                continue
            add_group(out, land * width + first, power, size)
            for m in range(6):
                near = NEAR[land, m]
                if near >= 0 and s["building"][near] == 0 and not in_set(low, high, near):
                    low |= BIT[near, 0]  # already written; an empty hex is nobody's site
                    high |= BIT[near, 1]
                    add_group(out, near * width + first, power, size)


@kernel
def add_group(out, at, power, size):
    out[at + GROUP_POWER] += power / 7.0
    out[at + GROUP_SIZE] += size / 4.0
