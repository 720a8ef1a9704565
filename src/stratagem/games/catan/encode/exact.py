"""The encoding `exact`: everything that a player sees; that player first, then the others in turn.

It tells settlements from cities, and has phase, own cards, public counts and dice
(docs/games/catan.md).
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.catan.board import BIT, EDGES, NONE, PLACE_HARBOUR, PLACE_TILES, PLACES
from stratagem.games.catan.encode.seen import LINKS, relative, seen_cards
from stratagem.games.catan.encode.trade import describe_trade, trade_features
from stratagem.games.catan.rules.production import roll_weight, seven_factor
from stratagem.games.catan.rules.roads import can_extend
from stratagem.games.catan.state import (
    DECISIONS,
    DESERT,
    KINDS,
    MAX_MEMORY,
    RESOURCES,
    ROAD_FIRST,
    SEATS,
    TOTALS,
    card_count,
    deck_size,
    hand_size,
    owner_of,
    points,
    visible_points,
)

_PLACE_FLAGS = 3  # free, free and within reach, just settled
_TILE_FEATURES = RESOURCES + 3  # of one of the up to three tiles of a place
_SIDE_FEATURES = 11 + 2 * RESOURCES + KINDS  # of one player
_OWN_FEATURES = 2 * KINDS + 1
_TABLE_FEATURES = RESOURCES + 4 * TOTALS + 8  # bank, dice, counters
_PIPS = np.array([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], np.int64)


def exact_spec(scenario, options):
    players = scenario.players
    table = table_features(scenario)
    return ObservationSpec(
        (
            ObservationSlice("places", (PLACES, exact_place_features(players)), "nodes", LINKS),
            ObservationSlice("edges", (EDGES, players + 2), "edges", LINKS),
            ObservationSlice("table", (table,), "vector"),
        )
    )


def table_features(scenario):
    """Phase, current player, own cards, public knowledge, bank, dice, counters, trade."""
    players = scenario.players
    trade = trade_features(players) if scenario.offers else 0
    return DECISIONS + players + _OWN_FEATURES + players * _SIDE_FEATURES + _TABLE_FEATURES + trade


def site_features(players):
    """Buildings, three flags, harbour."""
    return 2 * players + _PLACE_FLAGS + RESOURCES + 1


def exact_place_features(players):
    return site_features(players) + 3 * _TILE_FEATURES


@kernel
def observe_exact(s, seat, options, out):
    seat = np.int64(seat)
    at = describe_places(s, seat, out, 0)
    describe_rest(s, seat, out, at)


@kernel
def describe_places(s, seat, out, at):
    for place in range(PLACES):
        at = describe_site(s, seat, place, out, at)
        for k in range(3):
            tile = PLACE_TILES[place, k]
            if tile != NONE:
                describe_tile(s, tile, out, at)
            at += _TILE_FEATURES
    return at


@kernel
def describe_site(s, seat, place, out, at):
    """Buildings of each player, free, free and within reach, just settled, harbour."""
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
    return at + RESOURCES + 1


@kernel
def describe_tile(s, tile, out, at):
    """Write resource, number, its probability, robber."""
    if s["terrain"][tile] != DESERT:
        out[at + np.int64(s["terrain"][tile])] = 1.0
    token = np.int64(s["token"][tile])
    out[at + RESOURCES] = token / 12.0
    out[at + RESOURCES + 1] = _PIPS[token] / 5.0
    out[at + RESOURCES + 2] = 1.0 if s["robber"] == tile else 0.0


@kernel
def describe_rest(s, seat, out, at):
    """Write everything that is not a place: edges, phase, turn, own cards, everybody, the table."""
    players = np.int64(s["players"])
    at = describe_edges(s, seat, out, at)
    if s["seat"] >= 0 and s["phase"] < DECISIONS:
        out[at + np.int64(s["phase"])] = 1.0
    at += DECISIONS
    out[at + relative(s, seat, np.int64(s["turn_seat"]))] = 1.0
    at = describe_own(s, seat, out, at + players)
    for k in range(players):
        at = describe_player(s, seat, (seat + k) % players, out, at)
    at = describe_table(s, seat, out, at)
    return describe_trade(s, seat, out, at) if s["offers"] > 0 else at


@kernel
def describe_edges(s, seat, out, at):
    """Write for each edge: free, buildable by the viewer, own, others' in turn."""
    players = np.int64(s["players"])
    for edge in range(EDGES):
        owner = np.int64(s["road"][edge]) - 1
        if owner >= 0:
            out[at + 2 + relative(s, seat, owner)] = 1.0
        else:
            out[at] = 1.0
            out[at + 1] = 1.0 if can_extend(s, seat, edge) else 0.0
        at += players + 2
    return at


