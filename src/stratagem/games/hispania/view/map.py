"""The map of Hispania as shapes: areas of the regions, coasts, rivers, straits and names.

Areas come from `data/map.json`, which `scripts/hispania_map.py` generates from the regions'
positions and borders. Of a position it needs only which regions are in play.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from stratagem.core.scene import Point, Shape, between
from stratagem.games.hispania.board.arrays import DATA_FOLDER, GAME_DATA, NAMES
from stratagem.games.hispania.board.data import AREAS, EDGES, STRUCTURES, TERRAINS

_SCALE = 0.28  # of the map's units, so that a counter is about one cell
_PADDING = 2.0  # around the regions in play, in the map's units
_SEAS = (
    ("Mare Cantabricum", (34.0, 95.5), 0.0),
    ("Oceanus Atlanticus", (-3.0, 58.0), -90.0),
    ("Fretum Gaditanum", (15.0, 14.0), 0.0),
    ("Mare Ibericum", (52.0, 11.5), 0.0),
    ("Mare Balearicum", (88.0, 57.5), 0.0),
)
# Borders whose regions are apart on this sheet, and where the link between them is drawn.
_LONG_WAYS = ((51, 54, ((105.0, 87.5), (105.5, 73.0))),)


@dataclass(frozen=True)
class Atlas:
    """The drawn map, in the units of regions.csv, y growing to the north."""

    sheet: tuple[float, float, float, float]  # left, low, right, high
    areas: tuple[tuple[tuple[Point, ...], ...], ...]  # [region, part]
    spots: tuple[Point, ...]  # positions of the regions' counters
    rivers: tuple[tuple[str, tuple[int, int], tuple[Point, ...]], ...]


def _points(rows: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((float(row[0]), float(row[1])) for row in rows)


@cache
def atlas() -> Atlas:
    table = json.loads((DATA_FOLDER / "map.json").read_text())
    left, low, right, high = table["sheet"]
    return Atlas(
        (left, low, right, high),
        tuple(tuple(_points(part) for part in parts) for parts in table["areas"]),
        _points(table["spots"]),
        tuple(
            (river["name"], (river["between"][0], river["between"][1]), _points(river["line"]))
            for river in table["rivers"]
        ),
    )


@dataclass(frozen=True)
class Sheet:
    """The part of the map around the regions in play, and its placement in a scene."""

    active: int  # bit per region in play
    left: float
    high: float
    width: float  # of the scene
    height: float

    def at(self, point: Point) -> Point:
        return ((point[0] - self.left) * _SCALE, (self.high - point[1]) * _SCALE)

    def plays(self, region: int) -> bool:
        return bool(self.active >> region & 1)

    @property
    def regions(self) -> list[int]:
        """The regions in play."""
        return [region for region in range(len(NAMES)) if self.plays(region)]

    def spot(self, region: int) -> Point:
        """Return where a region's counter is in the scene."""
        return self.at(atlas().spots[region])

    def area(self, region: int) -> tuple[tuple[Point, ...], ...]:
        """The parts of a region on the scene; only islands have more than one."""
        return tuple(tuple(map(self.at, part)) for part in atlas().areas[region])


@cache
def sheet_of(active: int) -> Sheet:
    left, low, right, high = atlas().sheet
    if active != (1 << len(NAMES)) - 1:
        corners = [
            corner
            for region in range(len(NAMES))
            if active >> region & 1
            for part in atlas().areas[region]
            for corner in part
        ]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        low, high = min(y for _, y in corners), max(y for _, y in corners)
        left, low, right, high = left - _PADDING, low - _PADDING, right + _PADDING, high + _PADDING
    return Sheet(active, left, high, (right - left) * _SCALE, (high - low) * _SCALE)


