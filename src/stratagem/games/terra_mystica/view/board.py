"""Terra Mystica as a drawing: hex map with structures and bridges; what decisions touch.

Cult tracks, tiles, cards and player boards are panels beside the map (`cults.py`,
`tiles.py`, `player_boards.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from stratagem.core.scene import Point, Scene, Shape, between, regular
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGES,
    CELL_LAND,
    CELL_RIVER,
    COLUMNS,
    LAND_CELL,
    LAND_NAMES,
    RIVER_NAMES,
    ROWS,
    TERRAINS,
)
from stratagem.games.terra_mystica.notation.codes import faction_name
from stratagem.games.terra_mystica.view.buildings import BUILDING_NAMES, building, terrain_glyph
from stratagem.games.terra_mystica.view.cults import cults
from stratagem.games.terra_mystica.view.player_boards import boards, factions_to_choose
from stratagem.games.terra_mystica.view.tiles import tables
from stratagem.games.terra_mystica.view.touches import touches

__all__ = ["touches", "view"]

_ROW = 0.866  # height of a row of hexes one unit wide
_RADIUS = 0.577


def view(s: Any) -> Scene:
    cells = [row * COLUMNS + c for row in range(ROWS) for c in range(COLUMNS - row % 2)]
    shapes = [shape for cell in cells for shape in _hex(s, cell)]
    shapes += [shape for k in range(BRIDGES) for shape in _bridge(s, k)]
    shapes += [shape for land in range(len(LAND_NAMES)) for shape in _structure(s, land)]
    height = _ROW * (ROWS - 1) + 2 * _RADIUS + 0.04
    panels = (cults(s), *factions_to_choose(s), *tables(s), *boards(s))
    return Scene(COLUMNS, height, tuple(shapes), tuple(_facts(s)), panels=panels)


def centre(cell: int) -> Point:
    row, column = divmod(cell, COLUMNS)
    return column + 0.5 + 0.5 * (row % 2), _ROW * row + _RADIUS + 0.02


def _hex(s: Any, cell: int) -> tuple[Shape, ...]:
    land = int(CELL_LAND[cell])
    if land < 0:
        town = int(s["river_town"]) >> int(CELL_RIVER[cell]) & 1
        return _drawn_river(cell, bool(town))
    return _drawn_land(cell, land, int(s["terrain"][land]))


@cache
def _drawn_river(cell: int, town: bool) -> tuple[Shape, ...]:
    corners = regular(centre(cell), _RADIUS, 6, 30.0)
    key = f"hex:{RIVER_NAMES[int(CELL_RIVER[cell])]}"
    return (Shape("polygon", corners, "river-town" if town else "river", key=key, tip="river"),)


@cache
def _drawn_land(cell: int, land: int, number: int) -> tuple[Shape, ...]:
    x, y = centre(cell)
    terrain = TERRAINS[number]
    key, role = f"hex:{LAND_NAMES[land]}", f"terrain-{terrain}"
    corners = regular((x, y), _RADIUS, 6, 30.0)
    return (
        Shape("polygon", corners, role, key=key, tip=f"{LAND_NAMES[land]}: {terrain}"),
        *terrain_glyph(terrain, (x, y - 0.35), key),
        Shape("label", ((x, y + 0.36),), f"{role}-mark", LAND_NAMES[land], key=key, size=0.13,
              layer="marks"),
    )  # fmt: skip


def _bridge(s: Any, place: int) -> list[Shape]:
    """A plank between its two banks, with its owner's number."""
    seat = int(s["bridge"][place])
    if seat < 0:
        return []
    start, end = (centre(int(LAND_CELL[int(bank)])) for bank in BRIDGE[place, :2])
    names = "-".join(LAND_NAMES[int(bank)] for bank in BRIDGE[place, :2])
    key, half = f"bridge:{names}", 0.075
    first, last = between(start, end, 0.27), between(start, end, 0.73)
    plank = (
        between(first, last, 0, half), between(first, last, 1, half),
        between(first, last, 1, -half), between(first, last, 0, -half),
    )  # fmt: skip
    tip = f"bridge {names} of {faction_name(s, seat)}"
    return [
        Shape("polygon", plank, f"seat{seat}", key=key, tip=tip, layer="pieces"),
        Shape("disc", (between(start, end, 0.5),), f"seat{seat}", str(seat + 1), 0.12, key, 0.15,
              tip=tip, layer="pieces"),
    ]  # fmt: skip


def _structure(s: Any, land: int) -> list[Shape]:
    """A structure, with a golden ring if it stands in a town."""
    seat = int(s["owner"][land])
    if seat < 0:
        return []
    x, y = centre(int(LAND_CELL[land]))
    key, kind = f"hex:{LAND_NAMES[land]}", int(s["building"][land])
    tip = f"{LAND_NAMES[land]}: {BUILDING_NAMES[kind]} of {faction_name(s, seat)}"
    shapes = []
    if s["town"][land]:
        ring = regular((x, y), 0.5, 6, 30.0)
        shapes.append(
            Shape("line", (*ring, ring[0]), "town-ring", key=key, tip=f"{tip}, in a town",
                  layer="marks")
        )  # fmt: skip
    return [*shapes, *building(kind, (x, y - 0.03), seat, key, tip)]


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("round", f"{int(s['round'])} of 6")]
    if s["seat"] != OVER:
        facts.append(("decides", faction_name(s, int(s["seat"]))))
    for seat in range(int(s["players"])):
        goods = f"{int(s['coins'][seat])} C, {int(s['workers'][seat])} W, "
        goods += f"{int(s['priests'][seat])} P"
        bowls = "/".join(str(int(n)) for n in s["bowl"][seat])
        facts.append((faction_name(s, seat), f"{int(s['vp'][seat])} VP, {goods}, {bowls} PW"))
    return facts
