"""Moves of tmai as decisions here, carried out one after another.

Conversions are decisions of their own for that: the state is put into explicit mode until the turn
is over. Whatever our rules do not allow ends the game as diverged, with the move in its name.
"""

from __future__ import annotations

from typing import Any

from translate import (
    CONVERSIONS,
    FACTION_ACTIONS,
    FREE_SPADES,
    POWER_ACTIONS,
    UPGRADES,
    Diverged,
    Move,
    due,
    legal,
    step,
)

from stratagem.games.terra_mystica import actions as ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import HOME
from stratagem.games.terra_mystica.board.hexes import BRIDGE, BRIDGES, CELL_LAND, LAND_CELL

_TURNS = {"transformcw": 1, "transformccw": -1}
_HOMEWARDS = ("giantstransform", "sandstorm")
_GROUND = (*_TURNS, *_HOMEWARDS, "spade", "build", "tunnel", "carpet")
_MANY = 250  # conversions in a turn
_TERRAINS = 7


def follow(states: Any, kind: str, move: Any) -> int:
    """Carry out a decision of theirs; returns the number of spades that were not used."""
    if kind == "turn":
        return _Follower(states).turn(move)
    if kind == "dig":
        return _Follower(states).dig(move)
    action = {
        "dwelling": lambda: move * ids.PER_CELL + ids.BUILD + _home(states[0]),
        "card": lambda: ids.PASS + move,
        "leech": lambda: ids.ACCEPT if move else ids.STOP,
        "cult": lambda: ids.PRIEST + 3 * move + 2,
    }[kind]()
    _Follower(states).do(action, f"{kind} {move}")
    return 0


def _home(s: Any) -> int:
    return int(HOME[int(s["faction"][int(s["seat"])])])


