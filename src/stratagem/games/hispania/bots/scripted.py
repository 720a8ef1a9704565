"""Scripted players: reactive, local, without search or memory.

`scripted` follows history and points; `timid` wants better odds, `greedy` looks only at points,
`naive` is noisier. A move is chosen as a whole, then made in parts: from where, which pieces, to
where; the noise is drawn anew for each part.
"""

from typing import Any, NamedTuple

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, unit
from stratagem.games.hispania.actions import BUY, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import (
    BIT,
    COST,
    GARRISON,
    LEADER,
    ODDS,
    ON_MAP,
    REGIONS,
    SEA_REACH,
    SHIPS,
)
from stratagem.games.hispania.bots.worth import foe_worth, kill_worth, worth
from stratagem.games.hispania.rules.power import attack_ratio, battle_ratio, threat_to
from stratagem.games.hispania.rules.reach import fresh, march, mask_of_group, pace, room_in
from stratagem.games.hispania.rules.stacks import low, survey, units_in
from stratagem.games.hispania.state import (
    ATTACKER,
    BATTLE,
    DEFENDER,
    DESTINATION,
    GROUP,
    GROWTH,
    ORIGIN,
)

_WORTH_MOVING = 0.35
_NEVER = -1.0e9


class Character(NamedTuple):
    """The differences between the players."""

    odds: float  # factor on the odds that a nation needs to attack
    history: float  # weight of the history rows
    noise: float


class Group(NamedTuple):
    """Pieces that move together."""

    infantry: int
    cavalry: int
    special: int
    leader: int


class Prospect(NamedTuple):
    """The map as seen by a nation before it moves."""

    seen: Any  # masks of regions: own, neutral, friendly, hostile, with a lone leader
    values: Any  # [region] worth
    threats: Any  # [region] largest adjacent hostile stack


@kernel
def scripted(s, ids, count, word):
    return decide(s, ids, count, word, Character(1.0, 1.0, 1.0))


@kernel
def timid(s, ids, count, word):
    return decide(s, ids, count, word, Character(1.3, 1.0, 1.0))


@kernel
def greedy(s, ids, count, word):
    return decide(s, ids, count, word, Character(1.0, 0.0, 1.0))


@kernel
def naive(s, ids, count, word):
    return decide(s, ids, count, word, Character(1.0, 1.0, 3.0))


@kernel
def decide(s, ids, count, word, character):
    phase = s["phase"]
    if count == 1:
        return ids[0]
    if phase == GROWTH:
        return choose_purchase(s, ids, count, word, character)
    if phase == ORIGIN or phase == GROUP or phase == DESTINATION:
        return choose_move(s, ids, count, word, character)
    if phase == BATTLE:
        return ids[below(advance(word), count)]
    if phase == DEFENDER:
        return choose_refuge(s, ids, count, character.history)
    if phase == ATTACKER:
        return ids[1] if battle_ratio(s) < 0.45 else ids[0]
    return choose_removal(s, ids, count, character.history)


@kernel
def choose_purchase(s, ids, count, word, character):
    nation = np.int64(s["nation"])
    best = _NEVER
    chosen = ids[0]
    region = -1
    value = 0.0
    threat = 0
    for k in range(count):
        slot = (ids[k] - BUY) // REGIONS
        if (ids[k] - BUY) % REGIONS != region:
            region = (ids[k] - BUY) % REGIONS
            value = worth(s, nation, region, character.history)
            threat = threat_to(s, nation, region)
        word = advance(word)
        here = rate_purchase(s, nation, slot, region, value, threat)
        here += 0.5 * character.noise * unit(word)
        if here > best:
            best = here
            chosen = ids[k]
    return chosen


@kernel
def rate_purchase(s, nation, slot, region, value, threat):
    if slot >= 3:
        if slot == 5:
            return 0.5 * value + 1.2
        return (
            0.4 * value + 0.8 * threat - 1.5 + (1.0 if slot == 4 else 0.0)
            - 0.1 * COST[nation, slot]
        )  # fmt: skip
    own = units_in(s, region)
    rate = 1.0 if slot == 0 else 1.5
    if slot == 2:
        rate = 2.2 if COST[nation, 2] >= 12 else 2.0  # only knights cost 12
    rate += 0.5 * max(0, threat - own) + 0.2 * value
    if threat > 0:
        rate += 0.6
        if own == 1:
            rate += 1.0
    return rate


@kernel
def garrison(s, nation, region, value, threat):
    """Return how many units stay behind."""
    if not ON_MAP[region] or GARRISON[nation] == 0:
        return 0
    if threat >= 2 and value >= 2.0:
        return 2
    return 1 if value > 0.3 or threat > 0 else 0


