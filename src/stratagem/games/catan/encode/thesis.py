"""The encoding `thesis`: exactly chapter 5 of the thesis.

54 x 11 features of places, one per edge and nine per player, as raw numbers.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.catan.board import EDGES, NONE, PLACE_HARBOUR, PLACE_TILES, PLACES
from stratagem.games.catan.encode.seen import LINKS, seen_cards, seen_points
from stratagem.games.catan.state import DESERT, KINDS, KNIGHT, RESOURCES, card_count, owner_of

_THESIS_ID = np.array([3, 4, 5, 1, 2], np.int64)  # of wood, brick, sheep, wheat, ore
_THESIS_ORDER = np.array([3, 0, 4, 1, 2], np.int64)  # wheat, wood, ore, brick, sheep
_PLACE_FEATURES = 11
_PLAYER_FEATURES = 9


def thesis_spec(scenario, options):
    return ObservationSpec(
        (
            ObservationSlice("places", (PLACES, _PLACE_FEATURES), "nodes", LINKS),
            ObservationSlice("edges", (EDGES, 1), "edges", LINKS),
            ObservationSlice("players", (_PLAYER_FEATURES * scenario.players,), "vector"),
        )
    )


@kernel
def observe_thesis(s, seat, options, out):
    seat = np.int64(seat)
    at = 0
    for place in range(PLACES):
        owner = owner_of(s["place"][place])
        if owner >= 0:
            out[at] = 1.0 if owner == seat else -1.0
        for k in range(3):
            tile = PLACE_TILES[place, k]
            if tile == NONE:
                continue
            if s["terrain"][tile] != DESERT:
                out[at + 1 + 3 * k] = _THESIS_ID[s["terrain"][tile]]
            out[at + 2 + 3 * k] = s["token"][tile]
            out[at + 3 + 3 * k] = 1.0 if s["robber"] == tile else 0.0
        harbour = PLACE_HARBOUR[place]
        if harbour != NONE:
            kind = s["harbour"][harbour]
            out[at + 10] = 1 + _THESIS_ID[kind] if kind < RESOURCES else 1
        at += _PLACE_FEATURES
    for edge in range(EDGES):
        owner = np.int64(s["road"][edge]) - 1
        if owner >= 0:
            out[at] = 1.0 if owner == seat else -1.0
        at += 1
    outside = 0
    for resource in range(RESOURCES):
        outside += np.int64(s["full_bank"]) - np.int64(s["bank"][resource])
    for k in range(s["players"]):
        owner = (seat + k) % np.int64(s["players"])
        out[at] = seen_points(s, seat, owner)
        for r in range(RESOURCES):
            out[at + 1 + r] = seen_cards(s, seat, owner, _THESIS_ORDER[r])
        out[at + 6] = s["played"][owner, KNIGHT]
        bought = card_count(s, owner)
        for kind in range(KINDS):
            bought += np.int64(s["played"][owner, kind])
        out[at + 7] = bought
        out[at + 8] = outside
        at += _PLAYER_FEATURES