@cache
def ground(active: int) -> tuple[Shape, ...]:
    """Draw sea, land, rivers and straits: what no move changes, except structures."""
    sheet = sheet_of(active)
    corners = ((0.0, 0.0), (sheet.width, 0.0), (sheet.width, sheet.height), (0.0, sheet.height))
    shapes = [Shape("polygon", corners, "sea")]
    for name, place, turn in _SEAS:
        x, y = sheet.at(place)
        if _has_room(sheet, (x, y), bool(turn)):
            shapes.append(Shape("label", ((x, y),), "sea-name", name, size=0.55, turn=turn))
    for idle in (True, False):  # regions out of play are below the others
        for region in range(len(NAMES)):
            if sheet.plays(region) != idle:
                shapes += _land(sheet, region)
    return (*shapes, *_waters(sheet))


def tinted_ground(active: int, tints: Sequence[Shape]) -> list[Shape]:
    """Draw the ground with tints over its land, below rivers and names."""
    base = ground(active)
    land = max(k for k, shape in enumerate(base) if shape.kind == "polygon") + 1
    return [*base[:land], *tints, *base[land:]]


def _has_room(sheet: Sheet, middle: Point, upright: bool) -> bool:
    """Whether the name of a sea fits here."""
    across, down = (0.4, 2.8) if upright else (2.8, 0.4)
    x, y = middle
    return across < x < sheet.width - across and down < y < sheet.height - down


def _land(sheet: Sheet, region: int) -> list[Shape]:
    here = GAME_DATA.regions[region]
    role = TERRAINS[here.terrain] if AREAS[here.area] != "Offmap" else "offmap"
    key, tip = f"region:{region}", region_tip(region)
    if not sheet.plays(region):
        role, key, tip = "idle", "", f"{region_name(region)} is not in play"
    parts = sheet.area(region)
    if not sheet.plays(region):
        parts = tuple(filter(None, (_cut(sheet, part) for part in parts)))
    return [Shape("polygon", part, role, key=key, tip=tip, width=0.04) for part in parts]


def _cut(sheet: Sheet, part: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the part of a polygon that is on the sheet."""
    for axis, sign, limit in (
        (0, -1, 0.0),
        (0, 1, sheet.width),
        (1, -1, 0.0),
        (1, 1, sheet.height),
    ):
        kept: list[Point] = []
        for k, here in enumerate(part):
            before = part[k - 1]
            out_before, out = sign * (before[axis] - limit), sign * (here[axis] - limit)
            if (out_before > 0) != (out > 0):
                kept.append(between(before, here, out_before / (out_before - out)))
            if out <= 0:
                kept.append(here)
        part = tuple(kept)
    return part


def _waters(sheet: Sheet) -> list[Shape]:
    """Draw rivers along their borders, and links over water or off the sheet."""
    shapes = []
    for name, (first, second), line in atlas().rivers:
        if sheet.plays(first) and sheet.plays(second):
            way = tuple(map(sheet.at, line))
            shapes.append(Shape("line", way, "river-line", tip=f"river {name}"))
    for edge in GAME_DATA.edges:
        if EDGES[edge.kind] == "strait" and sheet.plays(edge.first) and sheet.plays(edge.second):
            start, end = sheet.spot(edge.first), sheet.spot(edge.second)
            ends = (between(start, end, 0.2), between(start, end, 0.8))
            shapes.append(Shape("line", ends, "strait", tip=_way(edge.first, edge.second)))
    for first, second, line in _LONG_WAYS:
        if sheet.plays(first) and sheet.plays(second):
            ends = (sheet.at(line[0]), sheet.at(line[1]))
            shapes.append(Shape("line", ends, "land-link", tip=_way(first, second)))
    return shapes


def _way(first: int, second: int) -> str:
    return f"{region_name(first)} - {region_name(second)}"


def region_name(region: int) -> str:
    return NAMES[region].replace("_", " ")


def region_tip(region: int) -> str:
    """Name, terrain and population of a region."""
    here = GAME_DATA.regions[region]
    built = f", {STRUCTURES[here.structure]} at first" if here.structure else ""
    return f"{region_name(region)}: {TERRAINS[here.terrain]}, population {here.population}{built}"
