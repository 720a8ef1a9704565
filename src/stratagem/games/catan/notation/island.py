"""The island as text, with the number of every place and tile that a move can name.

Numbers are at the places: `12` is free, `12s1` a settlement and `12C1` a city of player 1. A road
is its player's number on the edge between two places.
"""

from typing import Any

from stratagem.games.catan.board import (
    EDGE_PLACES,
    EDGES,
    HARBOUR_PLACES,
    PLACE_KEYS,
    PLACES,
    TILE_CUBES,
)
from stratagem.games.catan.state import SEATS

_STEP = 6  # characters between columns of places
_BAND = 5  # lines between every second row of places: places, slopes, places, two of tiles
_ROWS = sorted({key[2] for key in PLACE_KEYS})
_LEFT = min(key[0] - key[1] for key in PLACE_KEYS) // 3


def draw_island(s: Any, tile_names: tuple[str, ...], harbour_names: list[str]) -> list[str]:
    """Draw the map line by line, and list the harbours."""
    canvas = _Canvas()
    for edge in range(EDGES):
        _draw_edge(canvas, edge, int(s["road"][edge]))
    for number, cube in enumerate(TILE_CUBES):
        row = _ROWS.index(3 * cube[2] - 1) // 2
        column = cube[0] - cube[1]
        robber = " robber" if s["robber"] == number else ""
        token = f" {int(s['token'][number])}" if s["token"][number] else ""
        canvas.write(_BAND * row + 3, column, f"T{number}{robber}")
        canvas.write(_BAND * row + 4, column, tile_names[int(s["terrain"][number])] + token)
    for place in range(PLACES):
        line, column = _place(place)
        canvas.write(line, column, f"{place}{_building(int(s['place'][place]))}")
    harbours = [
        f"{name} at {first} and {second}"
        for name, (first, second) in zip(harbour_names, HARBOUR_PLACES.tolist(), strict=True)
    ]
    return [*canvas.lines(), "harbours: " + ", ".join(harbours)]


def _building(owner: int) -> str:
    """Return what is on a place: `s1` a settlement, `C1` a city."""
    if not owner:
        return ""
    return f"s{owner}" if owner <= SEATS else f"C{owner - SEATS}"


def _place(place: int) -> tuple[int, int]:
    """Return (line, column) of a place."""
    x, y, z = PLACE_KEYS[place]
    row = _ROWS.index(z)
    return _BAND * (row // 2) + 2 * (row % 2), (x - y) // 3


def _draw_edge(canvas: "_Canvas", edge: int, owner: int) -> None:
    (line, column), (below, beside) = (_place(int(place)) for place in EDGE_PLACES[edge])
    if column == beside:
        for one in range(line + 1, below):
            canvas.write(one, column, str(owner or "|"))
    else:
        slope = "\\" if beside > column else "/"
        canvas.write(line + 1, (column + beside) / 2, str(owner or slope))


class _Canvas:
    """Lines of characters; texts are centred at a column of places."""

    def __init__(self) -> None:
        self._letters: dict[tuple[int, int], str] = {}

    def write(self, line: int, column: float, text: str) -> None:
        first = round((column - _LEFT) * _STEP) + 4 - len(text) // 2
        for place, letter in enumerate(text):
            self._letters[line, first + place] = letter

    def lines(self) -> list[str]:
        last = max(line for line, _ in self._letters)
        width = max(column for _, column in self._letters) + 1
        return [
            "".join(self._letters.get((line, column), " ") for column in range(width)).rstrip()
            for line in range(last + 1)
        ]
