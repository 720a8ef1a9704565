"""The start of a round: nations leave or turn into others, then new pieces arrive."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    ACCESS,
    ARRIVAL_FROM,
    ARRIVAL_LEADER,
    ARRIVAL_MAJOR,
    ARRIVAL_MODE,
    ARRIVAL_NATION,
    ARRIVAL_REGIONS,
    ARRIVAL_REVOLT,
    ARRIVAL_ROUND,
    ARRIVAL_TO,
    ARRIVAL_UNITS,
    ARRIVAL_UNTIL,
    BIT,
    CITY,
    COAST_MASK,
    ENTRY,
    EVENT,
    EVENT_FROM,
    EVENT_REGIONS,
    EVENT_TO,
    FORT,
    HOME,
    LEAVE,
    NATIONS,
    NEAR,
    NONE,
    ON_MAP,
    POPULATION,
    QUANTITY,
    REGIONS,
    TRANSFORM,
)
from stratagem.games.hispania.rules.scoring import score_exit
from stratagem.games.hispania.rules.stacks import (
    clear_region,
    has_pieces,
    held_by,
    hostile,
    limit_of,
    low,
    on_board,
    size,
    units_in,
)


@kernel
def start_round(s):
    """Run events, then arrivals in the order of the nations."""
    now = np.int64(s["round"])
    s["major"] = 0
    s["halved"] = 0
    for row in range(EVENT_FROM[s["tables"]], EVENT_TO[s["tables"]]):
        if EVENT[row, 0] == now and s["player"][EVENT[row, 1]] >= 0:
            happen(s, row)
    first = ARRIVAL_FROM[s["tables"]]
    for nation in range(NATIONS):
        if s["player"][nation] < 0:
            continue
        for row in range(first, ARRIVAL_TO[s["tables"]]):
            if ARRIVAL_NATION[row] == nation and ARRIVAL_ROUND[row] <= now:
                if ARRIVAL_ROUND[row] == now:
                    announce(s, row, row - first)
                arrive(s, row, row - first)


@kernel
def happen(s, row):
    nation = EVENT[row, 1]
    kind = EVENT[row, 2]
    if kind == LEAVE:
        score_exit(s, nation)
        remove_nation(s, nation)
    elif kind == TRANSFORM:
        if size(held_by(s, nation)) <= EVENT[row, 4]:
            transform(s, nation, EVENT[row, 3], EVENT_REGIONS[row], EVENT[row, 5])
    else:
        s["halved"] = s["halved"] | BIT[nation]


@kernel
def remove_nation(s, nation):
    """Return every piece to the box, cancel what is waiting, and free the nation's vassals."""
    for region in range(REGIONS):
        if s["owner"][region] == nation:
            clear_region(s, region)
    first = ARRIVAL_FROM[s["tables"]]
    for row in range(first, ARRIVAL_TO[s["tables"]]):
        if ARRIVAL_NATION[row] == nation:
            for kind in range(4):
                s["waiting"][row - first, kind] = 0
    s["pool"][nation] = 0
    s["overlord"][nation] = -1
    for other in range(NATIONS):
        if s["overlord"][other] == nation:
            s["overlord"][other] = -1


@kernel
def transform(s, nation, heir, regions, min_units):
    """Turn regions of one nation into infantry of another: cities first, then rich regions."""
    left = held_by(s, nation) & regions
    every = regions & (BIT[REGIONS] - 1) == BIT[REGIONS] - 1
    spare = 0
    if s["player"][heir] >= 0:
        spare = QUANTITY[heir, 0] - on_board(s, heir, 0)
    founded = 0
    while left != 0:
        region = richest(s, left)
        left &= ~BIT[region]
        clear_region(s, region)
        if s["structure"][region] == FORT:
            s["structure"][region] = NONE
            s["builder"][region] = -1
        if (ACCESS[heir] & s["active"]) & BIT[region] == 0:
            continue
        wanted = 2 if s["structure"][region] == CITY else 1
        given = min(wanted, spare)
        if given > 0:
            s["owner"][region] = heir
            s["units"][region, 0] = given
            spare -= given
            founded += given
    if founded < min_units:
        s["vp"][nation] -= min_units - founded
    if every:
        remove_nation(s, nation)


@kernel
def richest(s, regions):
    """Return the next region to hand over: a city, then the highest population, then the id."""
    best = -1
    best_worth = -1
    while regions != 0:
        region = low(regions)
        regions &= regions - 1
        worth = POPULATION[region] + (100 if s["structure"][region] == CITY else 0)
        if worth > best_worth:
            best = region
            best_worth = worth
    return best


