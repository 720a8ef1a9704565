"""Catan as a drawing: the island with numbers, harbours, robber, roads and buildings.

Beside it are the table (bank, dice, deck) and a panel for each player. What only its owner may see,
such as development cards, is marked in the scene (`seen_by`).
"""

from functools import cache
from typing import Any

from stratagem.core.scene import Point, Scene, Shape, between, regular
from stratagem.core.seats import CHANCE
from stratagem.games.catan.actions import ACCEPT, GROUPS, NO_DEAL
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
from stratagem.games.catan.notation.codes import (
    PHASE_NAMES,
    RESOURCE_NAMES,
    TERRAIN_NAMES,
    edge_name,
)
from stratagem.games.catan.rules.trading import given_in, received_in
from stratagem.games.catan.state import (
    FREE_ROAD,
    GENERIC,
    RESOURCES,
    ROLL,
    SEATS,
    SEVEN,
    TAKE_PLENTY,
    WAYS,
    hand_size,
    visible_points,
)
from stratagem.games.catan.view.pieces import city, glyph, road, robber, settlement
from stratagem.games.catan.view.players import panels

_WIDTH, _HEIGHT = 10.9, 9.6  # only as much sea as the harbours need
_SEA = ((-3.1, -4.8), (3.1, -4.8), (5.45, -0.8), (5.45, 0.8), (3.1, 4.8), (-3.1, 4.8), (-5.45, 0.8),
        (-5.45, -0.8))  # fmt: skip


def view(s: Any) -> Scene:
    shapes = [Shape("polygon", tuple(map(_shift, _SEA)), "sea")]
    shapes += [shape for k in range(HARBOURS) for shape in _harbour(k, int(s["harbour"][k]))]
    shapes += [
        shape
        for tile in range(TILES)
        for shape in _tile(tile, int(s["terrain"][tile]), int(s["token"][tile]))
    ]
    shapes += [shape for edge in range(EDGES) for shape in _edge(s, edge)]
    shapes += [shape for place in range(PLACES) for shape in _place(s, place)]
    x, y = _tile_centre(int(s["robber"]))
    shapes += robber((x - 0.52, y + 0.1))
    return Scene(_WIDTH, _HEIGHT, tuple(shapes), tuple(_facts(s)), panels=panels(s))


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Return the card, pile or piece used and then the place; for a roll the tiles that yield."""
    if s["seat"] == CHANCE:
        rolled = s["phase"] == ROLL and action != SEVEN
        return tuple(f"tile:{t}" for t in range(TILES) if rolled and s["token"][t] == action)
    seat = int(s["seat"])
    group = next(group for group in GROUPS if action < group.stop)
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
        case "offer":
            given, received = given_in(index)[0], received_in(index)[0]
            return (f"hand:{seat},{RESOURCE_NAMES[given]}", f"want:{RESOURCE_NAMES[received]}")
        case "answer":
            return ("offer",) if action == ACCEPT else ("refuse",)
        case "counter":
            return (f"want:{RESOURCE_NAMES[given_in(index)[0]]}",)
        case "partner":
            other = f"seat:{(seat + 1 + index) % int(s['players'])}"
            return ("refuse",) if action == NO_DEAL else (other,)
        case "roll":
            return ("dice",)
    return ()


def _shift(point: Point) -> Point:
    return (point[0] + _WIDTH / 2, point[1] + _HEIGHT / 2)


def _tile_centre(tile: int) -> Point:
    return _shift(centre(TILE_CUBES[tile], 1))


def _place_centre(place: int) -> Point:
    return _shift(centre(PLACE_KEYS[place], 3))


@cache
def _tile(tile: int, kind: int, number: int) -> tuple[Shape, ...]:
    """Draw a tile with its terrain's glyph, and its number with a pip for each way to roll it."""
    x, y = _tile_centre(tile)
    terrain, key = TERRAIN_NAMES[kind], f"tile:{tile}"
    ways = int(WAYS[number - 2]) if number else 0
    tip = f"T{tile} {terrain}" + (f" on {number}, {ways} of 36" if number else "")
    shapes = [Shape("polygon", regular((x, y), 1.0, 6, 30.0), terrain, key=key, tip=tip)]
    shapes += glyph(terrain, (x, y - 0.52), key)
    if number:
        role = "token-red" if number in (6, 8) else "token"
        at = (x, y + 0.14)
        shapes.append(Shape("disc", (at,), role, "", 0.33, key, tip=tip, layer="marks"))
        shapes.append(
            Shape("label", ((at[0], at[1] - 0.06),), role, str(number), key=key, size=0.34,
                  layer="marks")
        )  # fmt: skip
        for pip in range(ways):
            middle = ((x + 0.075 * (pip - (ways - 1) / 2), at[1] + 0.2),)
            dot = "health" if number in (6, 8) else "die-mark"
            shapes.append(Shape("disc", middle, dot, radius=0.026, key=key, layer="marks"))
    return tuple(shapes)