@kernel
def describe_own(s, seat, out, at):
    """Write own development cards, those too new to be played, all own points."""
    mine = s["turn_seat"] == seat
    for kind in range(KINDS):
        out[at + kind] = np.int64(s["cards"][seat, kind]) / 5.0
        out[at + KINDS + kind] = np.int64(s["fresh"][kind]) / 5.0 if mine else 0.0
    out[at + 2 * KINDS] = points(s, seat) / np.float64(s["target"])
    return at + _OWN_FEATURES


@kernel
def describe_player(s, seat, owner, out, at):
    """Write what the viewer knows about a player."""
    out[at] = visible_points(s, owner) / np.float64(s["target"])
    out[at + 1] = hand_size(s, owner) / 10.0
    out[at + 2] = card_count(s, owner) / 5.0
    out[at + 3] = np.int64(s["road_length"][owner]) / 15.0
    out[at + 4] = 1.0 if s["road_holder"] == owner else 0.0
    out[at + 5] = 1.0 if s["army_holder"] == owner else 0.0
    out[at + 6] = np.int64(s["owed"][owner]) / 5.0
    out[at + 7] = np.int64(s["pieces"][owner, 0]) / 15.0
    out[at + 8] = np.int64(s["pieces"][owner, 1]) / 5.0
    out[at + 9] = np.int64(s["pieces"][owner, 2]) / 4.0
    out[at + 10] = seven_factor(s, owner) / 2.0
    at += 11
    for resource in range(RESOURCES):
        out[at + resource] = seen_cards(s, seat, owner, resource) / 5.0
        out[at + RESOURCES + resource] = (4 - np.int64(s["rate"][owner, resource])) / 2.0
    at += 2 * RESOURCES
    for kind in range(KINDS):
        out[at + kind] = np.int64(s["played"][owner, kind]) / 5.0
    return at + KINDS


@kernel
def describe_table(s, seat, out, at):
    """Write bank, dice, and the counters of the turn."""
    for resource in range(RESOURCES):
        out[at + resource] = np.int64(s["bank"][resource]) / np.float64(s["full_bank"])
    at += RESOURCES
    weights = 0.0
    for k in range(TOTALS):
        weights += roll_weight(s, k)
    for k in range(TOTALS):
        out[at + k] = roll_weight(s, k) / max(weights, 1e-9) * 6.0
        out[at + TOTALS + k] = np.int64(s["dice_deck"][k]) / 6.0
        out[at + 2 * TOTALS + k] = 1.0 if s["last_roll"] == k + 2 else 0.0
    for back in range(MAX_MEMORY):
        if s["recent"][back] > 0:
            out[at + 3 * TOTALS + np.int64(s["recent"][back]) - 2] += 1.0 / MAX_MEMORY
    at += 4 * TOTALS
    out[at] = deck_size(s) / 25.0
    out[at + 1] = s["rolled"]
    out[at + 2] = s["card_played"]
    out[at + 3] = np.int64(s["left"]) / 2.0
    out[at + 4] = np.int64(s["turn"]) / np.float64(s["turn_limit"])
    out[at + 5] = np.int64(s["placed"]) / 8.0
    out[at + 6] = np.int64(s["target"]) / 15.0
    out[at + 7] = np.int64(s["discard_limit"]) / 10.0
    return at + 8