@kernel
def announce(s, row, place):
    """Bring a row's pieces into play, at most what the box holds; apply its flags."""
    nation = ARRIVAL_NATION[row]
    if ARRIVAL_MODE[row] == HOME and not has_pieces(s, nation):
        return
    if ARRIVAL_REVOLT[row] == 1:
        s["overlord"][nation] = -1
    if ARRIVAL_MAJOR[row] == 1:
        s["major"] = s["major"] | BIT[nation]
    for kind in range(3):
        s["waiting"][place, kind] = ARRIVAL_UNITS[row, kind]
    s["waiting"][place, 3] = 1 if ARRIVAL_LEADER[row] else 0


@kernel
def arrive(s, row, place):
    """Place a row's waiting pieces; only those that enter may wait for another round."""
    waiting = s["waiting"][place]
    if (
        np.int64(waiting[0]) + np.int64(waiting[1]) + np.int64(waiting[2]) + np.int64(waiting[3])
        == 0
    ):
        return
    nation = ARRIVAL_NATION[row]
    if ARRIVAL_UNTIL[row] < s["round"]:
        waiting[3] = 0
    for kind in range(3):
        spare = QUANTITY[nation, kind] - on_board(s, nation, kind)
        waiting[kind] = max(0, min(np.int64(waiting[kind]), spare))
    if ARRIVAL_MODE[row] == ENTRY:
        for k in range(6):
            region = ARRIVAL_REGIONS[row, k]
            if region >= 0 and may_enter(s, nation, region):
                fill(s, nation, region, waiting, place)
        return
    if ARRIVAL_MODE[row] == HOME:
        arrive_home(s, row, nation, waiting, place)
    else:
        settle(s, row, nation, waiting, place)
    for kind in range(4):
        waiting[kind] = 0


@kernel
def is_free(s, nation, region):
    """Whether a region is the nation's own or empty."""
    return s["active"] & BIT[region] != 0 and (
        s["owner"][region] == nation or s["owner"][region] < 0
    )


@kernel
def may_enter(s, nation, region):
    """Whether a region is an off-map box of the nation, or a coast of its own or empty."""
    if not is_free(s, nation, region) or ACCESS[nation] & BIT[region] == 0:
        return False
    return not ON_MAP[region] or COAST_MASK & BIT[region] != 0


@kernel
def fill(s, nation, region, waiting, place):
    """Put waiting pieces into a region up to its limit: the leader, then the costliest units."""
    units = np.int64(waiting[0]) + np.int64(waiting[1]) + np.int64(waiting[2])
    if waiting[3] > 0 and s["leader"][region] == 0 and (units > 0 or units_in(s, region) > 0):
        s["leader"][region] = place + 1
        s["owner"][region] = nation
        waiting[3] = 0
    for kind in range(2, -1, -1):
        while waiting[kind] > 0 and units_in(s, region) < limit_of(s, nation, region, False):
            s["owner"][region] = nation
            s["units"][region, kind] += 1
            waiting[kind] -= 1


@kernel
def arrive_home(s, row, nation, waiting, place):
    """Fill listed regions that the nation controls, then any others with room."""
    for k in range(6):
        region = ARRIVAL_REGIONS[row, k]
        if region >= 0 and s["owner"][region] == nation and units_in(s, region) > 0:
            fill(s, nation, region, waiting, place)
    for region in range(REGIONS):
        if s["owner"][region] == nation and units_in(s, region) > 0:
            fill(s, nation, region, waiting, place)


@kernel
def settle(s, row, nation, waiting, place):
    """Fill the listed regions that are free; if there are none, empty the least defended one."""
    weakest = 99
    chosen = -1
    for k in range(6):
        region = ARRIVAL_REGIONS[row, k]
        if region < 0 or s["active"] & BIT[region] == 0:
            continue
        if is_free(s, nation, region):
            weakest = -1
            fill(s, nation, region, waiting, place)
        elif hostile(s, nation, np.int64(s["owner"][region])) and units_in(s, region) < weakest:
            weakest = units_in(s, region)
            chosen = region
    if weakest >= 0 and chosen >= 0:
        expel(s, chosen)
        fill(s, nation, chosen, waiting, place)


@kernel
def expel(s, region):
    """Move units to adjacent own regions with room, one by one; the others are lost."""
    nation = np.int64(s["owner"][region])
    beside = NEAR[region]
    while beside != 0:
        refuge = low(beside)
        beside &= beside - 1
        if s["owner"][refuge] != nation or units_in(s, refuge) == 0:
            continue
        if s["leader"][region] > 0 and s["leader"][refuge] == 0:
            s["leader"][refuge] = s["leader"][region]
            s["leader"][region] = 0
        for kind in range(2, -1, -1):
            while s["units"][region, kind] > 0 and units_in(s, refuge) < limit_of(
                s, nation, refuge, False
            ):
                s["units"][refuge, kind] += 1
                s["units"][region, kind] -= 1
    clear_region(s, region)