class _Follower:
    def __init__(self, states: Any) -> None:
        self.states, self.s = states, states[0]
        self.seat = int(self.s["seat"])
        self.favours: list[int] = []
        self.towns: list[int] = []
        self.waiting: list[str] = []  # conversions that could not be made yet
        self.unused = 0

    def do(self, action: int, name: str) -> None:
        if action not in legal(self.states):
            raise Diverged(f"refused here: {name}")
        step(self.states, action)

    # -- a turn

    def turn(self, moves: list[Move]) -> int:
        kept = int(self.s["cap"])
        self.states["explicit"], self.states["cap"] = 1, _MANY
        self.ordained = sum(move["type"] == "1wto1p" for move in moves)
        at = 0
        while at < len(moves):
            move = moves[at]
            if move["type"] in _GROUND:
                end = at
                while end < len(moves) and moves[end]["type"] in (*_GROUND, *CONVERSIONS):
                    end += 1
                self._ground(moves[at:end])
                at = end
                continue
            if move["type"] in CONVERSIONS:
                self._convert(move["type"])
            elif move["type"] != "1wto1p":
                self._main(move)
            self._settle()
            at += 1
        self._finish()
        self.states["explicit"], self.states["cap"] = 0, kept
        return self.unused

    def _in_turn(self) -> bool:
        return due(self.s) == (self.seat, "turn")

    def _convert(self, name: str) -> None:
        """At once if possible, else as soon as the turn has brought what it takes."""
        action = ids.CONVERT + CONVERSIONS[name]
        if self._in_turn() and action in legal(self.states):
            step(self.states, action)
        else:
            self.waiting.append(name)

    def _main(self, move: Move) -> None:
        name = move["type"]
        self.favours += move.get("favours", [])
        self.towns += move.get("towns", [])
        self.do(self._number(name, move), _named(move))
        if name in ("boncult", "favcult", "aurencult2"):
            place = 1 if name == "aurencult2" else 2
            self.do(ids.PRIEST + 3 * move["cult"] + place, _named(move))
        elif name == "witchesride":
            self.do(move["cell"] * ids.PER_CELL + ids.BUILD + _home(self.s), _named(move))
        elif name == "swarmlingstp":
            self.do(move["cell"] * ids.PER_CELL + ids.UPGRADE + ids.UP_POST, _named(move))

    def _number(self, name: str, move: Move) -> int:
        if name in UPGRADES:
            return int(move["cell"] * ids.PER_CELL + ids.UPGRADE + UPGRADES.index(name))
        if name in POWER_ACTIONS:
            return ids.POWER_ACTION + POWER_ACTIONS.index(name)
        if name in ("cult1", "cult2", "cult3"):
            return int(ids.PRIEST + 3 * move["cult"] + 3 - int(name[-1]))
        if name in FACTION_ACTIONS.values() or name == "chaosdouble":
            return ids.FACTION_ACTION
        if name == "pass":
            return ids.PASS + int(move.get("card", self.s["bonus"][self.seat]))
        if name == "placebridge":
            return _bridge(move)
        if name == "watertown":
            return int(move["cell"] * ids.PER_CELL)
        known = {
            "advshipping": ids.SHIP, "advdigging": ids.DIG, "bonspade": ids.BONUS_ACTION,
            "boncult": ids.BONUS_ACTION, "favcult": ids.FAVOUR_ACTION,
        }  # fmt: skip
        if name not in known:
            raise Diverged(f"unknown here: {_named(move)}")
        return known[name]

    # -- the ground

    def _ground(self, moves: list[Move]) -> None:
        """A run of spades, transformations and a dwelling: conversions first, the dwelling last."""
        for move in moves:
            if move["type"] in CONVERSIONS:
                self._convert(move["type"])
        worked = self._worked(moves)
        builds = [move for move in moves if move["type"] == "build"]
        for move in builds:
            self.towns += move.get("towns", [])
        if any(move["type"] == "sandstorm" for move in moves):
            self.do(ids.FACTION_ACTION, "sandstorm")
        built = {move["cell"] for move in builds}
        for cell, terrain in worked.items():
            if cell not in built:
                self.do(cell * ids.PER_CELL + terrain, f"transform cell {cell} to {terrain}")
        for move in builds:
            free = int(self.s["spades"])
            if free:
                used = sum(m["type"] in _TURNS and m["cell"] == move["cell"] for m in moves)
                used += 2 * sum(m["type"] == "giantstransform" for m in moves)
                self.unused += max(0, free - used)
            self.do(move["cell"] * ids.PER_CELL + ids.BUILD + _home(self.s), _named(move))
        self._settle()

    def _worked(self, moves: list[Move]) -> dict[int, int]:
        """The terrain that each transformed cell ends with, in the order they were worked."""
        worked: dict[int, int] = {}
        for move in moves:
            if move["type"] in _TURNS:
                cell = move["cell"]
                before = worked.get(cell, int(self.s["terrain"][CELL_LAND[cell]]))
                worked[cell] = (before + _TURNS[move["type"]]) % _TERRAINS
            elif move["type"] in _HOMEWARDS:
                worked[move["cell"]] = _home(self.s)
        return worked

    def dig(self, moves: list[Move]) -> int:
        """Reward spades."""
        for cell, terrain in self._worked(moves).items():
            self.do(cell * ids.PER_CELL + terrain, f"reward spades on cell {cell} to {terrain}")
        if due(self.s) == (self.seat, "dig"):
            self.unused = int(self.s["reward"][self.seat])
            self.do(ids.STOP, "reward spades left")
        return self.unused

    # -- what follows

    def _settle(self) -> None:
        """Make the choices that are due and known: priests, favours, towns."""
        while self._in_turn():
            kind = int(self.s["kind"])
            if kind == kinds.TO_PRIESTS:
                number = self.ordained
                action = ids.POWER_ACTION + number - 1 if number else ids.STOP
                self.do(action, f"{number} workers to priests")
            elif self.towns and self.s["towns_due"]:
                tile = self.towns.pop(0)
                self.do(ids.TOWN_TILE + tile, f"town tile {tile + 1}")
            elif kind == kinds.FAVOUR and self.favours:
                rank, cult = divmod(self.favours.pop(0), 4)
                self.do(ids.PRIEST + 3 * cult + rank, f"favour tile {4 * rank + cult + 1}")
            else:
                return

    def _finish(self) -> None:
        """Give up spades that are left, convert what could not be converted before, and end."""
        self._settle()
        while self._in_turn() and int(self.s["kind"]) in FREE_SPADES:
            self.unused += int(self.s["spades"])
            self.do(ids.STOP, "spades left")
            self._settle()
        waiting, self.waiting = self.waiting, []
        for name in waiting:
            self._convert(name)
        if self.waiting:
            raise Diverged(f"refused here: {self.waiting[0]}")
        if self._in_turn() and self.s["kind"] == kinds.MAIN and self.s["actions_left"] == 0:
            self.do(ids.STOP, "end of the turn")
        if self.favours or self.towns:
            raise Diverged("a tile is taken there for which nothing was founded here")


def _bridge(move: Move) -> int:
    ends = set(move["cells"])
    for place in range(BRIDGES):
        cells = [int(LAND_CELL[BRIDGE[place, end]]) for end in range(2)]
        if set(cells) == ends:
            return cells[0] * ids.PER_CELL + int(BRIDGE[place, 2])
    raise Diverged(f"unknown here: {_named(move)}")


def _named(move: Move) -> str:
    return " ".join(f"{value}" for value in move.values())