@cache
def _harbour(harbour: int, kind: int) -> tuple[Shape, ...]:
    """Draw a plate at sea with the rate, and piers to the two places it serves."""
    ends = [_place_centre(int(place)) for place in HARBOUR_PLACES[harbour]]
    coast = between(ends[0], ends[1], 0.5)
    out = between((_WIDTH / 2, _HEIGHT / 2), coast, 1.155)
    key = f"harbour:{harbour}"
    name = "any" if kind == GENERIC else RESOURCE_NAMES[kind]
    rate = "3:1" if kind == GENERIC else "2:1"
    role = "harbour" if kind == GENERIC else RESOURCE_NAMES[kind]
    tip = f"harbour: {rate[0]} {'of a kind' if kind == GENERIC else name} for 1 of any"
    return (
        *(Shape("line", (end, out), "pier", key=key) for end in ends),
        Shape("disc", (out,), role, radius=0.35, key=key, tip=tip),
        Shape("label", ((out[0], out[1] - 0.09),), role, rate, key=key, size=0.24),
        Shape("label", ((out[0], out[1] + 0.14),), role, name, key=key, size=0.17),
    )


def _edge(s: Any, edge: int) -> list[Shape]:
    ends = tuple(_place_centre(int(place)) for place in EDGE_PLACES[edge])
    owner, key = int(s["road"][edge]) - 1, f"edge:{edge}"
    tip = f"edge {edge_name(edge)}"
    shapes = [Shape("line", ends, "edge", key=key, tip=tip)]
    return shapes if owner < 0 else [*shapes, *road(ends[0], ends[1], owner, key)]


def _place(s: Any, place: int) -> list[Shape]:
    middle, code, key = _place_centre(place), int(s["place"][place]), f"place:{place}"
    if code == 0:
        return [Shape("disc", (middle,), "place", radius=0.055, key=key, tip=f"place {place}")]
    owner = (code - 1) % SEATS
    return city(middle, owner, key) if code > SEATS else settlement(middle, owner, key)


def _facts(s: Any) -> list[tuple[str, str]]:
    """Return what everybody may know."""
    facts = [("turn", str(int(s["turn"]))), ("phase", PHASE_NAMES[int(s["phase"])])]
    facts.append(("last roll", str(int(s["last_roll"]) or "none yet")))
    for seat in range(int(s["players"])):
        seen, cards = int(visible_points(s, seat)), int(s["cards"][seat].sum())
        facts.append((f"player {seat + 1} points", f"{seen} of {int(s['target'])} in sight"))
        facts.append((f"player {seat + 1} hand", f"{int(hand_size(s, seat))}, {cards} to play"))
    for name, holder in (("longest road", s["road_holder"]), ("largest army", s["army_holder"])):
        facts.append((name, f"player {int(holder) + 1}" if holder >= 0 else "nobody"))
    return facts
