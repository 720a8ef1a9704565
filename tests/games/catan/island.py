"""The island drawn with compass and ruler: the twin's own graph, from pixel geometry alone.

Hexagons with a point up and sides of length 1. Corners that fall together are one place. Numbers
run in reading order, as on the page.
"""

from __future__ import annotations

from math import cos, pi, sin

ROWS = (3, 4, 5, 4, 3)


def _round(point):
    return (round(point[0], 6) + 0.0, round(point[1], 6) + 0.0)


def _reading(points):
    return sorted(points, key=lambda point: (point[1], point[0]))


CENTRES = [
    _round(((column - (length - 1) / 2) * 3**0.5, (row - 2) * 1.5))
    for row, length in enumerate(ROWS)
    for column in range(length)
]
_CORNERS = [
    [_round((x + cos(pi / 6 + k * pi / 3), y + sin(pi / 6 + k * pi / 3))) for k in range(6)]
    for x, y in CENTRES
]


def _merge(points):
    """Points closer than a hair are one."""
    found = []
    for point in points:
        if not any(abs(point[0] - x) + abs(point[1] - y) < 1e-3 for x, y in found):
            found.append(point)
    return found


PLACE_POINTS = _reading(_merge([corner for corners in _CORNERS for corner in corners]))


def place_at(point):
    for number, (x, y) in enumerate(PLACE_POINTS):
        if abs(point[0] - x) + abs(point[1] - y) < 1e-3:
            return number
    raise LookupError(point)


TILE_PLACES = [frozenset(map(place_at, corners)) for corners in _CORNERS]
_SIDES = {
    frozenset((place_at(corners[k]), place_at(corners[(k + 1) % 6])))
    for corners in _CORNERS
    for k in range(6)
}


def _middle(side):
    ends = [PLACE_POINTS[place] for place in side]
    return _round(((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2))


EDGES = sorted(_SIDES, key=lambda side: (_middle(side)[1], _middle(side)[0]))
NEIGHBOURS = [
    {place for side in EDGES if here in side for place in side if place != here}
    for here in range(len(PLACE_POINTS))
]
COAST = [
    side for side in EDGES if sum(side <= places for places in TILE_PLACES) == 1
]  # borders of one tile only

# The nine harbours: rank of the tile in reading order and the compass direction of its coast.
_HARBOURS = ((11, 0), (15, 60), (17, 60), (16, 120), (12, 180), (3, 180), (0, 240), (1, 300),
             (6, 300))  # fmt: skip


def _harbour_edge(tile, degrees):
    angle = degrees * pi / 180  # clockwise from the east: the page's y grows downwards
    x, y = CENTRES[tile]
    aim = (x + cos(angle) * 3**0.5 / 2, y + sin(angle) * 3**0.5 / 2)
    return min(
        EDGES, key=lambda side: abs(_middle(side)[0] - aim[0]) + abs(_middle(side)[1] - aim[1])
    )


HARBOUR_EDGES = [_harbour_edge(tile, degrees) for tile, degrees in _HARBOURS]


def side_name(side):
    return "-".join(map(str, sorted(side)))
