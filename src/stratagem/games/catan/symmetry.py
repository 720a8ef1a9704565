"""The six rotations and reflections of the island that map harbours onto harbours."""

from itertools import permutations

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.actions import (
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    END_TURN,
    PLACE_ROBBER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROADS,
    STEAL_FROM,
)
from stratagem.games.catan.board import (
    BIT,
    EDGE_KEYS,
    EDGE_NUMBER,
    EDGES,
    HARBOUR_EDGE,
    HARBOURS,
    PLACE_KEYS,
    PLACE_NUMBER,
    PLACES,
    TILE_CUBES,
    TILE_NUMBER,
    TILES,
)
from stratagem.games.catan.setup import find_sites


def _turned(key, order, sign):
    return tuple(sign * key[k] for k in order)


def _tables():
    """Return where tiles, places, edges and harbours go, for every symmetry of the frame."""
    harbours = [int(edge) for edge in HARBOUR_EDGE]
    found = []
    for sign in (1, -1):
        for order in permutations(range(3)):
            edges = [EDGE_NUMBER[_turned(key, order, sign)] for key in EDGE_KEYS]
            if {edges[edge] for edge in harbours} != set(harbours):
                continue
            tiles = [TILE_NUMBER[_turned(key, order, sign)] for key in TILE_CUBES]
            places = [PLACE_NUMBER[_turned(key, order, sign)] for key in PLACE_KEYS]
            moved = [harbours.index(edges[edge]) for edge in harbours]
            found.append((tiles, places, edges, moved))
    return [np.array(table, np.int64) for table in zip(*found, strict=True)]


TILE_TO, PLACE_TO, EDGE_TO, HARBOUR_TO = _tables()  # [symmetry, old number] -> new number
SYMMETRIES = len(TILE_TO)


@kernel
def symmetry(s, index, out):
    for tile in range(TILES):
        out["terrain"][TILE_TO[index, tile]] = s["terrain"][tile]
        out["token"][TILE_TO[index, tile]] = s["token"][tile]
    for harbour in range(HARBOURS):
        out["harbour"][HARBOUR_TO[index, harbour]] = s["harbour"][harbour]
    for edge in range(EDGES):
        out["road"][EDGE_TO[index, edge]] = s["road"][edge]
    for place in range(PLACES):
        out["place"][PLACE_TO[index, place]] = s["place"][place]
    for seat in range(s["players"]):
        out["open"][seat] = turned_set(np.int64(s["open"][seat]), index)
    out["closed"] = turned_set(np.int64(s["closed"]), index)
    out["robber"] = TILE_TO[index, s["robber"]]
    out["anchor"] = PLACE_TO[index, s["anchor"]]
    find_sites(out)


@kernel
def turned_set(places, index):
    """Return the image of a bit set of places under a symmetry."""
    found = 0
    for place in range(PLACES):
        if places & BIT[place] != 0:
            found |= BIT[PLACE_TO[index, place]]
    return found


@kernel
def symmetry_action(s, index, action):
    action = np.int64(action)
    if action < BUILD_ROAD:
        return BUILD_SETTLEMENT + PLACE_TO[index, action - BUILD_SETTLEMENT]
    if action < BUILD_CITY:
        return BUILD_ROAD + EDGE_TO[index, action - BUILD_ROAD]
    if action < BUY_CARD:
        return BUILD_CITY + PLACE_TO[index, action - BUILD_CITY]
    if PLAY_KNIGHT <= action < PLAY_MONOPOLY:
        return PLAY_KNIGHT + TILE_TO[index, action - PLAY_KNIGHT]
    if PLAY_ROADS <= action < END_TURN:
        return PLAY_ROADS + EDGE_TO[index, action - PLAY_ROADS]
    if PLACE_ROBBER <= action < STEAL_FROM:
        return PLACE_ROBBER + TILE_TO[index, action - PLACE_ROBBER]
    return action
