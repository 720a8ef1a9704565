"""Reaching, digging and neighbours."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import (
    COST,
    DARKLINGS,
    DIG_START,
    DWARVES,
    DWELLING,
    FAKIRS,
    MOST_SHIP,
    POWER_VALUE,
)
from stratagem.games.terra_mystica.board.hexes import (
    BEYOND,
    BIT,
    BRIDGE,
    BRIDGES,
    BRIDGES_AT,
    NEAR,
    REACH,
    WORD,
)
from stratagem.games.terra_mystica.board.tiles import BON_SHIP
from stratagem.games.terra_mystica.state import SEATS

TUNNEL_VP = 4


@kernel
def in_set(low, high, land):
    if land < WORD:
        return (low >> land) & 1 != 0
    return (high >> (land - WORD)) & 1 != 0


@kernel
def structure_mask(s, seat):
    """Return the set of hexes with a structure of this seat."""
    low = 0
    high = 0
    for k in range(np.int64(s["sites"][seat])):
        low |= BIT[s["site"][seat, k], 0]
        high |= BIT[s["site"][seat, k], 1]
    return low, high


@kernel
def has_stronghold(s, seat):
    return s["count"][seat, 4] > 0


@kernel
def shipping(s, seat):
    """Return the shipping level in the action phase, with the bonus card (not Dwarves, Fakirs)."""
    level = np.int64(s["ship"][seat])
    if s["bonus"][seat] == BON_SHIP and MOST_SHIP[s["faction"][seat]] > 0:
        level += 1
    return level


@kernel
def reached(s, seat, level):
    """Return the set of empty hexes that this seat reaches without tunnel or carpet."""
    low = 0
    high = 0
    for k in range(np.int64(s["sites"][seat])):
        site = s["site"][seat, k]
        low |= REACH[level, site, 0]
        high |= REACH[level, site, 1]
    for k in range(BRIDGES if s["bridges"][seat] > 0 else 0):
        if s["bridge"][k] == seat:
            for end in range(2):
                if s["owner"][BRIDGE[k, end]] == seat:
                    low |= BIT[BRIDGE[k, 1 - end], 0]
                    high |= BIT[BRIDGE[k, 1 - end], 1]
    return low & ~s["occupied"][0], high & ~s["occupied"][1]


@kernel
def reached_beyond(s, seat, low, high):
    """Return the empty hexes that need a tunnel or carpet; (low, high) are those that do not."""
    faction = s["faction"][seat]
    further_low = 0
    further_high = 0
    if faction == DWARVES or faction == FAKIRS:
        most = 3 if faction == FAKIRS and has_stronghold(s, seat) else 2
        for k in range(np.int64(s["sites"][seat])):
            site = s["site"][seat, k]
            further_low |= BEYOND[most, site, 0]
            further_high |= BEYOND[most, site, 1]
        further_low &= ~(low | s["occupied"][0])
        further_high &= ~(high | s["occupied"][1])
    return further_low, further_high


@kernel
def tunnel_cost(s, seat):
    """Return (workers, priests) that a tunnel or carpet costs this faction."""
    if s["faction"][seat] == DWARVES:
        return 1 if has_stronghold(s, seat) else 2, 0
    return 0, 1


@kernel
def spade_cost(s, seat, spades):
    """Return (workers, priests) for paid spades."""
    if s["faction"][seat] == DARKLINGS:
        return 0, spades
    rate = DIG_START[s["faction"][seat]] - np.int64(s["dig"][seat])
    return rate * spades, 0


@kernel
def ground_cost(s, seat, spades, beyond, build):
    """Return (workers, priests, coins) of paid spades, a tunnel or carpet, and a dwelling."""
    workers, priests = spade_cost(s, seat, spades)
    coins = 0
    if beyond:
        more_workers, more_priests = tunnel_cost(s, seat)
        workers += more_workers
        priests += more_priests
    if build:
        workers += COST[s["faction"][seat], DWELLING, 0]
        coins += COST[s["faction"][seat], DWELLING, 1]
    return workers, priests, coins


@kernel
def power_beside(s, land, seat):
    """Sum the power values of a seat's structures adjacent to a hex."""
    total = 0
    for k in range(6):
        other = NEAR[land, k]
        if other >= 0 and s["owner"][other] == seat:
            total += POWER_VALUE[s["building"][other]]
    for k in range(4):
        place = BRIDGES_AT[land, k]
        if place >= 0 and s["bridge"][place] >= 0:
            other = BRIDGE[place, 0] + BRIDGE[place, 1] - land
            if s["owner"][other] == seat:
                total += POWER_VALUE[s["building"][other]]
    return total


@kernel
def has_opponent_beside(s, land, seat):
    for k in range(6):
        other = NEAR[land, k]
        if other >= 0 and s["owner"][other] >= 0 and s["owner"][other] != seat:
            return True
    for k in range(4):
        place = BRIDGES_AT[land, k]
        if place >= 0 and s["bridge"][place] >= 0:
            owner = s["owner"][BRIDGE[place, 0] + BRIDGE[place, 1] - land]
            if owner >= 0 and owner != seat:
                return True
    return False


@kernel
def offer_power(s, land, seat):
    """Record what a build offers to every opponent; a turn has at most two builds."""
    row = 0
    for other in range(SEATS):
        if s["offer"][0, other] > 0:
            row = 1
    s["builder"] = seat
    for other in range(np.int64(s["players"])):
        if other != seat:
            s["offer"][row, other] = power_beside(s, land, other)
