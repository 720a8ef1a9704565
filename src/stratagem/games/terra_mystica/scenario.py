"""The scenario of Terra Mystica: who plays what, and which parts of the set-up are fixed."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from stratagem.core.scenario import Scenario
from stratagem.games.terra_mystica.board.factions import CHAOS, FACTIONS, HOME, NOMADS
from stratagem.games.terra_mystica.board.hexes import LAND_NAMES, START_TERRAIN
from stratagem.games.terra_mystica.state import (
    ASK,
    CHOSEN,
    FREE_LEECH,
    NEVER_LEECH,
    RANDOM,
    SCENARIO,
    SEATS,
)

_LEECH = {"ask": ASK, "never": NEVER_LEECH, "free": FREE_LEECH}


def start_dwellings_of(faction: int) -> int:
    """Return the number of start dwellings: two, Nomads three, Chaos Magicians one."""
    return {NOMADS: 3, CHAOS: 1}.get(faction, 2)


class TerraMysticaScenario(Scenario):
    players: int = Field(2, ge=2, le=5, description="seats at the table")
    factions: list[str] | Literal["random", "choose"] = Field(
        "random", description="names in seat order, or `random`, or `choose` (a decision each)"
    )
    seating: Literal["listed", "shuffled"] = Field(
        "listed", description="do the factions sit as listed, or in an order drawn by the seed?"
    )
    round_tiles: list[int] = Field([], description="SCORE numbers of rounds 1 to 6; empty: drawn")
    bonus_cards: list[int] = Field([], description="BON numbers in the game; empty: drawn")
    start_dwellings: list[list[str]] = Field(
        [], description="hexes of each faction in the order of placing; empty: decisions"
    )
    start_cards: list[int] = Field([], description="BON number of each faction; empty: decisions")
    conversions: Literal["auto", "explicit"] = Field(
        "auto", description="auto: an action converts what it lacks; explicit: nine more actions"
    )
    conversion_cap: int = Field(
        12, ge=0, le=250, description="explicit conversions that a player may make in one turn"
    )
    leech: Literal["ask", "never", "free"] = Field(
        "ask", description="power offers: a decision, always declined, or taken where free"
    )

    @model_validator(mode="after")
    def _consistent(self) -> TerraMysticaScenario:
        self._check_factions()
        tiles = self.round_tiles
        if tiles and (sorted(set(tiles)) != sorted(tiles) or len(tiles) != 6):
            raise ValueError("round_tiles: give six different numbers of 1 to 8, or none")
        if any(not 1 <= tile <= 8 for tile in tiles) or 1 in tiles[4:]:
            raise ValueError("round_tiles: numbers are 1 to 8, and 1 not in round 5 or 6")
        cards = self.bonus_cards
        if cards and (len(set(cards)) != self.players + 3 or len(cards) != self.players + 3):
            raise ValueError(f"bonus_cards: give {self.players + 3} different numbers, or none")
        if any(not 1 <= card <= 9 for card in cards):
            raise ValueError("bonus_cards: numbers are 1 to 9")
        self._check_start()
        return self

    def _check_factions(self) -> None:
        if isinstance(self.factions, str):
            return
        for name in self.factions:
            if name not in FACTIONS:
                raise ValueError(f"factions: unknown {name!r}; known: {', '.join(FACTIONS)}")
        if len(self.factions) != self.players:
            raise ValueError(f"factions: give {self.players} names, one for each player")
        if len({int(HOME[FACTIONS.index(name)]) for name in self.factions}) < self.players:
            raise ValueError("factions: two of one colour cannot be in the same game")

    def _check_start(self) -> None:
        named = not isinstance(self.factions, str)
        if self.start_dwellings:
            if not named or len(self.start_dwellings) != self.players:
                raise ValueError("start_dwellings: name the factions, and give a list for each")
            taken = [name for own in self.start_dwellings for name in own]
            if len(set(taken)) < len(taken):
                raise ValueError("start_dwellings: a hex is given twice")
            for faction, own in zip(self.factions, self.start_dwellings, strict=True):
                self._check_hexes(faction, own)
        cards = self.start_cards
        if cards and (
            not named
            or len(set(cards)) != self.players
            or len(cards) != self.players
            or not set(cards) <= set(self.bonus_cards)
        ):
            raise ValueError("start_cards: name factions and bonus_cards, and give one card each")

    @staticmethod
    def _check_hexes(faction: str, hexes: list[str]) -> None:
        number = FACTIONS.index(faction)
        if len(hexes) not in (0, start_dwellings_of(number)):
            raise ValueError(f"start_dwellings: {faction} place {start_dwellings_of(number)}")
        for name in hexes:
            if name not in LAND_NAMES:
                raise ValueError(f"start_dwellings: no land hex is called {name!r}")
            if START_TERRAIN[LAND_NAMES.index(name)] != HOME[number]:
                raise ValueError(f"start_dwellings: {name} is not home terrain of the {faction}")

    def pack(self) -> npt.NDArray[np.void]:
        packed = np.zeros(1, SCENARIO)
        packed["players"] = self.players
        packed["explicit"] = self.conversions == "explicit"
        packed["cap"] = self.conversion_cap
        packed["leech"] = _LEECH[self.leech]
        packed["shuffled"] = self.seating == "shuffled"
        packed["faction"] = RANDOM if self.factions == "random" else CHOSEN
        if not isinstance(self.factions, str):
            packed["faction"][0, : self.players] = [FACTIONS.index(n) for n in self.factions]
        packed["tile"] = [tile - 1 for tile in self.round_tiles] if self.round_tiles else -1
        packed["card"] = -1
        if self.bonus_cards:
            packed["card"] = [card + 1 in self.bonus_cards for card in range(9)]
        packed["start_hex"] = -1
        packed["start_card"] = -1
        for seat, own in enumerate(self.start_dwellings):
            packed["start_hex"][0, seat, : len(own)] = [LAND_NAMES.index(name) for name in own]
        for seat, card in enumerate(self.start_cards):
            packed["start_card"][0, seat] = card - 1
        assert len(packed["faction"][0]) == SEATS
        return packed
