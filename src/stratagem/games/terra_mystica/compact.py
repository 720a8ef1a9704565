"""Terra Mystica for a small network: features of the 77 land hexes and one vector for the rest.

Encoding `compact`. Nothing is repeated over the board, and what a player would read off it (reach,
power beside a hex, groups on their way to a town) is there to read. Rivers never change and have no
row of their own: what lies on them is in the vector. The seat that looks comes first, then the
others clockwise. docs/games/terra_mystica.md lists the features and their scales.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.terra_mystica.board import (
    BRIDGE,
    BRIDGES,
    LAND,
    LAND_CELL,
    MOST_SHIPPING,
    NEAR,
    SHIP,
)
from stratagem.games.terra_mystica.compact_vector import describe, vector_size
from stratagem.games.terra_mystica.factions import (
    HOME,
    MOST_SHIP,
    POWER_VALUE,
    SANCTUARY,
    SPADES,
)
from stratagem.games.terra_mystica.rules.ground import in_set, reached, reached_beyond, shipping
from stratagem.games.terra_mystica.rules.state import PER_CELL
from stratagem.games.terra_mystica.rules.towns import collect

SHARED, PER_SEAT = 14, 13
# Of each player, after one number for each of the five structures:
IN_TOWN, POWER_BESIDE, SPADES_NEEDED, REACHED, SHIP_REACHED = range(5, 10)
GROUP_POWER, GROUP_SIZE, BRIDGE_END = range(10, 13)


def _links():
    """Pairs of land hexes that lie side by side, or that one river hex parts."""
    return tuple(
        (a, b) for a in range(LAND) for b in range(a + 1, LAND) if b in NEAR[a] or SHIP[a, b] == 1
    )


LINKS = _links()
# The actions of each land hex, in the order of the action numbers.
ACTIONS_AT = tuple(
    tuple(range(PER_CELL * cell, PER_CELL * (cell + 1))) for cell in LAND_CELL.tolist()
)


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
    players = np.int64(s["players"])
    width = SHARED + PER_SEAT * players
    home = HOME[s["faction"][seat]] if s["faction"][seat] >= 0 else -1
    for land in range(LAND):
        terrain = np.int64(s["terrain"][land])
        out[land * width + terrain] = 1.0
        if home >= 0:
            out[land * width + 7 + (terrain - home + 7) % 7] = 1.0
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
    """Spades that a hex needs, and whether a player reaches it now or with one ship more."""
    faction = np.int64(s["faction"][seat])
    home = HOME[faction]
    level = shipping(s, seat)
    low, high = reached(s, seat, level)
    beyond_low, beyond_high = reached_beyond(s, seat, low, high)
    more_low, more_high = beyond_low, beyond_high
    if MOST_SHIP[faction] > 0:
        more_low, more_high = reached(s, seat, min(level + 1, MOST_SHIPPING))
    for land in range(LAND):
        at = land * width + first
        if s["building"][land] == 0:
            out[at + SPADES_NEEDED] = SPADES[faction, s["terrain"][land], home] / 3.0
            if in_set(low, high, land):
                out[at + REACHED] = 1.0
            elif in_set(more_low, more_high, land):
                out[at + SHIP_REACHED] = 1.0


@kernel
def show_structures(s, seat, out, first, width):
    """Structures, towns, bridges, and the power that they put beside other hexes."""
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
    """Power and size of groups without a town, on their hexes and on the empty ones beside."""
    group = np.empty(LAND, np.int64)
    seen = np.zeros(LAND, np.bool_)
    beside = np.full(LAND, -1, np.int64)
    for k in range(np.int64(s["sites"][seat])):
        start = np.int64(s["site"][seat, k])
        if seen[start] or s["town"][start]:
            continue
        group[0] = start
        seen[start] = True
        count = collect(s, seat, group, 1, seen)
        power, size = 0, count
        for n in range(count):
            building = np.int64(s["building"][group[n]])
            power += POWER_VALUE[building]
            if building == SANCTUARY:
                size += 1
        for n in range(count):
            add_group(out, group[n] * width + first, power, size)
            for m in range(6):
                near = NEAR[group[n], m]
                if near >= 0 and s["building"][near] == 0 and beside[near] != start:
                    beside[near] = start
                    add_group(out, near * width + first, power, size)


@kernel
def add_group(out, at, power, size):
    out[at + GROUP_POWER] += power / 7.0
    out[at + GROUP_SIZE] += size / 4.0
