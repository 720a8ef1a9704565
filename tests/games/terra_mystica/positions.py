"""Hand-made positions: a game set up as wanted, moves in words, fields changed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.board.factions import BUILDINGS, FACTIONS, HOME


class Table:
    """A game of named factions in round 1, every good in plenty unless taken away."""

    def __init__(self, *factions: str, dwellings: list[list[str]], **fields: Any) -> None:
        names = ",".join(f'"{name}"' for name in factions)
        hexes = ",".join("[" + ",".join(f'"{h}"' for h in own) + "]" for own in dwellings)
        players = len(factions)
        cards = list(range(1, players + 4))
        spec = {
            "players": players,
            "factions": f"[{names}]",
            "start_dwellings": f"[{hexes}]",
            "bonus_cards": str(cards),
            "start_cards": str(cards[2 : players + 2]),
            "round_tiles": "[1,2,3,4,5,6]",
            **fields,
        }
        query = "&".join(f"{key}={value}" for key, value in spec.items())
        self.game: Game = load_game(f"terra_mystica/2p-random?{query}")
        self.states = self.game.new_states(np.array([1], np.uint64))

    @property
    def s(self) -> Any:
        return self.states[0]

    def seat(self, faction: str) -> int:
        return [int(f) for f in self.s["faction"]].index(FACTIONS.index(faction))

    def legal(self) -> list[str]:
        write = self.game.rules.notation.format_action
        return [write(self.s, action) for action in self.game.legal_actions(self.s)]

    def do(self, *texts: str) -> Table:
        for text in texts:
            assert text in self.legal(), f"{text!r} is not in {self.legal()}"
            action = self.game.rules.notation.parse_action(self.s, text)
            self.game.kernels.step(self.states, np.array([action], np.int32))
        return self

    def give(self, faction: str, **goods: Any) -> Table:
        seat = self.seat(faction)
        for name, value in goods.items():
            self.s[name][seat] = value
        return self

    def put(self, faction: str, hexes: dict[str, str]) -> Table:
        """Structures on hexes turned to home terrain, without any scoring."""
        seat = self.seat(faction)
        for name, building in hexes.items():
            land = board.LAND_NAMES.index(name)
            if self.s["owner"][land] < 0:
                site = int(self.s["sites"][seat])
                self.s["site"][seat, site] = land
                self.s["sites"][seat] = site + 1
                low, high = board.BIT[land]
                self.s["occupied"][0] |= low
                self.s["occupied"][1] |= high
            else:
                self.s["count"][seat, self.s["building"][land]] -= 1
            self.s["terrain"][land] = HOME[FACTIONS.index(faction)]
            self.s["owner"][land] = seat
            self.s["building"][land] = BUILDINGS.index(building)
            self.s["count"][seat, BUILDINGS.index(building)] += 1
        return self

    def terrain(self, name: str) -> str:
        return board.COLOURS[int(self.s["terrain"][board.LAND_NAMES.index(name)])]

    def paint(self, name: str, colour: str) -> Table:
        self.s["terrain"][board.LAND_NAMES.index(name)] = board.COLOURS.index(colour)
        return self


def rich(table: Table, *factions: str) -> Table:
    for faction in factions:
        table.give(faction, coins=60, workers=30, priests=5, bowl=(0, 0, 12))
    return table
