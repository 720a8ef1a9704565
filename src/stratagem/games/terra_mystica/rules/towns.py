"""Groups of structures and the towns they found (spec, section 3.7)."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board import (
    BRIDGE,
    BRIDGES_AT,
    LAND,
    LAND_RIVERS,
    NEAR,
    RIVER_LAND,
    RIVERS,
)
from stratagem.games.terra_mystica.factions import (
    MERMAIDS,
    POWER_VALUE,
    SANCTUARY,
    SWARMLINGS,
    WITCHES,
)
from stratagem.games.terra_mystica.rules.cults import gain_key
from stratagem.games.terra_mystica.rules.resources import gain_power, gain_priests
from stratagem.games.terra_mystica.tiles import (
    FAV_TOWN,
    SCORE_TOWN,
    TILE_EVENT,
    TILE_VP,
    TOWN_CULTS,
    TOWN_GAIN,
)


@kernel
def collect(s, seat, group, count, seen):
    """Grow group[:count], hexes marked in `seen`, to all structures connected with it."""
    head = 0
    while head < count:
        land = group[head]
        head += 1
        for k in range(6):
            count = join(s, seat, NEAR[land, k], group, count, seen)
        for k in range(4):
            place = BRIDGES_AT[land, k]
            if place >= 0 and s["bridge"][place] >= 0:
                other = BRIDGE[place, 0] + BRIDGE[place, 1] - land
                count = join(s, seat, other, group, count, seen)
        if s["river_town"] != 0 and s["faction"][seat] == MERMAIDS:
            for k in range(6):
                river = LAND_RIVERS[land, k]
                if river >= 0 and (s["river_town"] >> river) & 1:
                    for n in range(6):
                        count = join(s, seat, RIVER_LAND[river, n], group, count, seen)
    return count


@kernel
def join(s, seat, land, group, count, seen):
    if land >= 0 and s["owner"][land] == seat and not seen[land]:
        seen[land] = True
        group[count] = land
        count += 1
    return count


@kernel
def is_town(s, seat, group, count):
    """Would these structures, none of them in a town, found one?"""
    power = 0
    number = count
    for k in range(count):
        if s["town"][group[k]]:
            return False
        building = s["building"][group[k]]
        power += POWER_VALUE[building]
        if building == SANCTUARY:
            number += 1
    needed = 6 if (s["favours"][seat] >> FAV_TOWN) & 1 else 7
    return number >= 4 and power >= needed


@kernel
def town_tiles_free(s):
    """Town tiles that nobody has taken or is about to take."""
    left = -np.int64(s["towns_due"])
    for k in range(5):
        left += np.int64(s["towns_left"][k])
    return left


@kernel
def check_town(s, seat, land):
    """Found a town where a structure was built, upgraded or connected; or join one."""
    group = np.empty(LAND, np.int64)
    seen = np.zeros(LAND, np.bool_)
    group[0] = land
    seen[land] = True
    count = collect(s, seat, group, 1, seen)
    settle_group(s, seat, group, count)


@kernel
def settle_group(s, seat, group, count):
    joined = False
    for k in range(count):
        if s["town"][group[k]]:
            joined = True
    if not joined:
        if not is_town(s, seat, group, count) or town_tiles_free(s) <= 0:
            return
        s["towns_due"] += 1
    for k in range(count):
        s["town"][group[k]] = 1


@kernel
def check_every_group(s, seat):
    """FAV5: groups that now qualify become towns at once."""
    for k in range(np.int64(s["sites"][seat])):
        if not s["town"][s["site"][seat, k]]:
            check_town(s, seat, np.int64(s["site"][seat, k]))


@kernel
def river_group(s, seat, river, group, seen):
    """Structures that a river hex would connect; their number."""
    count = 0
    for k in range(6):
        count = join(s, seat, RIVER_LAND[river, k], group, count, seen)
    return collect(s, seat, group, count, seen)


@kernel
def can_connect(s, seat, river):
    """May the Mermaids declare this river hex? Only if a town results."""
    if (s["river_town"] >> river) & 1:
        return False
    beside = 0
    for k in range(6):
        land = RIVER_LAND[river, k]
        if land >= 0 and s["owner"][land] == seat:
            if s["town"][land]:
                return False
            beside += 1
    if beside < 2:
        return False
    group = np.empty(LAND, np.int64)
    seen = np.zeros(LAND, np.bool_)
    count = river_group(s, seat, river, group, seen)
    return is_town(s, seat, group, count) and town_tiles_free(s) > 0


@kernel
def can_connect_any(s, seat):
    if s["faction"][seat] != MERMAIDS or s["sites"][seat] < 3:
        return False
    for river in range(RIVERS):
        if can_connect(s, seat, river):
            return True
    return False


@kernel
def connect(s, seat, river):
    group = np.empty(LAND, np.int64)
    seen = np.zeros(LAND, np.bool_)
    count = river_group(s, seat, river, group, seen)
    s["river_town"] |= 1 << river
    for k in range(count):
        s["town"][group[k]] = 1
    s["towns_due"] += 1


@kernel
def take_town(s, seat, tile):
    """The tile's VP, goods and key, and what founding a town earns besides."""
    s["towns_due"] -= 1
    s["towns_left"][tile] -= 1
    s["towns"][seat, tile] += 1
    s["vp"][seat] += TOWN_GAIN[tile, 0]
    s["workers"][seat] += TOWN_GAIN[tile, 1]
    s["coins"][seat] += TOWN_GAIN[tile, 2]
    gain_priests(s, seat, TOWN_GAIN[tile, 3])
    gain_power(s, seat, TOWN_GAIN[tile, 4])
    round_tile = s["tile"][np.int64(s["round"]) - 1]
    if TILE_EVENT[round_tile] == SCORE_TOWN:
        s["vp"][seat] += TILE_VP[round_tile]
    if s["faction"][seat] == WITCHES:
        s["vp"][seat] += 5
    elif s["faction"][seat] == SWARMLINGS:
        s["workers"][seat] += 3
    gain_key(s, seat, tile == TOWN_CULTS)
