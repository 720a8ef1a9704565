"""Counters and structures on the map of Hispania.

A counter has its nation's colour and code, its player's number in that player's colour, and the
number of infantry (I), cavalry (C) and special units (S); a star is a leader.
"""

from __future__ import annotations

from math import dist
from typing import Any

from stratagem.core.scene import Point, Shape, arrow_head, between, block, star
from stratagem.games.hispania.board.arrays import CASTLE, CITY, CODES, FORT, GAME_DATA
from stratagem.games.hispania.board.data import STRUCTURES
from stratagem.games.hispania.notation.codes import format_attack, format_stack
from stratagem.games.hispania.view.map import Sheet, region_name, region_tip

WIDTH, HEIGHT = 1.4, 1.12  # two lines of 10 pixels where the map is smallest
_STRIP = 0.32  # with the player's number
_FORT = ((-0.16, 0.12), (-0.16, -0.1), (-0.08, -0.02), (0.0, -0.1), (0.08, -0.02), (0.16, -0.1),
         (0.16, 0.12))  # fmt: skip
_CASTLE = ((-0.15, 0.17), (-0.15, -0.17), (-0.07, -0.17), (-0.07, -0.08), (0.07, -0.08),
           (0.07, -0.17), (0.15, -0.17), (0.15, 0.17))  # fmt: skip
_CITY = ((-0.24, 0.15), (-0.24, -0.05), (-0.14, -0.17), (-0.04, -0.05), (-0.04, 0.0), (0.06, -0.12),
         (0.16, -0.02), (0.24, -0.02), (0.24, 0.15))  # fmt: skip


def seat_of(s: Any, nation: int) -> int:
    return max(0, int(s["player"][nation]))


def counts_text(units: Any) -> str:
    """Numbers of infantry, cavalry and special units, e.g. `2I 1C`."""
    return " ".join(f"{int(n)}{name}" for n, name in zip(units, "ICS", strict=True) if n)


def width_of(text: str) -> float:
    """Return the width of a counter with this text."""
    return max(WIDTH, _STRIP + 0.1 + 0.29 * len(text))


def counter(
    s: Any, nation: int, middle: Point, text: str, key: str, tip: str, leader: bool = False
) -> list[Shape]:
    """A stack of one nation."""
    x, y = middle
    width = width_of(text)
    left, top = x - width / 2, y - HEIGHT / 2
    seat, role = seat_of(s, nation), f"nation-{CODES[nation]}"
    body = (left + _STRIP + width) / 2 + left / 2  # middle of the part right of the strip
    shapes = [
        Shape("polygon", block(left, top, width, HEIGHT), role, key=key, tip=tip, layer="pieces"),
        Shape("polygon", block(left, top, _STRIP, HEIGHT), f"seat{seat}", str(seat + 1), key=key,
              size=0.3, tip=tip, layer="pieces"),
        Shape("label", ((body, top + 0.31),), role, CODES[nation], key=key, size=0.32,
              layer="pieces"),
        Shape("label", ((body, top + 0.84),), role, text, key=key, size=0.24, layer="pieces"),
    ]  # fmt: skip
    if leader:
        at = star((left + width - 0.06, top + 0.02), 0.22)
        shapes.append(Shape("polygon", at, "leader", key=key, tip=tip, layer="pieces"))
    return shapes


def stack(s: Any, sheet: Sheet, region: int) -> list[Shape]:
    """Draw the counter of the nation in a region."""
    nation = int(s["owner"][region])
    if nation < 0:
        return []
    x, y = sheet.spot(region)
    text = counts_text(s["units"][region])
    name = GAME_DATA.nations[nation].name
    tip = f"{region_name(region)}: {format_stack(s, region)} ({name})"
    leader = bool(s["leader"][region] > 0)
    key = f"region:{region}"
    return counter(s, nation, (x, y - 0.12), text or "leader", key, tip, leader)


