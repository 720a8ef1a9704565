"""The encoding `graph`: the island as one graph of places and tiles, for networks that search.

Nodes are the 54 places and then the 19 tiles, joined by edges between places and by corners
between a tile and its places. The table holds what `exact` says, and sums that a player would make
first: expected cards of each resource, in general and at the next roll, progress towards each
purchase, the best building sites by distance. From one seat's view, nothing that it cannot see.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.catan.board import (
    BIT,
    EDGE_PLACES,
    EDGES,
    NONE,
    PLACE_HARBOUR,
    PLACE_TILES,
    PLACES,
    TILE_PLACES,
    TILES,
)
from stratagem.games.catan.encode import (
    describe_edges,
    describe_own,
    describe_player,
    describe_table,
    relative,
    seen_cards,
    table_features,
)
from stratagem.games.catan.position import (
    CITY,
    COSTS,
    DECISIONS,
    DESERT,
    RESOURCES,
    ROAD_FIRST,
    SEATS,
    SETTLEMENT,
    TOTALS,
    WAYS,
    owner_of,
    yield_of,
)
from stratagem.games.catan.production import roll_weight
from stratagem.games.catan.robber import may_rob
from stratagem.games.catan.valuation import WEIGHTS, free_ways, site_worth

NODES = PLACES + TILES  # places first
_PLACE_FLAGS = 3  # free, free and within reach, just settled
_TILE_COLUMNS = RESOURCES + 4  # resource, ways, odds of the next roll, robber, robber may come
_REACH = 4  # roads to a building site that are looked at
_ITEMS = len(COSTS)
_SUMS = 2 * RESOURCES + 2 + _ITEMS + _REACH  # of one player
_ROADS = tuple((int(one), int(other)) for one, other in EDGE_PLACES)
_CORNERS = tuple(
    (PLACES + tile, int(place)) for tile in range(TILES) for place in TILE_PLACES[tile]
)


def graph_spec(scenario, options):
    players = scenario.players
    table = table_features(players) + _SUMS * players
    shape = (NODES, node_features(players))
    return ObservationSpec(
        (
            ObservationSlice("island", shape, "nodes", _ROADS + _CORNERS, (_ROADS, _CORNERS)),
            ObservationSlice("edges", (EDGES, players + 2), "edges", _ROADS),
            ObservationSlice("table", (table,), "vector"),
        )
    )


def node_features(players):
    """What kind of node; buildings, flags, harbour, cards by resource; what a tile is."""
    return 1 + 2 * players + _PLACE_FLAGS + RESOURCES + 1 + RESOURCES + _TILE_COLUMNS


@kernel
def observe_graph(s, seat, options, out):
    seat = np.int64(seat)
    players = np.int64(s["players"])
    odds = np.empty(TOTALS, np.float64)
    next_roll(s, odds)
    width = 1 + 2 * players + _PLACE_FLAGS + RESOURCES + 1 + RESOURCES + _TILE_COLUMNS
    for place in range(PLACES):
        describe_place(s, seat, place, out, place * width)
    for tile in range(TILES):
        at = (PLACES + tile) * width
        out[at] = 1.0
        describe_tile(s, tile, odds, out, at + width - _TILE_COLUMNS)
    at = describe_edges(s, seat, out, NODES * width)
    if s["seat"] >= 0:
        out[at + np.int64(s["phase"])] = 1.0
    at += DECISIONS
    out[at + relative(s, seat, np.int64(s["turn_seat"]))] = 1.0
    at = describe_own(s, seat, out, at + players)
    for k in range(players):
        at = describe_player(s, seat, (seat + k) % players, out, at)
    at = describe_table(s, seat, out, at)
    for k in range(players):
        at = describe_sums(s, seat, (seat + k) % players, odds, out, at)


@kernel
def next_roll(s, odds):
    """Probabilities of the totals, were the dice to fall now."""
    total = 0.0
    for k in range(TOTALS):
        odds[k] = roll_weight(s, k)
        total += odds[k]
    for k in range(TOTALS):
        odds[k] = odds[k] / total if total > 0.0 else WAYS[k] / 36.0


@kernel
def describe_place(s, seat, place, out, at):
    at += 1
    code = np.int64(s["place"][place])
    if code > 0:
        who = relative(s, seat, owner_of(code))
        out[at + 2 * who + (1 if code > SEATS else 0)] = 1.0
    at += 2 * np.int64(s["players"])
    free = np.int64(s["closed"]) & BIT[place] == 0
    out[at] = 1.0 if free else 0.0
    out[at + 1] = 1.0 if free and np.int64(s["open"][seat]) & BIT[place] != 0 else 0.0
    out[at + 2] = 1.0 if s["phase"] == ROAD_FIRST and s["anchor"] == place else 0.0
    at += _PLACE_FLAGS
    harbour = PLACE_HARBOUR[place]
    if harbour != NONE:
        out[at + np.int64(s["harbour"][harbour])] = 1.0
    at += RESOURCES + 1
    for k in range(3):
        tile = PLACE_TILES[place, k]
        if tile != NONE and s["terrain"][tile] != DESERT:
            ways = WAYS[np.int64(s["token"][tile]) - 2]
            out[at + np.int64(s["terrain"][tile])] += ways / 5.0


@kernel
def describe_tile(s, tile, odds, out, at):
    if s["terrain"][tile] != DESERT:
        out[at + np.int64(s["terrain"][tile])] = 1.0
        total = np.int64(s["token"][tile]) - 2
        out[at + RESOURCES] = WAYS[total] / 5.0
        out[at + RESOURCES + 1] = odds[total] * 6.0
    out[at + RESOURCES + 2] = 1.0 if s["robber"] == tile else 0.0
    out[at + RESOURCES + 3] = 1.0 if may_rob(s, tile) else 0.0


@kernel
def describe_sums(s, seat, owner, odds, out, at):
    """Expected cards, blocked cards and kinds of a player, progress, sites by distance."""
    earned = np.zeros(RESOURCES, np.float64)
    kinds = 0
    for place in range(PLACES):
        code = s["place"][place]
        if code == 0 or owner_of(code) != owner:
            continue
        for k in range(3):
            tile = PLACE_TILES[place, k]
            if tile == NONE or s["terrain"][tile] == DESERT:
                continue
            resource = np.int64(s["terrain"][tile])
            total = np.int64(s["token"][tile]) - 2
            gain = yield_of(code) * WAYS[total] / 36.0
            earned[resource] += gain
            if s["robber"] == tile:
                out[at + 2 * RESOURCES] += gain * 4.0
            else:
                out[at + RESOURCES + resource] += yield_of(code) * odds[total] * 2.0
    for resource in range(RESOURCES):
        out[at + resource] = earned[resource] * 2.0
        if earned[resource] > 0.0:
            kinds += 1
    out[at + 2 * RESOURCES + 1] = kinds / 5.0
    at += 2 * RESOURCES + 2
    for item in range(_ITEMS):
        out[at + item] = seen_progress(s, seat, owner, item)
    describe_sites(s, owner, earned, out, at + _ITEMS)
    return at + _ITEMS + _REACH


@kernel
def seen_progress(s, seat, owner, item):
    """Share of an item's price that the viewer knows to be in a hand; 0 without a piece left."""
    if item <= CITY and s["pieces"][owner, item] == 0:
        return 0.0
    missing = 0
    price = 0
    for resource in range(RESOURCES):
        price += COSTS[item, resource]
        missing += max(COSTS[item, resource] - seen_cards(s, seat, owner, resource), 0)
    return 1.0 - missing / price


@kernel
def describe_sites(s, owner, earned, out, at):
    """The worth of the best free place at each distance from a player's roads."""
    if s["pieces"][owner, SETTLEMENT] == 0:
        return
    seen = np.int64(s["open"][owner])
    frontier = seen
    for distance in range(_REACH):
        following = 0
        best = 0.0
        for place in range(PLACES):
            if frontier & BIT[place] == 0:
                continue
            if np.int64(s["closed"]) & BIT[place] == 0:
                best = max(best, 0.3 + site_worth(s, owner, place, earned, WEIGHTS))
            following |= free_ways(s, owner, place)
        out[at + distance] = best / 3.0
        frontier = following & ~seen
        seen |= frontier
