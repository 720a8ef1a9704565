"""Which nation is where: control, hostility and stacking limits."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    ACCESS,
    BIT,
    CASTLE,
    LOW,
    ON_MAP,
    REGIONS,
    STACK_LIMIT,
)


@kernel
def low(mask):
    """Return the lowest member of a set."""
    return LOW[(mask & -mask) % 67]


@kernel
def size(mask):
    """Return the number of members of a set."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@kernel
def units_in(s, region):
    units = s["units"][region]
    return np.int64(units[0]) + np.int64(units[1]) + np.int64(units[2])


@kernel
def hostile(s, nation, other):
    """Whether nations have different players, and are not lord and vassal."""
    return (
        s["player"][nation] != s["player"][other]
        and s["overlord"][nation] != other
        and s["overlord"][other] != nation
    )


@kernel
def held_by(s, nation):
    """Return the regions that a nation controls: those with one of its units."""
    held = 0
    for region in range(REGIONS):
        if s["owner"][region] == nation and units_in(s, region) > 0:
            held |= BIT[region]
    return held


@kernel
def has_pieces(s, nation):
    for region in range(REGIONS):
        if s["owner"][region] == nation:
            return True
    return False


@kernel
def has_leader(s, nation):
    for region in range(REGIONS):
        if s["owner"][region] == nation and s["leader"][region] > 0:
            return True
    return False


@kernel
def on_board(s, nation, slot):
    """Count units of one type outside the box, including attackers."""
    count = 0
    for region in range(REGIONS):
        if s["owner"][region] == nation:
            count += np.int64(s["units"][region, slot])
    if s["nation"] == nation:
        for row in range(s["attacking"]):
            if s["attackers"][row, 2] == slot:
                count += 1
    return count


@kernel
def limit_of(s, nation, region, with_leader):
    """Return how many units a nation may have in a region it holds or enters unopposed."""
    most = STACK_LIMIT[region]
    if not ON_MAP[region]:
        return most
    if with_leader or (s["owner"][region] == nation and s["leader"][region] > 0):
        most += 1
    if s["structure"][region] >= CASTLE:
        most += 1
    return most


@kernel
def attack_limit(s, region, with_leader):
    """Return the limit for attackers, which ignores the structure."""
    most = STACK_LIMIT[region]
    if ON_MAP[region] and (with_leader or s["pending"][region] >= 16):
        most += 1
    return most


@kernel
def survey(s, nation):
    """Return the regions open to a nation, as masks: own, neutral, friend, hostile, lone.

    `friend`: may be crossed only. `lone`: a hostile leader without units, who is captured.
    """
    open_regions = ACCESS[nation] & s["active"]
    own = 0
    neutral = 0
    friend = 0
    foe = 0
    lone = 0
    for region in range(REGIONS):
        who = s["owner"][region]
        if who < 0:
            neutral |= BIT[region]
        elif who == nation:
            own |= BIT[region]
        elif not hostile(s, nation, who):
            friend |= BIT[region]
        elif units_in(s, region) > 0:
            foe |= BIT[region]
        else:
            lone |= BIT[region]
    return (
        own & open_regions,
        neutral & open_regions,
        friend & open_regions,
        foe & open_regions,
        lone & open_regions,
    )


@kernel
def vacate(s, region):
    """Clear the nation of a region that has become empty."""
    if units_in(s, region) == 0 and s["leader"][region] == 0:
        s["owner"][region] = -1


@kernel
def clear_region(s, region):
    """Remove every piece from a region."""
    for kind in range(3):
        s["units"][region, kind] = 0
        s["moved"][region, kind] = 0
    s["moved"][region, 3] = 0
    s["leader"][region] = 0
    s["owner"][region] = -1
