"""Catan as a drawing: the island with numbers, harbours, robber, roads and buildings."""

from math import cos, pi, sin
from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import CHANCE
from stratagem.games.catan import actions
from stratagem.games.catan.board import (
    EDGE_PLACES,
    EDGES,
    HARBOUR_PLACES,
    HARBOURS,
    PLACE_KEYS,
    PLACES,
    TILE_CUBES,
    TILES,
    centre,
)
from stratagem.games.catan.notation import KIND_NAMES, RESOURCE_NAMES, TERRAIN_NAMES
from stratagem.games.catan.position import (
    FREE_ROAD,
    GENERIC,
    RESOURCES,
    ROLL,
    SEATS,
    SEVEN,
    TAKE_PLENTY,
    points,
)

_WIDTH, _HEIGHT = 11.0, 10.5
Point = tuple[float, float]


def view(s: Any) -> Scene:
    shapes = [shape for tile in range(TILES) for shape in _tile(s, tile)]
    shapes += [shape for harbour in range(HARBOURS) for shape in _harbour(s, harbour)]
    shapes.append(Shape("disc", (_tile_centre(int(s["robber"])),), "robber", "", 0.22, "robber"))
    shapes += [_edge(s, edge) for edge in range(EDGES)]
    shapes += [_place(s, place) for place in range(PLACES)]
    return Scene(_WIDTH, _HEIGHT, tuple(shapes), tuple(_facts(s)))


def _shift(point: Point) -> Point:
    return (point[0] + _WIDTH / 2, point[1] + _HEIGHT / 2)


def _tile_centre(tile: int) -> Point:
    return _shift(centre(TILE_CUBES[tile], 1))


def _place_centre(place: int) -> Point:
    return _shift(centre(PLACE_KEYS[place], 3))


def _around(point: Point, radius: float, corners: int, turn: float) -> tuple[Point, ...]:
    angles = [turn + 2 * pi * k / corners for k in range(corners)]
    return tuple((point[0] + radius * cos(a), point[1] + radius * sin(a)) for a in angles)


def _tile(s: Any, tile: int) -> list[Shape]:
    middle = _tile_centre(tile)
    terrain = TERRAIN_NAMES[int(s["terrain"][tile])]
    shapes = [Shape("polygon", _around(middle, 1.0, 6, pi / 6), terrain, key=f"tile:{tile}")]
    number = int(s["token"][tile])
    if number:
        role = "token-red" if number in (6, 8) else "token"
        shapes.append(Shape("disc", (middle,), role, str(number), 0.3, f"token{tile}"))
    return shapes


def _harbour(s: Any, harbour: int) -> list[Shape]:
    ends = [_place_centre(int(place)) for place in HARBOUR_PLACES[harbour]]
    x, y = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
    # Out to sea: straight away from the middle of the island.
    out = (x + (x - _WIDTH / 2) * 0.14, y + (y - _HEIGHT / 2) * 0.14)
    kind = int(s["harbour"][harbour])
    text = "3:1" if kind == GENERIC else f"2:1 {RESOURCE_NAMES[kind]}"
    piers = [Shape("line", (end, out), "pier") for end in ends]
    return [*piers, Shape("label", (out,), "harbour", text, key=f"harbour{harbour}")]


def _edge(s: Any, edge: int) -> Shape:
    ends = tuple(_place_centre(int(place)) for place in EDGE_PLACES[edge])
    owner = int(s["road"][edge]) - 1
    role = "edge" if owner < 0 else f"seat{owner}-road"
    return Shape("line", ends, role, key=f"edge:{edge}")


def _place(s: Any, place: int) -> Shape:
    middle = _place_centre(place)
    code = int(s["place"][place])
    key = f"place:{place}"
    if code == 0:
        return Shape("disc", (middle,), "place", "", 0.06, key)
    owner = (code - 1) % SEATS
    if code > SEATS:
        return Shape("polygon", _around(middle, 0.3, 4, pi / 4), f"seat{owner}", "C", 0.3, key)
    return Shape("disc", (middle,), f"seat{owner}", "S", 0.2, key)


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("turn", str(int(s["turn"]))), ("last roll", str(int(s["last_roll"])))]
    for seat in range(int(s["players"])):
        facts.append((f"seat {seat} points", f"{int(points(s, seat))} of {int(s['target'])}"))
        facts.append((f"seat {seat} hand", _counts(s["hand"][seat], RESOURCE_NAMES)))
        facts.append((f"seat {seat} cards", _counts(s["cards"][seat], KIND_NAMES)))
    for name, holder in (("longest road", s["road_holder"]), ("largest army", s["army_holder"])):
        facts.append((name, f"seat {int(holder)}" if holder >= 0 else "nobody"))
    return facts


def _counts(numbers: Any, names: tuple[str, ...]) -> str:
    held = [f"{int(number)} {name}" for number, name in zip(numbers, names, strict=True) if number]
    return ", ".join(held) or "none"


def touches(s: Any, action: int) -> tuple[str, ...]:
    """The card, pile or piece used and then the place; tiles that yield for a roll of the dice."""
    if s["seat"] == CHANCE:
        rolled = s["phase"] == ROLL and action != SEVEN
        return tuple(f"tile:{t}" for t in range(TILES) if rolled and s["token"][t] == action)
    seat = int(s["seat"])
    group = next(group for group in actions.GROUPS if action < group.stop)
    index = action - group.start
    match group.name:
        case "settlement" | "city":
            return (f"place:{index}",)
        case "road":
            return (f"edge:{index}",)
        case "buy-card":
            return ("deck",)
        case "bank-trade":
            given, received = divmod(index, RESOURCES)
            return (f"hand:{seat},{RESOURCE_NAMES[given]}", f"bank:{RESOURCE_NAMES[received]}")
        case "knight":
            return (f"card:{seat},knight", f"tile:{index}")
        case "robber":
            return ("robber", f"tile:{index}")
        case "monopoly" | "year-of-plenty":
            card = "monopoly" if group.name == "monopoly" else "plenty"
            played = () if s["phase"] == TAKE_PLENTY else (f"card:{seat},{card}",)
            return (*played, f"bank:{RESOURCE_NAMES[index]}")
        case "road-building":
            played = () if s["phase"] == FREE_ROAD else (f"card:{seat},roads",)
            return (*played, f"edge:{index}")
        case "discard":
            return (f"hand:{seat},{RESOURCE_NAMES[index]}",)
        case "steal":
            return (f"seat:{(seat + 1 + index) % int(s['players'])}",)
        case "roll":
            return ("dice",)
    return ()
