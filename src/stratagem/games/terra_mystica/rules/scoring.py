"""The end of the game: cults, network, remaining goods, and the winner."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import ALCHEMISTS, DWARVES, FAKIRS
from stratagem.games.terra_mystica.board.hexes import (
    BEYOND,
    BIT,
    BRIDGE,
    BRIDGES_AT,
    MOST_SHIPPING,
    REACH,
)
from stratagem.games.terra_mystica.rules.ground import has_stronghold, in_set, structure_mask
from stratagem.games.terra_mystica.rules.resources import spend_power
from stratagem.games.terra_mystica.state import SEATS

_CULT_PRIZES = np.array([8, 4, 2, 0, 0], np.int64)
_NETWORK_PRIZES = np.array([18, 12, 6, 0, 0], np.int64)


@kernel
def prize_of(places, seat, players, prizes):
    """Return a seat's share in the prizes: tied ranks add theirs up and divide, rounding down."""
    if places[seat] == 0:
        return 0
    above = 0
    level = 0
    for other in range(players):
        if places[other] > places[seat]:
            above += 1
        elif places[other] == places[seat]:
            level += 1
    total = 0
    for rank in range(above, above + level):
        total += prizes[rank]
    return total // level


@kernel
def score_cult(s, cult):
    players = np.int64(s["players"])
    places = np.zeros(SEATS, np.int64)
    for seat in range(players):
        places[seat] = s["cult"][seat, cult]
    for seat in range(players):
        s["vp"][seat] += prize_of(places, seat, players, _CULT_PRIZES)


@kernel
def score_network(s):
    players = np.int64(s["players"])
    places = np.zeros(SEATS, np.int64)
    for seat in range(players):
        places[seat] = network_size(s, seat)
    for seat in range(players):
        s["vp"][seat] += prize_of(places, seat, players, _NETWORK_PRIZES)


@kernel
def linked(s, seat, land):
    """Return hexes one step of the final network away; bonus cards' shipping does not count."""
    level = min(np.int64(s["ship"][seat]), MOST_SHIPPING)
    low, high = REACH[level, land, 0], REACH[level, land, 1]
    faction = s["faction"][seat]
    if faction == DWARVES or faction == FAKIRS:
        most = 3 if faction == FAKIRS and has_stronghold(s, seat) else 2
        low |= BEYOND[most, land, 0]
        high |= BEYOND[most, land, 1]
    if s["bridges"][seat] > 0:
        for k in range(4):
            place = BRIDGES_AT[land, k]
            if place >= 0 and s["bridge"][place] == seat:
                other = BRIDGE[place, 0] + BRIDGE[place, 1] - land
                low |= BIT[other, 0]
                high |= BIT[other, 1]
    return low, high


@kernel
def network_size(s, seat):
    """Return the number of structures in the largest connected network."""
    sites = np.int64(s["sites"][seat])
    left_low, left_high = structure_mask(s, seat)
    left = sites
    best = 0
    for first in range(sites):
        if best >= left:
            break  # what is left is no larger
        start = np.int64(s["site"][seat, first])
        if not in_set(left_low, left_high, start):
            continue
        new_low, new_high = BIT[start, 0], BIT[start, 1]
        count = 0
        while new_low != 0 or new_high != 0:
            left_low &= ~new_low
            left_high &= ~new_high
            more_low, more_high = 0, 0
            for k in range(first, sites):
                land = np.int64(s["site"][seat, k])
                if in_set(new_low, new_high, land):
                    count += 1
                    linked_low, linked_high = linked(s, seat, land)
                    more_low |= linked_low
                    more_high |= linked_high
            new_low, new_high = more_low & left_low, more_high & left_high
        left -= count
        best = max(best, count)
    return best


@kernel
def score_resources(s, seat):
    """Burn bowl II, convert everything to coins, and coins to VP."""
    burnt = np.int64(s["bowl"][seat, 1]) // 2
    power = np.int64(s["bowl"][seat, 2]) + burnt
    spend_power(s, seat, power)
    coins = (
        np.int64(s["coins"][seat])
        + np.int64(s["workers"][seat])
        + np.int64(s["priests"][seat])
        + power
    )
    rate = 2 if s["faction"][seat] == ALCHEMISTS else 3
    s["workers"][seat] = 0
    s["priests"][seat] = 0
    s["coins"][seat] = coins % rate
    s["vp"][seat] += coins // rate


@kernel
def returns(s, out):
    """The winner gets 1 and the others -1; tied winners share; two tied players get 0."""
    players = np.int64(s["players"])
    best = -1
    winners = 0
    for seat in range(players):
        if s["vp"][seat] > best:
            best = np.int64(s["vp"][seat])
            winners = 0
        if s["vp"][seat] == best:
            winners += 1
    for seat in range(players):
        out[seat] = 2.0 / winners - 1.0 if s["vp"][seat] == best else -1.0


@kernel
def score(s, seat):
    return float(s["vp"][seat])
