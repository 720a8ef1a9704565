"""Groups of structures and the towns they found."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import (
    MERMAIDS,
    POWER_VALUE,
    SANCTUARY,
    SWARMLINGS,
    WITCHES,
)
from stratagem.games.terra_mystica.board.hexes import (
    BIT,
    BRIDGE,
    BRIDGES_AT,
    LAND_RIVERS,
    REACH,
    RIVER_LAND,
    RIVERS,
)
from stratagem.games.terra_mystica.board.tiles import (
    FAV_TOWN,
    SCORE_TOWN,
    TILE_EVENT,
    TILE_VP,
    TOWN_CULTS,
    TOWN_GAIN,
)
from stratagem.games.terra_mystica.rules.cults import gain_key
from stratagem.games.terra_mystica.rules.ground import in_set, structure_mask
from stratagem.games.terra_mystica.rules.resources import gain_power, gain_priests


@kernel
def beside(s, seat, land):
    """Return hexes whose structures are connected with this one: neighbours, bridges, rivers."""
    low, high = REACH[0, land, 0], REACH[0, land, 1]
    for k in range(4):
        place = BRIDGES_AT[land, k]
        if place >= 0 and s["bridge"][place] >= 0:
            other = BRIDGE[place, 0] + BRIDGE[place, 1] - land
            low |= BIT[other, 0]
            high |= BIT[other, 1]
    if s["river_town"] != 0 and s["faction"][seat] == MERMAIDS:
        for k in range(6):
            river = LAND_RIVERS[land, k]
            if river >= 0 and (s["river_town"] >> river) & 1:
                for n in range(6):
                    if RIVER_LAND[river, n] >= 0:
                        low |= BIT[RIVER_LAND[river, n], 0]
                        high |= BIT[RIVER_LAND[river, n], 1]
    return low, high


@kernel
def group_of(s, seat, low, high):
    """Grow a set of this seat's structures to all that are connected with them."""
    own_low, own_high = structure_mask(s, seat)
    new_low, new_high = low, high
    while new_low != 0 or new_high != 0:
        more_low, more_high = 0, 0
        for k in range(np.int64(s["sites"][seat])):
            land = np.int64(s["site"][seat, k])
            if in_set(new_low, new_high, land):
                beside_low, beside_high = beside(s, seat, land)
                more_low |= beside_low
                more_high |= beside_high
        new_low = more_low & own_low & ~low
        new_high = more_high & own_high & ~high
        low |= new_low
        high |= new_high
    return low, high


@kernel
def power_of(s, seat, low, high):
    """Return (power, structures) of a group; a sanctuary counts as two structures."""
    power = 0
    number = 0
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        if in_set(low, high, land):
            building = s["building"][land]
            power += POWER_VALUE[building]
            number += 2 if building == SANCTUARY else 1
    return power, number


@kernel
def has_town(s, seat, low, high):
    """Whether one of these structures is part of a town."""
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        if s["town"][land] and in_set(low, high, land):
            return True
    return False


@kernel
def is_town(s, seat, low, high):
    """Whether these structures, none of them in a town, would found one."""
    if has_town(s, seat, low, high):
        return False
    power, number = power_of(s, seat, low, high)
    needed = 6 if (s["favours"][seat] >> FAV_TOWN) & 1 else 7
    return number >= 4 and power >= needed


@kernel
def town_tiles_free(s):
    """Count the town tiles that nobody has taken or is about to take."""
    left = -np.int64(s["towns_due"])
    for k in range(5):
        left += np.int64(s["towns_left"][k])
    return left


@kernel
def check_town(s, seat, land):
    """Found a town where a structure was built, upgraded or connected, or join one."""
    low, high = group_of(s, seat, BIT[land, 0], BIT[land, 1])
    if not has_town(s, seat, low, high):
        if not is_town(s, seat, low, high) or town_tiles_free(s) <= 0:
            return
        s["towns_due"] += 1
    settle(s, seat, low, high)


@kernel
def settle(s, seat, low, high):
    """Make these structures part of a town."""
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        if in_set(low, high, land):
            s["town"][land] = 1


@kernel
def check_every_group(s, seat):
    """After FAV5, turn groups that now qualify into towns at once."""
    for k in range(np.int64(s["sites"][seat])):
        if not s["town"][s["site"][seat, k]]:
            check_town(s, seat, np.int64(s["site"][seat, k]))


@kernel
def river_group(s, seat, river):
    """Return the structures that a river hex would connect."""
    low, high = 0, 0
    for k in range(6):
        land = RIVER_LAND[river, k]
        if land >= 0 and s["owner"][land] == seat:
            low |= BIT[land, 0]
            high |= BIT[land, 1]
    return group_of(s, seat, low, high)


@kernel
def can_connect(s, seat, river):
    """Whether the Mermaids may connect over this river hex: only if a town results."""
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
    low, high = river_group(s, seat, river)
    return is_town(s, seat, low, high) and town_tiles_free(s) > 0


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
    low, high = river_group(s, seat, river)
    s["river_town"] |= 1 << river
    settle(s, seat, low, high)
    s["towns_due"] += 1


@kernel
def take_town(s, seat, tile):
    """Score the tile's VP, goods and key, and what founding a town earns in addition."""
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
