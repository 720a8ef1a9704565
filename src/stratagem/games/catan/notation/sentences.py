"""Describes events of Catan: places by the tiles around them, dice by what they bring."""

from typing import Any

import numpy as np

from stratagem.core.seats import CHANCE
from stratagem.core.sentences import counted, joined, with_article
from stratagem.games.catan.actions import ACCEPT, GROUPS, NO_DEAL
from stratagem.games.catan.board import (
    EDGE_PLACES,
    NONE,
    PLACE_HARBOUR,
    PLACE_TILES,
    TILE_CUBES,
    TILE_EDGES,
    TILE_PLACES,
)
from stratagem.games.catan.notation.codes import (
    RESOURCE_NAMES,
    TERRAIN_NAMES,
    deal_text,
)
from stratagem.games.catan.rules.trading import deal_with, given_in, received_in
from stratagem.games.catan.state import (
    DESERT,
    FREE_ROAD,
    GENERIC,
    RESOURCES,
    ROLL,
    SEVEN,
    STEAL,
    TAKE_PLENTY,
    points,
)

_CARDS = ("a knight", "a victory point", "road building", "a year of plenty", "a monopoly")

# In the order of the board's corners and directions.
_CORNERS = ("north-east", "north", "north-west", "south-west", "south", "south-east")
_SIDES = ("east", "north-east", "north-west", "west", "south-west", "south-east")


def describe(s: Any, action: int, after: Any) -> str:
    text = _outcome(s, action, after) if s["seat"] == CHANCE else _decision(s, action, after)
    return text if after is None else text + _awards(s, after)


def _decision(s: Any, action: int, after: Any) -> str:
    group = next(group for group in GROUPS if action < group.stop)
    index = action - group.start
    match group.name:
        case "settlement":
            gain = _received(s, after, int(s["seat"])) if s["placed"] >= s["players"] else ""
            return f"{{build}} a settlement {_around(s, index)}" + (f", for {gain}" if gain else "")
        case "road":
            return f"{{build}} a road {_along(s, index)}"
        case "city":
            return f"{{build}} a city {_around(s, index)}"
        case "buy-card":
            return "{buy} a development card"
        case "bank-trade":
            given, received = divmod(index, RESOURCES)
            rate = int(s["rate"][int(s["seat"]), given])
            return f"{{trade}} {rate} {RESOURCE_NAMES[given]} for 1 {RESOURCE_NAMES[received]}"
        case "knight":
            return f"{{play}} a knight and {{move}} the robber to {_tile(s, index)}"
        case "robber":
            return f"{{move}} the robber to {_tile(s, index)}"
        case "monopoly":
            return _monopoly(s, index, after)
        case "year-of-plenty":
            verb = "{take}" if s["phase"] == TAKE_PLENTY else "{play} a year of plenty and {take}"
            return f"{verb} 1 {RESOURCE_NAMES[index]}"
        case "road-building":
            verb = "{build}" if s["phase"] == FREE_ROAD else "{play} road building and {build}"
            return f"{verb} a free road {_along(s, index)}"
        case "discard":
            return f"{{discard}} 1 {RESOURCE_NAMES[index]}"
        case "steal":
            return f"{{steal}} a card from {{{(int(s['seat']) + 1 + index) % int(s['players'])}}}"
        case "offer":
            return f"{{offer}} {deal_text(index)}"
        case "answer":
            return _answer(s, accepts=action == ACCEPT)
        case "counter":
            return f"{{ask}} {{{int(s['turn_seat'])}}} for {_asked(index)}"
        case "partner":
            return "{make} no deal" if action == NO_DEAL else _bargain(s, index)
        case "end-turn":
            return "{build} no more roads" if s["phase"] == FREE_ROAD else "{end} the turn"
    return "{roll} the dice"


def _answer(s: Any, accepts: bool) -> str:
    verb = "{accept}" if accepts else "{refuse}"
    return f"{verb} {{{int(s['turn_seat'])}'s}} offer of {deal_text(int(s['offer']) - 1)}"


def _asked(deal: int) -> str:
    """Word a counter-offer as its maker would."""
    (given, price), (received, number) = given_in(deal), received_in(deal)
    return f"{price} {RESOURCE_NAMES[given]} instead, for {number} {RESOURCE_NAMES[received]}"


def _bargain(s: Any, index: int) -> str:
    other = (int(s["seat"]) + 1 + index) % int(s["players"])
    return f"{{trade}} {deal_text(int(deal_with(s, other)))} with {{{other}}}"


