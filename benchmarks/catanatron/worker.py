"""Catanatron behind JSON lines: a request per line on standard input, an answer per line back.

Started by `link.py` with the Python of another environment, in which Catanatron 3.3.0 is installed.
It shares no process and no memory with Stratagem, and nothing of Catanatron is part of this
repository. It speaks in Stratagem's numbers: places, tiles, resources and seats.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from catanatron.game import TURNS_LIMIT, Game
from catanatron.models.enums import CITY, RESOURCES, SETTLEMENT, Action, ActionPrompt, ActionRecord
from catanatron.models.enums import ActionType as Kind
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap, NodeRef, initialize_tiles
from catanatron.models.player import Color, Player, RandomPlayer
from catanatron.models.tiles import LandTile, Port
from catanatron.players.minimax import AlphaBetaPlayer
from catanatron.players.search import VictoryPointPlayer
from catanatron.players.value import ValueFunctionPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer

CARDS = ("KNIGHT", "VICTORY_POINT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY")
CORNERS = (
    NodeRef.NORTHEAST, NodeRef.NORTH, NodeRef.NORTHWEST,
    NodeRef.SOUTHWEST, NodeRef.SOUTH, NodeRef.SOUTHEAST,
)  # fmt: skip
PHASES = {
    ActionPrompt.BUILD_INITIAL_SETTLEMENT: "settle-first",
    ActionPrompt.BUILD_INITIAL_ROAD: "road-first",
    ActionPrompt.DISCARD: "discard",
    ActionPrompt.MOVE_ROBBER: "robber",
}
BOTS = {
    "random": RandomPlayer,
    "weighted": WeightedRandomPlayer,
    "points": VictoryPointPlayer,
    "value": ValueFunctionPlayer,
    "alphabeta": AlphaBetaPlayer,
}


class Table:
    """One game of Catanatron, described and moved in Stratagem's numbers."""

    def __init__(self, request: dict[str, Any], frame: dict[str, Any]) -> None:
        rules = request["rules"]
        catan_map = _build_map(request["board"], frame)
        colors = list(Color)[: len(request["players"])]
        self.game = Game(
            [Player(color) for color in colors],
            seed=request["seed"],
            discard_limit=rules["discard_limit"],
            friendly_robber=rules["friendly_robber"],
            vps_to_win=rules["target"],
            catan_map=catan_map,
        )
        state = self.game.state
        seated = zip(request["players"], state.colors, strict=True)
        self.bots = [BOTS[name](color) if name in BOTS else None for name, color in seated]
        state.players = [
            bot or Player(color) for bot, color in zip(self.bots, state.colors, strict=True)
        ]
        self.place_of, self.node_of = {}, {}
        self.tile_of, self.coordinate_of = {}, {}
        for number, cube in enumerate(frame["tiles"]):
            tile = catan_map.land_tiles[tuple(cube)]
            self.tile_of[tuple(cube)], self.coordinate_of[number] = number, tuple(cube)
            for corner, place in enumerate(frame["corners"][number]):
                self.place_of[tile.nodes[CORNERS[corner]]] = place
                self.node_of[place] = tile.nodes[CORNERS[corner]]

    # -- reading -----------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """Everything about the position, hidden things too; the other side hides them."""
        state, seats = self.game.state, range(len(self.game.state.colors))
        mine = [
            {k[3:]: v for k, v in state.player_state.items() if k[:3] == f"P{i}_"} for i in seats
        ]
        turn = state.current_turn_index
        settled = state.buildings_by_color[state.current_color()][SETTLEMENT]
        return {
            "seat": state.current_player_index,
            "turn_seat": turn,
            "phase": self._phase(),
            "rolled": bool(mine[turn]["HAS_ROLLED"]),
            "card_played": bool(mine[turn]["HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"]),
            "turns": state.num_turns,
            "free_roads": state.free_roads_available if state.is_road_building else 0,
            "owed": list(state.discard_counts),
            "anchor": self.place_of[settled[-1]] if self._phase() == "road-first" else -1,
            "robber": self.tile_of[state.board.robber_coordinate],
            "buildings": self._buildings(),
            "roads": self._roads(),
            "bank": list(state.resource_freqdeck),
            "hands": [[p[f"{r}_IN_HAND"] for r in RESOURCES] for p in mine],
            "cards": [[p[f"{c}_IN_HAND"] for c in CARDS] for p in mine],
            "ready": [bool(mine[turn].get(f"{c}_OWNED_AT_START")) for c in CARDS],
            "played": [[p[f"PLAYED_{c}"] for c in CARDS] for p in mine],
            "deck": [state.development_listdeck.count(c) for c in CARDS],
            "lengths": [state.board.road_lengths.get(color, 0) for color in state.colors],
            "road_holder": next((i for i in seats if mine[i]["HAS_ROAD"]), -1),
            "army_holder": next((i for i in seats if mine[i]["HAS_ARMY"]), -1),
            "points": [p["ACTUAL_VICTORY_POINTS"] for p in mine],
            "winner": self._winner(),
        }

    def playable(self) -> list[list[Any]]:
        return [self._say(action) for action in self.game.playable_actions]

    def _phase(self) -> str:
        state = self.game.state
        if state.current_prompt in PHASES:
            return PHASES[state.current_prompt]
        if state.is_road_building:
            return "free-road"
        rolled = state.player_state[f"P{state.current_turn_index}_HAS_ROLLED"]
        return "build" if rolled else "before-roll"

    def _buildings(self) -> list[list[int]]:
        state = self.game.state
        return sorted(
            [self.place_of[node], seat, size]
            for seat, color in enumerate(state.colors)
            for size, kind in ((1, SETTLEMENT), (2, CITY))
            for node in state.buildings_by_color[color][kind]
        )

    def _roads(self) -> list[list[int]]:
        state = self.game.state
        return sorted(
            [*sorted(self.place_of[n] for n in edge), state.colors.index(color)]
            for edge, color in state.board.roads.items()
            if edge[0] < edge[1]
        )

    def _winner(self) -> int:
        color = self.game.winning_color()
        return -1 if color is None else self.game.state.colors.index(color)

    def _say(self, action: Action) -> list[Any]:
        kind, value = action.action_type, action.value
        match kind:
            case Kind.BUILD_SETTLEMENT:
                return ["settle", self.place_of[value]]
            case Kind.BUILD_CITY:
                return ["city", self.place_of[value]]
            case Kind.BUILD_ROAD:
                return ["road", *sorted(self.place_of[node] for node in value)]
            case Kind.MARITIME_TRADE:
                return ["trade", RESOURCES.index(value[0]), RESOURCES.index(value[-1])]
            case Kind.MOVE_ROBBER:
                victim = -1 if value[1] is None else self.game.state.colors.index(value[1])
                return ["robber", self.tile_of[value[0]], victim]
            case Kind.PLAY_YEAR_OF_PLENTY:
                return ["plenty", *sorted(RESOURCES.index(card) for card in value)]
            case Kind.PLAY_MONOPOLY:
                return ["monopoly", RESOURCES.index(value)]
            case Kind.DISCARD_RESOURCE:
                return ["discard", RESOURCES.index(value)]
        return [
            {
                Kind.BUY_DEVELOPMENT_CARD: "buy",
                Kind.PLAY_KNIGHT_CARD: "knight",
                Kind.PLAY_ROAD_BUILDING: "roads",
                Kind.ROLL: "roll",
                Kind.END_TURN: "end",
            }[kind]
        ]

    # -- changing ----------------------------------------------------------------------------

    def apply(self, said: list[Any], result: int | None) -> None:
        """Carry out an action whether Catanatron offers it or not, with the given chance."""
        action = self._understand(said)
        record = None
        if result is not None:
            outcome: Any = result
            if said[0] == "roll":
                outcome = (max(1, result - 6), result - max(1, result - 6))
            elif said[0] == "buy":
                outcome = CARDS[result]
            elif said[0] == "robber":
                outcome = RESOURCES[result]
            record = ActionRecord(action=action, result=outcome)
        self.game.execute(action, validate_action=False, action_record=record)

    def choose(self, said: list[Any]) -> None:
        """Carry out one of the offered actions."""
        self.game.execute(self.game.playable_actions[self.playable().index(said)])

    def advance(self) -> bool:
        """Let its bots play until somebody else must decide; False once the game is over."""
        while self._winner() < 0 and self.game.state.num_turns < TURNS_LIMIT:
            if self.bots[self.game.state.current_player_index] is None:
                return True
            self.game.play_tick()
        return False

    def amend(self, table: dict[str, Any]) -> None:
        """Take hands, bank, roads' lengths and the road's award from the other side."""
        state = self.game.state
        state.resource_freqdeck = list(table["bank"])
        if state.is_road_building and not table["free_roads"]:
            state.is_road_building, state.free_roads_available = False, 0
        for seat, color in enumerate(state.colors):
            mine = state.player_state
            for number, resource in zip(table["hands"][seat], RESOURCES, strict=True):
                mine[f"P{seat}_{resource}_IN_HAND"] = number
            holds = table["road_holder"] == seat
            change = 2 * (int(holds) - int(mine[f"P{seat}_HAS_ROAD"]))
            mine[f"P{seat}_VICTORY_POINTS"] += change
            mine[f"P{seat}_ACTUAL_VICTORY_POINTS"] += change
            mine[f"P{seat}_HAS_ROAD"] = holds
            mine[f"P{seat}_LONGEST_ROAD_LENGTH"] = table["lengths"][seat]
            state.board.road_lengths[color] = table["lengths"][seat]
        holder = table["road_holder"]
        state.board.road_color = None if holder < 0 else state.colors[holder]
        state.board.road_length = 0 if holder < 0 else table["lengths"][holder]
        self._refresh()

    def _refresh(self) -> None:
        from catanatron.models.actions import generate_playable_actions

        self.game.playable_actions = generate_playable_actions(self.game.state)

    def _understand(self, said: list[Any]) -> Action:
        state = self.game.state
        color = state.current_color()
        match said:
            case ["settle", place]:
                return Action(color, Kind.BUILD_SETTLEMENT, self.node_of[place])
            case ["city", place]:
                return Action(color, Kind.BUILD_CITY, self.node_of[place])
            case ["road", one, other]:
                edge = tuple(sorted((self.node_of[one], self.node_of[other])))
                return Action(color, Kind.BUILD_ROAD, edge)
            case ["robber", tile, victim]:
                robbed = None if victim < 0 else state.colors[victim]
                return Action(color, Kind.MOVE_ROBBER, (self.coordinate_of[tile], robbed))
            case ["discard", resource]:
                return Action(color, Kind.DISCARD_RESOURCE, RESOURCES[resource])
            case ["monopoly", resource]:
                return Action(color, Kind.PLAY_MONOPOLY, RESOURCES[resource])
            case ["plenty", *cards]:
                return Action(color, Kind.PLAY_YEAR_OF_PLENTY, tuple(RESOURCES[c] for c in cards))
            case ["trade", given, received]:
                return self._trade(given, received)
        kinds = {
            "buy": Kind.BUY_DEVELOPMENT_CARD,
            "knight": Kind.PLAY_KNIGHT_CARD,
            "roads": Kind.PLAY_ROAD_BUILDING,
            "roll": Kind.ROLL,
            "end": Kind.END_TURN,
        }
        return Action(color, kinds[said[0]], None)

    def _trade(self, given: int, received: int) -> Action:
        return next(
            action
            for action in self.game.playable_actions
            if self._say(action) == ["trade", given, received]
        )


