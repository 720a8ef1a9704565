"""Which decisions are legal in a position."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import BIT, ON_MAP, REGIONS
from stratagem.games.hispania.rules.battle import battles, retreat_regions
from stratagem.games.hispania.rules.growth import affordable, places
from stratagem.games.hispania.rules.reach import can_leave, easy_ends, group_ends, list_groups
from stratagem.games.hispania.rules.stacks import low, survey
from stratagem.games.hispania.state import (
    ATTACKER,
    BATTLE,
    DEFENDER,
    DESTINATION,
    GROUP,
    GROWTH,
    ORIGIN,
    OVERPOPULATION,
)


@kernel
def legal(s, out):
    phase = s["phase"]
    nation = np.int64(s["nation"])
    if phase == GROWTH:
        return list_purchases(s, nation, out)
    if phase == ORIGIN:
        return list_origins(s, nation, out)
    if phase == GROUP:
        return list_groups(s, nation, np.int64(s["origin"]), WITH, out)
    if phase == DESTINATION:
        ends = group_ends(s, nation, np.int64(s["origin"]), np.int64(s["group"]))
        return list_members(ends, TO, out, 0)
    if phase == BATTLE:
        return list_members(battles(s), FIGHT, out, 0)
    if phase == DEFENDER:
        out[0] = RETREAT + np.int64(s["site"])
        return list_members(retreat_regions(s, np.int64(s["site"])), RETREAT, out, 1)
    if phase == ATTACKER:
        out[0] = RETREAT + np.int64(s["site"])
        out[1] = RETREAT + lowest_origin(s)
        return 2
    if phase == OVERPOPULATION:
        return list_removals(s, nation, out)
    return 0


@kernel
def list_members(mask, base, out, count):
    while mask != 0:
        out[count] = base + low(mask)
        mask &= mask - 1
        count += 1
    return count


@kernel
def list_purchases(s, nation, out):
    slots = affordable(s, nation)
    count = 0
    for region in range(REGIONS):
        here = places(s, nation, region) & slots
        for slot in range(6):
            if here & (1 << slot) != 0:
                out[count] = BUY + slot * REGIONS + region
                count += 1
    return count


@kernel
def list_origins(s, nation, out):
    seen = survey(s, nation)
    easy = easy_ends(s, nation, seen)
    out[0] = STOP
    count = 1
    for region in range(REGIONS):
        if s["owner"][region] == nation and can_leave(s, nation, region, seen, easy):
            out[count] = FROM + region
            count += 1
    return count


@kernel
def lowest_origin(s):
    """Return the attackers' origin with the lowest id, which names their retreat."""
    origins = BIT[0] & 0
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] == s["site"]:
            origins |= BIT[s["attackers"][row, 1]]
    return low(origins)


@kernel
def list_removals(s, nation, out):
    count = 0
    for region in range(REGIONS):
        if ON_MAP[region] and s["owner"][region] == nation:
            for slot in range(3):
                if s["units"][region, slot] > 0:
                    out[count] = REMOVE + slot * REGIONS + region
                    count += 1
    return count