def _outcome(s: Any, outcome: int, after: Any) -> str:
    seat = int(s["turn_seat"])
    if s["phase"] == STEAL:
        return f"{{{seat}}} {{steal}} 1 {RESOURCE_NAMES[outcome]} from {{{int(s['victim'])}}}"
    if s["phase"] != ROLL:
        return f"{{{seat}}} {{draw}} {_CARDS[outcome]}"
    text = f"{{{seat}}} {{roll}} {outcome}"
    if after is None:
        return text
    seats = range(int(s["players"]))
    if outcome == SEVEN:
        owing = [
            f"{{{k}}} {{discard}} {counted(int(after['owed'][k]), 'card')}"
            for k in seats
            if after["owed"][k]
        ]
        return f"{text}: {joined([*owing, 'the robber moves'])}"
    gains = [(k, _received(s, after, k)) for k in seats]
    parts = [f"{{{k}}} {{get}} {gain}" for k, gain in gains if gain]
    return f"{text}: {'; '.join(parts) or 'nobody gets anything'}"


def _received(s: Any, after: Any, seat: int) -> str:
    """Return the cards that a seat has gained."""
    if after is None:
        return ""
    more = [int(after["hand"][seat, r]) - int(s["hand"][seat, r]) for r in range(RESOURCES)]
    return joined([f"{n} {RESOURCE_NAMES[r]}" for r, n in enumerate(more) if n > 0])


def _monopoly(s: Any, resource: int, after: Any) -> str:
    name, seat = RESOURCE_NAMES[resource], int(s["seat"])
    text = f"{{play}} a monopoly on {name}"
    if after is None:
        return text
    given = [
        f"{{{k}}} {{give}} {int(s['hand'][k, resource])}"
        for k in range(int(s["players"]))
        if k != seat and s["hand"][k, resource]
    ]
    return f"{text}: {'; '.join(given) or 'nobody has any'}"


def _tile(s: Any, tile: int) -> str:
    """Name a tile by its yield, `wheat 8`, or the desert; of two alike, `the northern wheat 8`."""
    if s["terrain"][tile] == DESERT:
        return "the desert"
    name = f"{TERRAIN_NAMES[int(s['terrain'][tile])]} {int(s['token'][tile])}"
    alike = (s["terrain"] == s["terrain"][tile]) & (s["token"] == s["token"][tile])
    others = [other for other in np.flatnonzero(alike).tolist() if other != tile]
    if len(others) > 1:  # only on made-up islands
        return f"{name} (T{tile})"
    return f"the {_side(tile, others[0])} {name}" if others else name


def _side(tile: int, other: int) -> str:
    """Return on which side of another tile a tile lies, as an adjective."""
    (x, y, z), (other_x, other_y, other_z) = TILE_CUBES[tile], TILE_CUBES[other]
    if z != other_z:
        return "northern" if z < other_z else "southern"
    return "western" if x - y < other_x - other_y else "eastern"


def _around(s: Any, place: int) -> str:
    """Name a place by its tiles and harbour; as a corner if only one tile touches it."""
    numbers = [int(tile) for tile in PLACE_TILES[place] if tile != NONE]
    text = f"on {joined([_tile(s, tile) for tile in numbers])}"
    if len(numbers) == 1:
        corner = _CORNERS[TILE_PLACES[numbers[0]].tolist().index(place)]
        text = f"on the {corner} corner of {_tile(s, numbers[0])}"
    if PLACE_HARBOUR[place] != NONE:
        kind = int(s["harbour"][int(PLACE_HARBOUR[place])])
        name = "a 3:1" if kind == GENERIC else with_article(RESOURCE_NAMES[kind])
        text += f" with {name} harbour"
    return text


def _along(s: Any, edge: int) -> str:
    """Name an edge by the tiles on its sides; on the coast as a side of its only tile."""
    first, second = (set(PLACE_TILES[int(place)].tolist()) - {NONE} for place in EDGE_PLACES[edge])
    numbers = sorted(first & second)
    tiles = [_tile(s, tile) for tile in numbers]
    if len(tiles) == 2:
        return f"between {tiles[0]} and {tiles[1]}"
    side = _SIDES[TILE_EDGES[numbers[0]].tolist().index(edge)]
    return f"along the {side} side of {tiles[0]}"


def _awards(s: Any, after: Any) -> str:
    """Say who took an award, and who has won."""
    parts = []
    for field, name in (("road_holder", "longest road"), ("army_holder", "largest army")):
        holder = int(after[field])
        if holder != s[field] and holder >= 0:
            parts.append(f"{{{holder}}} {{have}} the {name} now")
    winner = int(after["winner"])
    if winner >= 0 > s["winner"]:
        parts.append(f"{{{winner}}} {{win}} with {int(points(after, winner))} points")
    return "".join(f"; {part}" for part in parts)