def marks(s: Any, sheet: Sheet, region: int) -> list[Shape]:
    """Name, terrain, structure and population of a region."""
    x, y = sheet.spot(region)
    here, key, tip = GAME_DATA.regions[region], f"region:{region}", region_tip(region)
    name = Shape(
        "label", ((x, y + 0.68),), "label", region_name(region), key=key, size=0.34, tip=tip,
        layer="marks",
    )  # fmt: skip
    shapes = [name]
    built = int(s["structure"][region])
    side = width_of(counts_text(s["units"][region])) / 2
    y -= 0.12  # terrain and population are beside the counter, a structure above it
    if here.terrain == 1:
        for dx, size in ((-side - 0.36, 1.0), (-side - 0.18, 0.75)):
            peak = ((-0.14, 0.12), (0.0, -0.16), (0.14, 0.12))
            corners = tuple((x + dx + size * a, y + size * b) for a, b in peak)
            shapes.append(Shape("polygon", corners, "difficult-mark", key=key, layer="marks"))
    elif here.terrain == 2:
        for dx, dy in ((0.4, -0.03), (0.26, 0.04), (0.12, -0.03)):
            spot = ((x - side - dx, y + dy),)
            shapes.append(Shape("disc", spot, "poor-mark", radius=0.04, key=key, layer="marks"))
    if built:
        corners = {FORT: _FORT, CASTLE: _CASTLE, CITY: _CITY}[built]
        shape = tuple((x + 1.1 * a, y - 0.74 + 1.1 * b) for a, b in corners)
        what = f"{STRUCTURES[built]} in {region_name(region)}"
        shapes.append(Shape("polygon", shape, STRUCTURES[built], key=key, tip=what, layer="marks"))
    if here.population:
        shapes.append(
            Shape("label", ((x + side + 0.2, y),), "muted", str(here.population), key=key,
                  size=0.28, tip=tip, layer="marks")
        )  # fmt: skip
    return shapes


def control(s: Any, sheet: Sheet, region: int) -> list[Shape]:
    """A tint of the nation that stands in a region."""
    nation = int(s["owner"][region])
    if nation < 0:
        return []
    role, key = f"nation-{CODES[nation]}-land", f"region:{region}"
    return [
        Shape("polygon", part, role, key=key, tip=region_tip(region), width=0.02)
        for part in sheet.area(region)
    ]


def outline(sheet: Sheet, region: int, role: str) -> list[Shape]:
    """Draw a ring around a region: the origin of a group, or the site of a battle."""
    return [
        Shape("line", (*part, part[0]), role, key=f"region:{region}", width=0.12, layer="hints")
        for part in sheet.area(region)
    ]


def attacks(s: Any, sheet: Sheet) -> list[Shape]:
    """An arrow from each region whose pieces went to attack, with their number."""
    waiting: dict[tuple[int, int], int] = {}
    for row in range(int(s["attacking"])):
        site, origin = int(s["attackers"][row, 0]), int(s["attackers"][row, 1])
        waiting[origin, site] = waiting.get((origin, site), 0) + 1
    seat = seat_of(s, int(s["nation"]))
    shapes = []
    for (origin, site), count in sorted(waiting.items()):
        start, end = sheet.spot(origin), sheet.spot(site)
        length = dist(start, end)
        first, last = between(start, end, 0.5 / length), between(start, end, 1.0 - 0.7 / length)
        tip = f"{region_name(site)} attacked by {format_attack(s, site)}"
        shapes += [
            Shape("line", (first, last), f"seat{seat}-line", tip=tip, width=0.16, layer="hints"),
            Shape("polygon", arrow_head(first, last, 0.5), f"seat{seat}", tip=tip, layer="hints"),
            Shape("disc", (between(start, end, 0.45),), f"seat{seat}", str(count), 0.27, size=0.32,
                  tip=tip, layer="hints"),
        ]  # fmt: skip
    return shapes