def _build_map(board: dict[str, Any], frame: dict[str, Any]) -> CatanMap:
    """A map with the terrain, numbers and harbours of the other side."""
    tiles = initialize_tiles(BASE_MAP_TEMPLATE, number_placement="random")
    terrain = {tuple(cube): k for k, cube in enumerate(frame["tiles"])}
    harbours = {tuple(cube): k for k, cube in enumerate(frame["harbours"])}
    for cube, tile in tiles.items():
        if isinstance(tile, LandTile):
            kind = board["terrain"][terrain[cube]]
            tile.resource = RESOURCES[kind] if kind < len(RESOURCES) else None
            tile.number = board["token"][terrain[cube]] or None
        elif isinstance(tile, Port):
            kind = board["harbour"][harbours[cube]]
            tile.resource = RESOURCES[kind] if kind < len(RESOURCES) else None
    return CatanMap.from_tiles(tiles)


def random_games(request: dict[str, Any]) -> dict[str, float]:
    """Random games per second of CPU time in Catanatron's own loop."""
    started, games = time.process_time(), 0
    while time.process_time() - started < request["seconds"]:
        players = [RandomPlayer(color) for color in list(Color)[:2]]
        Game(players, discard_limit=9, friendly_robber=True, vps_to_win=15).play()
        games += 1
    return {"games": games, "seconds": time.process_time() - started}


