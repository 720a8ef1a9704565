"""The island as a graph: 19 tiles, 54 places, 72 edges, 9 harbours.

Tiles have cube coordinates (x, y, z) with x + y + z = 0; east is +x-y, north-east +x-z, so rows are
lines of equal z. A place is where three tiles meet (including sea), an edge is the border of two:
both are identified by the sum of those coordinates, which makes the graph exact. Everything is
numbered in reading order, from top to bottom, left to right.
"""

import numpy as np

TILES = 19
PLACES = 54
EDGES = 72
HARBOURS = 9
NONE = -1  # pads lists with fewer than three neighbours

# Counter-clockwise from the east. Corner k of a tile lies between directions k and k + 1.
DIRECTIONS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
_EAST, _NORTH_EAST, _NORTH_WEST, _WEST, _SOUTH_WEST, _SOUTH_EAST = range(6)

# Harbour positions of the standard frame: the tile, and the direction of its coast.
_HARBOUR_SITES = (
    ((2, -2, 0), _EAST), ((1, -2, 1), _SOUTH_EAST), ((-1, -1, 2), _SOUTH_EAST),
    ((-2, 0, 2), _SOUTH_WEST), ((-2, 1, 1), _WEST), ((-1, 2, -1), _WEST),
    ((0, 2, -2), _NORTH_WEST), ((1, 1, -2), _NORTH_EAST), ((2, -1, -1), _NORTH_EAST),
)  # fmt: skip


def _plus(*cubes):
    return tuple(sum(part) for part in zip(*cubes, strict=True))


def _reading_order(cubes):
    return sorted(cubes, key=lambda cube: (cube[2], cube[0] - cube[1]))


def _times(cube, factor):
    return tuple(part * factor for part in cube)


def corner_key(tile, corner):
    """Return the place at a corner of a tile, as the sum of the three tiles that meet there."""
    return _plus(_times(tile, 3), DIRECTIONS[corner], DIRECTIONS[(corner + 1) % 6])


def border_key(tile, direction):
    """Return the edge of a tile in a direction, as the sum of the two tiles it separates."""
    return _plus(_times(tile, 2), DIRECTIONS[direction])


TILE_CUBES = _reading_order(
    (x, -x - z, z) for z in range(-2, 3) for x in range(max(-2, -2 - z), min(2, 2 - z) + 1)
)
PLACE_KEYS = _reading_order({corner_key(tile, k) for tile in TILE_CUBES for k in range(6)})
EDGE_KEYS = _reading_order({border_key(tile, k) for tile in TILE_CUBES for k in range(6)})
TILE_NUMBER = {cube: number for number, cube in enumerate(TILE_CUBES)}
PLACE_NUMBER = {key: number for number, key in enumerate(PLACE_KEYS)}
EDGE_NUMBER = {key: number for number, key in enumerate(EDGE_KEYS)}


def _padded(lists, width):
    return np.array([[*sorted(row), *[NONE] * (width - len(row))] for row in lists], np.int64)


# [tile, corner or direction]
TILE_PLACES = np.array(
    [[PLACE_NUMBER[corner_key(tile, k)] for k in range(6)] for tile in TILE_CUBES], np.int64
)
TILE_EDGES = np.array(
    [[EDGE_NUMBER[border_key(tile, k)] for k in range(6)] for tile in TILE_CUBES], np.int64
)


def _edge_ends():
    ends = {}
    for tile in range(TILES):
        for k in range(6):  # the border towards k runs from corner k - 1 to corner k
            pair = (int(TILE_PLACES[tile, k - 1]), int(TILE_PLACES[tile, k]))
            ends[int(TILE_EDGES[tile, k])] = sorted(pair)
    return np.array([ends[edge] for edge in range(EDGES)], np.int64)


EDGE_PLACES = _edge_ends()  # [edge, 2] its two places, the lower number first
PLACE_EDGES = _padded(
    [[e for e in range(EDGES) if place in EDGE_PLACES[e]] for place in range(PLACES)], 3
)
PLACE_TILES = _padded(
    [[t for t in range(TILES) if place in TILE_PLACES[t]] for place in range(PLACES)], 3
)
PLACE_NEIGHBOURS = _padded(
    [[int(EDGE_PLACES[e].sum()) - place for e in PLACE_EDGES[place] if e != NONE]
     for place in range(PLACES)], 3,
)  # fmt: skip
# [tile, 6] the neighbouring tiles, NONE for the sea
TILE_NEIGHBOURS = np.array(
    [[TILE_NUMBER.get(_plus(tile, way), NONE) for way in DIRECTIONS] for tile in TILE_CUBES],
    np.int64,
)
HARBOUR_EDGE = np.array(
    [EDGE_NUMBER[border_key(tile, direction)] for tile, direction in _HARBOUR_SITES], np.int64
)
HARBOUR_PLACES = EDGE_PLACES[HARBOUR_EDGE]  # [harbour, 2]
PLACE_HARBOUR = np.array(
    [next((h for h in range(HARBOURS) if place in HARBOUR_PLACES[h]), NONE)
     for place in range(PLACES)], np.int64,
)  # fmt: skip

# Bit sets of places: bit p is place p. 54 bits fit into signed words with room to spare.
BIT = np.array([1 << place for place in range(PLACES)], np.int64)
# The place and its neighbours: where nobody may settle once it is taken (distance rule).
AROUND = np.array(
    [int(BIT[place]) | sum(int(BIT[n]) for n in PLACE_NEIGHBOURS[place] if n != NONE)
     for place in range(PLACES)], np.int64,
)  # fmt: skip


def _ring(radius, corner):
    """Return the tiles of a ring, counter-clockwise, from the corner in this direction."""
    if radius == 0:
        return [(0, 0, 0)]
    tile = _times(DIRECTIONS[corner], radius)
    found = []
    for side in range(6):
        for _ in range(radius):
            found.append(tile)
            tile = _plus(tile, DIRECTIONS[(corner + side + 2) % 6])
    return found


# [corner, 19] the tiles in the order in which lettered tokens are placed: an inward spiral.
SPIRALS = np.array(
    [[TILE_NUMBER[tile] for radius in (2, 1, 0) for tile in _ring(radius, corner)]
     for corner in range(6)], np.int64,
)  # fmt: skip


def centre(key: tuple[int, ...], tiles_in_key: int) -> tuple[float, float]:
    """Return where the thing identified by a sum of tiles is drawn; tile sides have length 1."""
    x, y, z = (part / tiles_in_key for part in key)
    return ((x - y) * 3**0.5 / 2, z * 1.5)
