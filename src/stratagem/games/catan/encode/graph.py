"""The encoding `graph`: the island as one graph of places and tiles, for networks that search.

Nodes are the 54 places and then the 19 tiles, joined by edges between places and by corners between
a tile and its places. The table has everything in `exact`, and quantities that a player would
compute: expected cards of each resource, in general and at the next roll, progress towards each
purchase, the best building sites by distance. It shows only what the seat can see.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.catan.board import EDGES, NONE, PLACE_TILES, PLACES, TILE_PLACES, TILES
from stratagem.games.catan.encode.exact import (
    describe_rest,
    describe_site,
    site_features,
    table_features,
)
from stratagem.games.catan.encode.forecast import REACH, describe_sites, expected_cards, next_roll
from stratagem.games.catan.encode.seen import LINKS, seen_cards
from stratagem.games.catan.rules.robber import may_rob
from stratagem.games.catan.state import CITY, COSTS, DESERT, RESOURCES, TOTALS, WAYS

NODES = PLACES + TILES  # places first
_TILE_COLUMNS = RESOURCES + 4  # resource, ways, odds of the next roll, robber, robber may come
_ITEMS = len(COSTS)
_SUMS = 2 * RESOURCES + 2 + _ITEMS + REACH  # of one player
_CORNERS = tuple(
    (PLACES + tile, int(place)) for tile in range(TILES) for place in TILE_PLACES[tile]
)


def graph_spec(scenario, options):
    players = scenario.players
    table = table_features(scenario) + _SUMS * players
    shape = (NODES, node_features(players))
    return ObservationSpec(
        (
            ObservationSlice("island", shape, "nodes", LINKS + _CORNERS, (LINKS, _CORNERS)),
            ObservationSlice("edges", (EDGES, players + 2), "edges", LINKS),
            ObservationSlice("table", (table,), "vector"),
        )
    )


def node_features(players):
    """Kind of node; buildings, flags, harbour, cards by resource; tile features."""
    return 1 + site_features(players) + RESOURCES + _TILE_COLUMNS


@kernel
def observe_graph(s, seat, options, out):
    seat = np.int64(seat)
    players = np.int64(s["players"])
    odds = np.empty(TOTALS, np.float64)
    next_roll(s, odds)
    at = 0
    for place in range(PLACES):
        at = describe_place(s, seat, place, out, at)
    width = at // PLACES
    for tile in range(TILES):
        out[at] = 1.0
        at += width
        describe_tile(s, tile, odds, out, at - _TILE_COLUMNS)
    at = describe_rest(s, seat, out, at)
    for k in range(players):
        at = describe_sums(s, seat, (seat + k) % players, odds, out, at)


@kernel
def describe_place(s, seat, place, out, at):
    at = describe_site(s, seat, place, out, at + 1)
    for k in range(3):
        tile = PLACE_TILES[place, k]
        if tile != NONE and s["terrain"][tile] != DESERT:
            ways = WAYS[np.int64(s["token"][tile]) - 2]
            out[at + np.int64(s["terrain"][tile])] += ways / 5.0
    return at + RESOURCES + _TILE_COLUMNS


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
    """Write expected cards, blocked cards and kinds of a player, progress, sites by distance."""
    earned = np.zeros(RESOURCES, np.float64)
    blocked, kinds = expected_cards(s, owner, odds, earned, out, at)
    at += 2 * RESOURCES
    out[at] = blocked * 4.0
    out[at + 1] = kinds / 5.0
    at += 2
    for item in range(_ITEMS):
        out[at + item] = seen_progress(s, seat, owner, item)
    describe_sites(s, owner, earned, out, at + _ITEMS)
    return at + _ITEMS + REACH


@kernel
def seen_progress(s, seat, owner, item):
    """Return the share of an item's price known to be in a hand; 0 without pieces left."""
    if item <= CITY and s["pieces"][owner, item] == 0:
        return 0.0
    missing = 0
    price = 0
    for resource in range(RESOURCES):
        price += COSTS[item, resource]
        missing += max(COSTS[item, resource] - seen_cards(s, seat, owner, resource), 0)
    return 1.0 - missing / price
