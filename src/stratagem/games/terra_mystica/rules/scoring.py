"""The end of the game: cults, network, what is left over, and who has won (section 3.9)."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board import BRIDGE, BRIDGES, DISTANCE, MOST_SHIPPING, SHIP
from stratagem.games.terra_mystica.factions import ALCHEMISTS, DWARVES, FAKIRS, MOST_SITES
from stratagem.games.terra_mystica.rules.ground import has_stronghold
from stratagem.games.terra_mystica.rules.resources import spend_power
from stratagem.games.terra_mystica.rules.state import SEATS

_CULT_PRIZES = np.array([8, 4, 2, 0, 0], np.int64)
_NETWORK_PRIZES = np.array([18, 12, 6, 0, 0], np.int64)


@kernel
def prize_of(places, seat, players, prizes):
    """Share of a seat in the prizes: tied ranks add up theirs and divide, rounding down."""
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
def connected(s, seat, a, b):
    """Are two structures linked for the final network? The bonus card's ship does not count."""
    if DISTANCE[a, b] == 1:
        return True
    if 1 <= SHIP[a, b] <= min(np.int64(s["ship"][seat]), MOST_SHIPPING):
        return True
    faction = s["faction"][seat]
    if faction == DWARVES and DISTANCE[a, b] == 2:
        return True
    if faction == FAKIRS and DISTANCE[a, b] <= (3 if has_stronghold(s, seat) else 2):
        return True
    if s["bridges"][seat] > 0:
        for k in range(BRIDGES):
            if s["bridge"][k] == seat and (
                (BRIDGE[k, 0] == a and BRIDGE[k, 1] == b)
                or (BRIDGE[k, 0] == b and BRIDGE[k, 1] == a)
            ):
                return True
    return False


@kernel
def network_size(s, seat):
    """Structures in the largest connected network."""
    sites = np.int64(s["sites"][seat])
    seen = np.zeros(MOST_SITES, np.bool_)
    queue = np.empty(MOST_SITES, np.int64)
    best = 0
    for first in range(sites):
        if seen[first]:
            continue
        seen[first] = True
        queue[0] = first
        count = 1
        head = 0
        while head < count:
            here = np.int64(s["site"][seat, queue[head]])
            head += 1
            for other in range(sites):
                if not seen[other] and connected(s, seat, here, np.int64(s["site"][seat, other])):
                    seen[other] = True
                    queue[count] = other
                    count += 1
        best = max(best, count)
    return best


@kernel
def score_resources(s, seat):
    """Burn bowl II, make everything coins, and coins VP."""
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
    """The winner gets 1 and the others -1; equal winners share; two equal players get 0."""
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