@kernel
def choose_move(s, ids, count, word, character):
    """Choose the best move from any region, from the chosen one, or of the chosen group."""
    nation = np.int64(s["nation"])
    phase = s["phase"]
    values = np.empty(REGIONS, np.float64)
    threats = np.empty(REGIONS, np.int64)
    for region in range(REGIONS):
        values[region] = worth(s, nation, region, character.history)
        threats[region] = threat_to(s, nation, region)
    prospect = Prospect(survey(s, nation), values, threats)
    best = _NEVER
    answer = -1
    for origin in range(REGIONS):
        if s["owner"][origin] != nation or (phase != ORIGIN and origin != s["origin"]):
            continue
        stay = garrison(s, nation, origin, values[origin], threats[origin])
        free = min(
            fresh(s, origin, 0) + fresh(s, origin, 1) + fresh(s, origin, 2),
            units_in(s, origin) - stay,
        )
        for leader in range(fresh(s, origin, LEADER) + 1):
            for size in range(1, free + 1):
                special = min(size, fresh(s, origin, 2))
                cavalry = min(size - special, fresh(s, origin, 1))
                group = Group(size - special - cavalry, cavalry, special, leader)
                mask = mask_of_group(s, origin, group.infantry, cavalry, special, leader)
                if phase == DESTINATION and mask != s["group"]:
                    continue
                word, rate, target = best_target(
                    s, nation, origin, group, prospect, character, word
                )
                if rate > best:
                    best = rate
                    answer = target
                    if phase == ORIGIN:
                        answer = origin
                    elif phase == GROUP:
                        answer = mask
    if phase == ORIGIN:
        return FROM + answer if best > _WORTH_MOVING else STOP
    if answer < 0:
        return ids[below(advance(word), count)]
    return WITH + answer if phase == GROUP else TO + answer


@kernel
def best_target(s, nation, origin, group, prospect, character, word):
    """Return (stream, rating, region): the best destination for this group."""
    own, neutral, friend, foe, lone = prospect.seen
    values, threats = prospect.values, prospect.threats
    infantry, cavalry, special, leader = group
    size = infantry + cavalry + special
    points = pace(nation, infantry, cavalry, special, leader)
    passable = own | neutral | friend
    ends, dry = march(origin, points, leader > 0, passable, passable | foe | lone)
    ends = (ends | SEA_REACH[SHIPS[nation, s["round"]], origin]) & (own | neutral | foe | lone)
    ends &= ~BIT[origin]
    best = _NEVER
    target = -1
    while ends != 0:
        region = low(ends)
        ends &= ends - 1
        if room_in(s, nation, region, leader > 0) < size:
            continue
        if BIT[region] & foe != 0:
            # One origin per attack, as in the playouts behind data/par.csv.
            if s["pending"][region] > 0:
                continue
            crossed = dry & BIT[region] == 0
            ratio = attack_ratio(s, nation, region, infantry, cavalry, special, leader, crossed)
            wanted = ODDS[nation] * character.odds
            if ratio < wanted * wanted:
                continue
            rate = rate_attack(s, nation, region, values[region], size, ratio, character.history)
        elif BIT[region] & own != 0:
            lacking = max(0, threats[region] - units_in(s, region))
            rate = 0.25 * values[region] * min(lacking, size) - 0.2 * size
        else:
            rate = values[region] + 0.3 - 0.35 * (size - 1)
            rate += 0.3 * min(size - 1, threats[region])
            if not ON_MAP[origin]:
                rate += 1.5
            if leader > 0:
                rate -= 0.4
        word = advance(word)
        rate += 0.4 * character.noise * unit(word)
        if rate > best:
            best = rate
            target = region
    return word, best, target


@kernel
def rate_attack(s, nation, region, value, size, ratio, history):
    enemy = np.int64(s["owner"][region])
    rate = value + 0.5 * kill_worth(s, nation, enemy, region)
    rate += 0.5 * history * foe_worth(s, nation, enemy)
    rate += 0.25 * worth(s, enemy, region, history)
    return rate - 0.25 * size + 0.3 * min(ratio, 4.0) - 0.4 * units_in(s, region)


@kernel
def choose_refuge(s, ids, count, history):
    """Retreat from three times its power, unless the region is valuable to the defender."""
    site = np.int64(s["site"])
    nation = np.int64(s["owner"][site])
    if battle_ratio(s) <= 3.0 or worth(s, nation, site, history) >= 4.0:
        return ids[0]
    best = _NEVER
    chosen = ids[0]
    for k in range(1, count):
        value = worth(s, nation, ids[k] - RETREAT, history)
        if value > best:
            best = value
            chosen = ids[k]
    return chosen


@kernel
def choose_removal(s, ids, count, history):
    """Remove the cheapest unit of the least valuable region with more than one unit."""
    nation = np.int64(s["nation"])
    least = 1.0e9
    chosen = ids[0]
    for k in range(count):
        region = (ids[k] - REMOVE) % REGIONS
        value = worth(s, nation, region, history)
        if units_in(s, region) == 1:
            value += 1000.0
        if value < least:  # within a region cheaper types come first
            least = value
            chosen = ids[k]
    return chosen
