"""The hand-made evaluation: the value of a position for a player, in points.

A weighted sum over what a player has (points, production, harbours, building sites in reach, hand,
cards, roads, knights), minus a share of the same for the strongest opponent. It reads only what the
caller may see: pass it a position that went through `hide`.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.board import BIT, PLACES
from stratagem.games.catan.encode.forecast import (
    HARBOUR,
    REACH,
    SITE_WEIGHTS,
    VARIETY,
    free_neighbours,
    production,
    site_worth,
)
from stratagem.games.catan.state import (
    CARD,
    CITY,
    COSTS,
    KNIGHT,
    POINT,
    RESOURCES,
    ROAD,
    SEATS,
    SETTLEMENT,
    card_count,
    hand_size,
    points,
    visible_points,
)

# In points: of a building site, then of each name below.
WEIGHTS = np.array(
    [
        *SITE_WEIGHTS, 1.5, 0.42, 0.78,
        2.5, 0.42, 0.5, 0.05, 0.25, 0.35,
        0.15, 0.1, 0.086, 0.16, 0.17, 0.185,
        0.07, 0.114, 0.6, 1.0,
    ]
)  # fmt: skip
(
    POINT_W, EVEN, BLOCKED,
    SITE, SITE_DECAY, SECOND_SITE, CARD_IN_HAND, CITY_PROGRESS, SETTLEMENT_PROGRESS,
    CARD_PROGRESS, ROAD_PROGRESS, OVER_LIMIT, KNIGHT_W, KNIGHT_CARD, OTHER_CARD,
    ROAD_LENGTH, NEAR_LONGEST, OPPONENT, LATE,
) = range(len(SITE_WEIGHTS), len(WEIGHTS))  # fmt: skip


@kernel
def value(s, seat, weights):
    """Return the value of a position for a seat, in points."""
    own = worth(s, seat, seat, weights)
    strongest = -1.0e9
    for other in range(s["players"]):
        if other != seat:
            strongest = max(strongest, worth(s, other, seat, weights))
    return own - weights[OPPONENT] * strongest


@kernel
def worth(s, owner, viewer, weights):
    """Return what a player has is worth; hidden points count only if they are the viewer's own."""
    earned = np.zeros(RESOURCES, np.float64)
    blocked = production(s, owner, earned)
    held = points(s, owner) if owner == viewer else visible_points(s, owner)
    total = weights[POINT_W] * held
    if held >= s["target"]:
        total += 100.0
    # Income matters less when fewer turns are left to spend it.
    left = 1.0 - weights[LATE] * held / np.float64(s["target"])
    growth = 0.0
    kinds = 0
    for resource in range(RESOURCES):
        growth += weights[resource] * earned[resource]
        growth -= weights[EVEN] * 10.0 * earned[resource] * earned[resource]
        growth += weights[HARBOUR] * earned[resource] * (4.0 - s["rate"][owner, resource]) / 2.0
        if earned[resource] > 0.0:
            kinds += 1
    growth += weights[VARIETY] * kinds
    growth -= weights[BLOCKED] * blocked * 6.0
    growth += sites(s, owner, earned, weights)
    total += max(left, 0.1) * growth
    total += hand_worth(s, owner, weights)
    total += card_worth(s, owner, viewer, weights)
    return total + road_worth(s, owner, weights)


@kernel
def sites(s, owner, earned, weights):
    """Return the best and second best place for the next settlement; nearer ones are better."""
    if s["pieces"][owner, SETTLEMENT] == 0:
        return 0.0
    seen = np.int64(s["open"][owner])
    frontier = seen
    best = 0.0
    second = 0.0
    factor = 1.0
    for _ in range(REACH):
        following = 0
        for place in range(PLACES):
            if frontier & BIT[place] == 0:
                continue
            if np.int64(s["closed"]) & BIT[place] == 0:
                found = factor * (0.3 + site_worth(s, owner, place, earned, weights))
                if found > best:
                    second = best
                    best = found
                elif found > second:
                    second = found
            following |= free_neighbours(s, owner, place)
        frontier = following & ~seen
        seen |= frontier
        factor *= weights[SITE_DECAY]
    return 0.1 * weights[SITE] * (best + weights[SECOND_SITE] * second)


@kernel
def progress(s, owner, item):
    """Return the share of an item's price that is in hand, squared: the last cards count most."""
    missing = 0
    price = 0
    for resource in range(RESOURCES):
        price += COSTS[item, resource]
        missing += max(COSTS[item, resource] - np.int64(s["hand"][owner, resource]), 0)
    share = 1.0 - missing / price
    return share * share


@kernel
def hand_worth(s, owner, weights):
    size = hand_size(s, owner)
    total = weights[CARD_IN_HAND] * min(size, np.int64(s["discard_limit"]))
    if size > s["discard_limit"]:
        total -= weights[OVER_LIMIT] * (size - np.int64(s["discard_limit"]))
    settled = np.int64(s["pieces"][owner, SETTLEMENT]) < 5
    if settled and s["pieces"][owner, CITY] > 0:
        total += weights[CITY_PROGRESS] * progress(s, owner, CITY)
    if s["pieces"][owner, SETTLEMENT] > 0:
        share = progress(s, owner, SETTLEMENT)
        if np.int64(s["open"][owner]) & ~np.int64(s["closed"]) == 0:
            share *= 0.5
        total += weights[SETTLEMENT_PROGRESS] * share
    total += weights[CARD_PROGRESS] * progress(s, owner, CARD)
    if s["pieces"][owner, ROAD] > 0:
        total += weights[ROAD_PROGRESS] * progress(s, owner, ROAD)
    return total


@kernel
def card_worth(s, owner, viewer, weights):
    """Rate development cards in hand (of others only the number is known) and knights played."""
    total = weights[KNIGHT_W] * np.int64(s["played"][owner, KNIGHT])
    count = card_count(s, owner)
    if owner != viewer:
        return total + 0.5 * count * (weights[KNIGHT_CARD] + weights[OTHER_CARD])
    knights = np.int64(s["cards"][owner, KNIGHT])
    others = count - knights - np.int64(s["cards"][owner, POINT])
    return total + weights[KNIGHT_CARD] * knights + weights[OTHER_CARD] * others


@kernel
def road_worth(s, owner, weights):
    """Rate the road's length, more so when it is close to the longest road."""
    length = np.int64(s["road_length"][owner])
    rival = 4
    for other in range(SEATS):
        if other != owner:
            rival = max(rival, np.int64(s["road_length"][other]))
    total = weights[ROAD_LENGTH] * length
    if length >= rival - 2:
        total += weights[NEAR_LONGEST] * (length - rival + 3)
    return total
