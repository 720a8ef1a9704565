"""Stratagem's Catan and the tables of the JSON lines: positions and actions, both ways.

A *table* is a position as a dictionary of plain numbers (see `describe`), the same whether our
record or Catanatron's game is being described. An action is a short list: `["settle", 12]`,
`["road", 12, 17]`, `["robber", tile, victim]`, `["trade", given, received]`, `["end"]`, ...
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.games.catan import actions, board
from stratagem.games.catan import state as catan

# Catanatron's rules where they differ from ours by a setting: fair dice, any card before the roll.
SCENARIO = 'catan/colonist1v1?dice=fair&pre_roll_cards=["knight","roads","plenty","monopoly"]'
PHASES = {
    "settle-first": catan.SETTLE_FIRST,
    "road-first": catan.ROAD_FIRST,
    "before-roll": catan.BEFORE_ROLL,
    "discard": catan.DISCARD,
    "robber": catan.MOVE_ROBBER,
    "build": catan.BUILD,
    "free-road": catan.FREE_ROAD,
}
_PHASE_NAMES = {number: name for name, number in PHASES.items()}
_EDGE_OF = {tuple(ends): edge for edge, ends in enumerate(board.EDGE_PLACES.tolist())}


def load(bank_rule: str = "sole-claimant") -> Game:
    """Our side of the bridge."""
    return load_game(f"{SCENARIO}&bank_rule={bank_rule}")


def frame() -> dict[str, Any]:
    """What both sides must agree on: where our tiles, corners and harbours lie."""
    sea = []
    for edge in board.HARBOUR_EDGE:
        tile, side = np.argwhere(edge == board.TILE_EDGES)[0]
        way = board.DIRECTIONS[side]
        sea.append([int(a + b) for a, b in zip(board.TILE_CUBES[tile], way, strict=True)])
    return {
        "tiles": [list(cube) for cube in board.TILE_CUBES],
        "corners": board.TILE_PLACES.tolist(),
        "harbours": sea,
    }


def board_of(state: Any) -> dict[str, list[int]]:
    return {name: [int(x) for x in state[name]] for name in ("terrain", "token", "harbour")}


def rules_of(state: Any) -> dict[str, Any]:
    return {
        "discard_limit": int(state["discard_limit"]),
        "friendly_robber": bool(state["friendly_robber"]),
        "target": int(state["target"]),
    }


def describe(state: Any) -> dict[str, Any]:
    """Our record as a table."""
    seats = range(int(state["players"]))
    turn = int(state["turn_seat"])
    codes = [int(code) for code in state["place"]]
    fresh, phase = state["fresh"], int(state["phase"])
    return {
        "seat": int(state["seat"]),
        "turn_seat": turn,
        "phase": _PHASE_NAMES.get(phase, ""),
        "rolled": bool(state["rolled"]),
        "card_played": bool(state["card_played"]),
        "turns": int(state["turn"]),
        "free_roads": int(state["left"]) if phase == catan.FREE_ROAD else 0,
        "owed": [int(state["owed"][k]) for k in seats],
        "anchor": int(state["anchor"]) if phase == catan.ROAD_FIRST else -1,
        "robber": int(state["robber"]),
        "buildings": [
            [place, (code - 1) % catan.SEATS, 1 + (code > catan.SEATS)]
            for place, code in enumerate(codes)
            if code
        ],
        "roads": sorted(
            [*ends, int(state["road"][edge]) - 1]
            for edge, ends in enumerate(board.EDGE_PLACES.tolist())
            if state["road"][edge]
        ),
        "bank": [int(x) for x in state["bank"]],
        "hands": [[int(x) for x in state["hand"][k]] for k in seats],
        "cards": [[int(x) for x in state["cards"][k]] for k in seats],
        "ready": [bool(state["cards"][turn, k] > fresh[k]) for k in range(catan.KINDS)],
        "played": [[int(x) for x in state["played"][k]] for k in seats],
        "deck": [int(x) for x in state["deck"]],
        "lengths": [int(state["road_length"][k]) for k in seats],
        "road_holder": int(state["road_holder"]),
        "army_holder": int(state["army_holder"]),
        "points": [int(catan.points(state, k)) for k in seats],
        "winner": int(state["winner"]),
    }


def rebuild(game: Game, start: Any, table: dict[str, Any]) -> Any:
    """A record of the position in a table; `start` is a fresh record of the same board."""
    states = np.zeros(1, game.rules.dtype)
    states[0] = start
    s = states[0]
    s["seat"], s["turn_seat"] = table["seat"], table["turn_seat"]
    s["phase"], s["anchor"] = PHASES[table["phase"]], max(table["anchor"], 0)
    s["rolled"], s["card_played"] = table["rolled"], table["card_played"]
    s["turn"] = min(table["turns"], int(s["turn_limit"]) - 1)
    s["left"] = table["free_roads"]
    s["robber"], s["bank"], s["deck"] = table["robber"], table["bank"], table["deck"]
    s["road_holder"], s["army_holder"] = table["road_holder"], table["army_holder"]
    for seat in range(int(s["players"])):
        s["owed"][seat] = table["owed"][seat]
        s["hand"][seat], s["cards"][seat] = table["hands"][seat], table["cards"][seat]
        s["played"][seat] = table["played"][seat]
        s["road_length"][seat] = table["lengths"][seat]
    for kind in range(catan.KINDS):
        held = int(s["cards"][int(s["turn_seat"]), kind])
        s["fresh"][kind] = 0 if table["ready"][kind] else held
    _rebuild_board(s, table)
    return s


def _rebuild_board(s: Any, table: dict[str, Any]) -> None:
    """Buildings, roads and everything that follows from where they stand."""
    players = int(s["players"])
    reach, closed = [0] * players, 0
    owner = {place: seat for place, seat, _ in table["buildings"]}
    for place, seat, size in table["buildings"]:
        s["place"][place] = 1 + seat + (catan.SEATS if size == 2 else 0)
        s["pieces"][seat, catan.CITY if size == 2 else catan.SETTLEMENT] -= 1
        reach[seat] |= int(board.BIT[place])
        closed |= int(board.AROUND[place])
        harbour = int(board.PLACE_HARBOUR[place])
        if harbour != board.NONE:
            _open_harbour(s, seat, int(s["harbour"][harbour]))
    for one, other, seat in table["roads"]:
        s["road"][_EDGE_OF[one, other]] = 1 + seat
        s["pieces"][seat, catan.ROAD] -= 1
        for place in (one, other):
            if owner.get(place, seat) == seat:
                reach[seat] |= int(board.BIT[place])
    for seat in range(players):
        s["open"][seat] = reach[seat]
    s["closed"] = closed
    in_setup = table["phase"] in ("settle-first", "road-first")
    s["placed"] = len(table["roads"]) if in_setup else 2 * players


def _open_harbour(s: Any, seat: int, kind: int) -> None:
    if kind != catan.GENERIC:
        s["rate"][seat, kind] = 2
    else:
        s["rate"][seat] = np.minimum(s["rate"][seat], 3)


def say(state: Any, action: int) -> list[Any]:
    """Our action as a list; tiles of a knight or the robber come without a victim."""
    group = next(group for group in actions.GROUPS if action < group.stop)
    index = action - group.start
    match group.name:
        case "settlement":
            return ["settle", index]
        case "city":
            return ["city", index]
        case "road":
            return ["road", *board.EDGE_PLACES[index].tolist()]
        case "road-building":
            return ["free-road", *board.EDGE_PLACES[index].tolist()]
        case "bank-trade":
            return ["trade", *divmod(index, catan.RESOURCES)]
        case "year-of-plenty":
            return ["plenty", index]
        case "steal":
            return ["steal", (int(state["turn_seat"]) + 1 + index) % int(state["players"])]
        case "buy-card":
            return ["buy"]
        case "end-turn":
            return ["end"]
        case "roll":
            return ["roll"]
    return [group.name, index]  # knight, robber: tile; monopoly, discard: resource
