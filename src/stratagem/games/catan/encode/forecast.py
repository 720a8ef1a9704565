"""Quantities that players compute before deciding: expected cards, best settlement sites."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.board import (
    BIT,
    EDGE_PLACES,
    NONE,
    PLACE_EDGES,
    PLACE_HARBOUR,
    PLACE_TILES,
    PLACES,
    TILES,
)
from stratagem.games.catan.rules.production import claim, roll_weight
from stratagem.games.catan.state import (
    DESERT,
    GENERIC,
    RESOURCES,
    SETTLEMENT,
    TOTALS,
    WAYS,
    owner_of,
    yield_of,
)

_PIPS = np.array([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], np.float64) / 36.0
REACH = 4  # building sites are considered up to this distance in roads, exclusive
# Worth of a site in points: of a card per roll of each resource, a new resource, a harbour.
SITE_WEIGHTS = np.array([6.0, 6.0, 6.1, 6.4, 8.5, 0.2, 0.76])
VARIETY, HARBOUR = RESOURCES, RESOURCES + 1


@kernel
def production(s, owner, earned):
    """Fill in the cards expected per roll, ignoring the robber; return how much it blocks."""
    blocked = 0.0
    for place in range(PLACES):
        code = s["place"][place]
        if code == 0 or owner_of(code) != owner:
            continue
        for k in range(3):
            tile = PLACE_TILES[place, k]
            if tile == NONE or s["terrain"][tile] == DESERT:
                continue
            gain = _PIPS[s["token"][tile]] * yield_of(code)
            earned[s["terrain"][tile]] += gain
            if s["robber"] == tile:
                blocked += gain
    return blocked


@kernel
def site_worth(s, owner, place, earned, weights):
    """Return what a settlement here would add, with a bonus for new resources.

    `weights` begins like SITE_WEIGHTS.
    """
    total = 0.0
    for k in range(3):
        tile = PLACE_TILES[place, k]
        if tile == NONE or s["terrain"][tile] == DESERT:
            continue
        resource = s["terrain"][tile]
        total += weights[resource] * _PIPS[s["token"][tile]]
        if earned[resource] == 0.0:
            total += weights[VARIETY] * 0.7
    harbour = PLACE_HARBOUR[place]
    if harbour != NONE:
        kind = s["harbour"][harbour]
        if kind == GENERIC:
            total += weights[HARBOUR] * 0.05
        else:
            total += weights[HARBOUR] * earned[kind] * 0.5
    return total


@kernel
def free_neighbours(s, owner, place):
    """Return the places one free edge away from a place that this player can pass, as a bit set."""
    holder = owner_of(s["place"][place])
    if holder >= 0 and holder != owner:
        return 0
    found = 0
    for k in range(3):
        edge = PLACE_EDGES[place, k]
        if edge != NONE and s["road"][edge] == 0:
            found |= BIT[EDGE_PLACES[edge, 0] + EDGE_PLACES[edge, 1] - place]
    return found


@kernel
def next_roll(s, odds):
    """Fill in the probabilities of the totals if the dice were rolled now."""
    total = 0.0
    for k in range(TOTALS):
        odds[k] = roll_weight(s, k)
        total += odds[k]
    for k in range(TOTALS):
        odds[k] = odds[k] / total if total > 0.0 else WAYS[k] / 36.0


@kernel
def expected_cards(s, owner, odds, earned, out, at):
    """Write expected cards by resource, in general and at the next roll; blocked cards, kinds."""
    blocked = production(s, owner, earned)
    kinds = 0
    for resource in range(RESOURCES):
        out[at + resource] = earned[resource] * 2.0
        if earned[resource] > 0.0:
            kinds += 1
    at += RESOURCES
    for tile in range(TILES):
        if s["terrain"][tile] != DESERT and s["robber"] != tile:
            chance = odds[np.int64(s["token"][tile]) - 2]
            out[at + np.int64(s["terrain"][tile])] += claim(s, tile, owner) * chance * 2.0
    return blocked, kinds


@kernel
def describe_sites(s, owner, earned, out, at):
    """Write the worth of the best free place at each distance from a player's roads."""
    if s["pieces"][owner, SETTLEMENT] == 0:
        return
    seen = np.int64(s["open"][owner])
    frontier = seen
    for distance in range(REACH):
        following = 0
        best = 0.0
        for place in range(PLACES):
            if frontier & BIT[place] == 0:
                continue
            if np.int64(s["closed"]) & BIT[place] == 0:
                best = max(best, 0.3 + site_worth(s, owner, place, earned, SITE_WEIGHTS))
            following |= free_neighbours(s, owner, place)
        out[at + distance] = best / 3.0
        frontier = following & ~seen
        seen |= frontier