def answer(
    request: dict[str, Any], tables: dict[str, Table], frame: dict[str, Any]
) -> dict[str, Any]:
    """Answer one request; `tables` holds the games in progress by name."""
    match request["do"]:
        case "frame":
            frame.update(request)
            return {}
        case "new":
            tables[request["game"]] = Table(request, frame)
            return {}
        case "drop":
            del tables[request["game"]]
            return {}
        case "random-games":
            return random_games(request)
        case "advance":
            return _advance(request, tables)
    table = tables[request["game"]]
    if request["do"] == "apply":
        for said, result in request["actions"]:
            table.apply(said, result)
    elif request["do"] == "amend":
        table.amend(request["table"])
    return {"table": table.describe(), "playable": table.playable()}


def _advance(request: dict[str, Any], tables: dict[str, Table]) -> dict[str, Any]:
    """Carry out the other side's choices, then play on until it is asked again."""
    waiting, over = {}, {}
    for name, said in request["choices"].items():
        table = tables[name]
        if said is not None:
            table.choose(said)
        if table.advance():
            waiting[name] = {"table": table.describe(), "playable": table.playable()}
        else:
            over[name] = table.describe()
    return {"waiting": waiting, "over": over}


def main() -> None:
    tables: dict[str, Table] = {}
    frame: dict[str, Any] = {}
    random.seed(0)
    for line in sys.stdin:
        request = json.loads(line)
        answered = {"id": request["id"], **answer(request, tables, frame)}
        print(json.dumps(answered), flush=True)


if __name__ == "__main__":
    main()
