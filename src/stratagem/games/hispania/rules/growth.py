"""Growth: income, what may be bought where, and buying it."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    BIT,
    CASTLE,
    CITY,
    CLEAR,
    COST,
    FORT,
    ON_MAP,
    POPULATION,
    QUANTITY,
    REGIONS,
    TERRAIN,
)
from stratagem.games.hispania.rules.stacks import limit_of, on_board, units_in

MOST_SAVED = 8


@kernel
def collect(s, nation):
    """Add a turn's population points to the pool; half of a vassal's go to its overlord."""
    points = 0
    for region in range(REGIONS):
        if s["owner"][region] == nation and units_in(s, region) > 0:
            points += POPULATION[region]
            if ON_MAP[region] and s["structure"][region] == CITY:
                points += 2
    if s["halved"] & BIT[nation] != 0:
        points = (points + 1) // 2
    overlord = np.int64(s["overlord"][nation])
    if overlord >= 0:
        kept = (points + 1) // 2
        s["pool"][overlord] += points - kept
        points = kept
    s["pool"][nation] += points


@kernel
def built(s, nation, structure):
    """Count a nation's standing structures of this kind."""
    count = 0
    for region in range(REGIONS):
        if s["builder"][region] == nation and s["structure"][region] == structure:
            count += 1
    return count


@kernel
def affordable(s, nation):
    """Return a bit per slot that the pool can pay and the box still has."""
    slots = 0
    for slot in range(6):
        if QUANTITY[nation, slot] == 0 or COST[nation, slot] > s["pool"][nation]:
            continue
        used = on_board(s, nation, slot) if slot < 3 else built(s, nation, slot - 2)
        if used < QUANTITY[nation, slot]:
            slots |= 1 << slot
    return slots


@kernel
def places(s, nation, region):
    """Return a bit per slot that a region can take: units if there is room, structures by rule."""
    if s["owner"][region] != nation or not ON_MAP[region]:
        return 0
    units = units_in(s, region)
    if units == 0:
        return 0
    slots = 0
    if units < limit_of(s, nation, region, False):
        slots |= 7
    structure = s["structure"][region]
    if structure < FORT:
        slots |= 8
    if structure < CASTLE:
        slots |= 16
        if TERRAIN[region] == CLEAR and POPULATION[region] >= 2:
            slots |= 32
    return slots


@kernel
def can_buy(s, nation):
    slots = affordable(s, nation)
    if slots == 0:
        return False
    for region in range(REGIONS):
        if places(s, nation, region) & slots != 0:
            return True
    return False


@kernel
def buy(s, nation, slot, region):
    s["pool"][nation] -= COST[nation, slot]
    if slot < 3:
        s["units"][region, slot] += 1
    else:
        s["structure"][region] = slot - 2
        s["builder"][region] = nation


@kernel
def end_growth(s, nation):
    if s["pool"][nation] > MOST_SAVED:
        s["pool"][nation] = MOST_SAVED
