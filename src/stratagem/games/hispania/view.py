"""Hispania as a drawing: regions as areas around their places, stacks, structures, attacks."""

from functools import cache
from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board import (
    CITY,
    CODES,
    NAMES,
    NATIONS,
    REGIONS,
    RIVER,
    STACK,
    STRAIT,
    TABLES,
)
from stratagem.games.hispania.notation import describe_turn
from stratagem.games.hispania.rules import score
from stratagem.games.hispania.tables import AREAS, STRUCTURES, TERRAINS

WIDTH, HEIGHT = 27.2, 21.0
_SCALE_X, _SCALE_Y = 0.24, 0.19  # from the map's 0-100 to units of one cell
_REACH = 1.9  # how far a region extends from its place

Point = tuple[float, float]


def view(s: Any) -> Scene:
    shapes = [_area(s, region) for region in range(len(NAMES)) if _plays(s, region)]
    shapes += _edges(s)
    for region in range(len(NAMES)):
        if _plays(s, region):
            shapes += _marks(s, region)
    for row in range(int(s["attacking"])):
        site, origin = int(s["attackers"][row, 0]), int(s["attackers"][row, 1])
        ends = (place(origin), place(site))
        shapes.append(Shape("line", ends, f"seat{_seat(s, int(s['nation']))}-target"))
    return Scene(WIDTH, HEIGHT, tuple(shapes), tuple(_facts(s)))


def place(region: int) -> Point:
    """Where a region's stack is drawn."""
    here = TABLES.regions[region]
    return (1.2 + here.x * _SCALE_X, HEIGHT - 1.1 - here.y * _SCALE_Y)


@cache
def polygons() -> tuple[tuple[Point, ...], ...]:
    """Each region's area: all points nearer to its place than to any other, up to a distance."""
    places = [place(region) for region in range(len(NAMES))]
    disc = ((1.0, 0.0), (0.87, 0.5), (0.5, 0.87), (0.0, 1.0), (-0.5, 0.87), (-0.87, 0.5))
    found = []
    for at, (x, y) in enumerate(places):
        shape = [
            (x + sign * a * _REACH, y + sign * b * _REACH) for sign in (1, -1) for a, b in disc
        ]
        for other, (u, v) in enumerate(places):
            if other != at:
                shape = _nearer_half(shape, (x, y), (u, v))
        found.append(tuple(shape))
    return tuple(found)


def _nearer_half(shape: list[Point], mine: Point, other: Point) -> list[Point]:
    """The part of a convex polygon that is nearer to one point than to another."""
    a, b = other[0] - mine[0], other[1] - mine[1]
    limit = (other[0] ** 2 + other[1] ** 2 - mine[0] ** 2 - mine[1] ** 2) / 2
    kept: list[Point] = []
    for k, here in enumerate(shape):
        before = shape[k - 1]
        side_before = a * before[0] + b * before[1] - limit
        side_here = a * here[0] + b * here[1] - limit
        if (side_before < 0) != (side_here < 0):
            part = side_before / (side_before - side_here)
            kept.append(
                (before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1]))
            )
        if side_here < 0:
            kept.append(here)
    return kept


def _plays(s: Any, region: int) -> bool:
    return bool(int(s["active"]) >> region & 1)


def _seat(s: Any, nation: int) -> int:
    return max(0, int(s["player"][nation]))


def _area(s: Any, region: int) -> Shape:
    here = TABLES.regions[region]
    role = TERRAINS[here.terrain] if AREAS[here.area] != "Offmap" else "offmap"
    return Shape("polygon", polygons()[region], role, key=f"region:{region}")


def _edges(s: Any) -> list[Shape]:
    """Rivers and straits; what merely touches needs no line."""
    found = []
    for role, masks in (("river", RIVER), ("strait", STRAIT)):
        for first in range(len(NAMES)):
            for second in range(first):
                if int(masks[first]) >> second & 1 and _plays(s, first) and _plays(s, second):
                    found.append(Shape("line", (place(first), place(second)), role))
    return found


def _marks(s: Any, region: int) -> list[Shape]:
    """Name, structure and stack of a region."""
    x, y = place(region)
    structure = int(s["structure"][region])
    name = NAMES[region] + (f" ({STRUCTURES[structure]})" if structure else "")
    shapes = [Shape("label", ((x, y + 0.62),), "city" if structure == CITY else "label", name)]
    nation = int(s["owner"][region])
    if nation >= 0:
        text = f"{CODES[nation]} {int(s['units'][region].sum())}"
        text += "*" if s["leader"][region] > 0 else ""
        shapes.append(
            Shape("disc", ((x, y),), f"seat{_seat(s, nation)}", text, 0.42, key=f"region:{region}")
        )
    return shapes


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("round", str(int(s["round"])))]
    if s["seat"] != OVER:
        facts.append(("turn", describe_turn(s)))
    for seat in range(int(s["num_seats"])):
        facts.append((f"seat {seat} points", f"{score(s, seat):.0f}"))
    for nation in range(NATIONS):
        if s["player"][nation] >= 0 and (s["owner"] == nation).any():
            overlord = int(s["overlord"][nation])
            lord = f", vassal of {CODES[overlord]}" if overlord >= 0 else ""
            points = f"{int(s['vp'][nation])} VP, pool {int(s['pool'][nation])}{lord}"
            facts.append((TABLES.nations[nation].name, points))
    return facts


def touches(s: Any, action: int) -> tuple[str, ...]:
    """The region, then what is bought or removed there, or where its pieces go."""
    if s["seat"] == CHANCE:
        return (f"region:{int(s['site'])}",) if s["site"] >= 0 else ()
    if action < FROM:
        slot, region = divmod(action - BUY, REGIONS)
        return (f"region:{region}", f"type:{slot}")
    if action == STOP:
        return ()
    if action < STOP:
        return (f"region:{action - FROM}",)
    if action < TO:
        mask = action - WITH
        return tuple(f"piece:{place}" for place in range(STACK) if mask >> place & 1)
    if action < FIGHT:
        return (f"region:{int(s['origin'])}", f"region:{action - TO}")
    if action < RETREAT:
        return (f"region:{action - FIGHT}",)
    if action < REMOVE:
        site, region = int(s["site"]), action - RETREAT
        return (f"region:{site}",) if site == region else (f"region:{site}", f"region:{region}")
    slot, region = divmod(action - REMOVE, REGIONS)
    return (f"region:{region}", f"type:{slot}")
