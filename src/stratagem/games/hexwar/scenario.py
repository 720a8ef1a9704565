"""Scenario files of hexwar: what may stand in them, and what cannot be right."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadScenario
from stratagem.core.scenario import Scenario, explain
from stratagem.core.toml import read_toml
from stratagem.games.hexwar import board
from stratagem.games.hexwar.packing import pack

_STANDARD = Path(__file__).parent / "standard.toml"

Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]
Modifier = Annotated[float, Field(ge=0.0, le=10.0)]
Strength = Annotated[int, Field(ge=0, le=99)]
Hex = Annotated[list[int], Field(min_length=2, max_length=2)]  # row, column; from 0


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Terrain(_Table):
    """A kind of terrain; modifiers are multiples of 0.01 so that combat is exact."""

    letter: Letter
    attack: Modifier
    defence: Modifier
    cost: int = Field(ge=1, le=99)

    @model_validator(mode="after")
    def _whole_hundredths(self) -> Terrain:
        for name in ("attack", "defence"):
            hundredths = getattr(self, name) * board.HUNDRED
            if abs(hundredths - round(hundredths)) > 1e-6:
                raise ValueError(f"{name} modifier must be a multiple of 0.01: round it")
        return self


class UnitKind(_Table):
    """A kind of unit: printed strengths and movement allowance."""

    letter: Letter
    attack: Strength
    defence: Strength
    movement: Strength


class Arrival(_Table):
    """Units that come into play together, placed in this order."""

    turn: int = Field(ge=0, description="0 is set-up, before the first turn")
    units: list[str] = Field(min_length=1, description="names of kinds of units")
    hexes: list[Hex] = Field(
        default_factory=list, description="where they may arrive; empty: anywhere on their side"
    )


class Player(_Table):
    """One side: the hexes that the other wants, and its units."""

    victory: int | list[Hex] = Field(description="victory hexes, or how many to draw at random")
    arrivals: list[Arrival] = Field(default_factory=list)


class Standard(_Table):
    """standard.toml: the terrain and units that every scenario knows."""

    terrain: dict[str, Terrain]
    units: dict[str, UnitKind]


def read_standard(file: Path = _STANDARD) -> Standard:
    try:
        return Standard.model_validate(read_toml(file))
    except ValidationError as error:
        raise BadScenario(f"{file.name}: {explain(error)}") from None


STANDARD = read_standard()


class HexwarScenario(Scenario):
    height: int = Field(ge=2, le=board.SIDE, description="rows")
    width: int = Field(ge=3, le=board.SIDE, description="columns")
    turns: int = Field(ge=1, le=99, description="turns of both players after set-up")
    stacking: int = Field(ge=1, le=board.STACK, description="most units of a player on a hex")
    map: list[str] = Field(default_factory=list, description="a row of terrain letters per line")
    random_terrain: dict[str, float] = Field(
        default_factory=dict, description="share of each terrain, where the map is drawn"
    )
    terrain: dict[str, Terrain] = Field(default_factory=dict, description="besides the standard")
    units: dict[str, UnitKind] = Field(default_factory=dict, description="besides the standard")
    player1: Player
    player2: Player

    @property
    def players(self) -> tuple[Player, Player]:
        return self.player1, self.player2

    @cached_property
    def terrains(self) -> dict[str, Terrain]:
        """Every terrain by name, the standard ones first."""
        return {**STANDARD.terrain, **self.terrain}

    @cached_property
    def kinds(self) -> dict[str, UnitKind]:
        """Every kind of unit by name, the standard ones first."""
        return {**STANDARD.units, **self.units}

    @cached_property
    def zones(self) -> list[list[tuple[int, int]]]:
        """The different lists of arrival hexes, in order of appearance."""
        found: list[list[tuple[int, int]]] = []
        for player in self.players:
            for arrival in player.arrivals:
                hexes = sorted({(row, column) for row, column in arrival.hexes})
                if hexes and hexes not in found:
                    found.append(hexes)
        return found

    def home(self, seat: int) -> tuple[int, int]:
        """First column of a seat's side and the column after its last (spec 1.1)."""
        columns = (self.width - 1) // 2
        return (0, columns) if seat == 0 else (self.width - columns, self.width)

    def unit_count(self, seat: int) -> int:
        return sum(len(arrival.units) for arrival in self.players[seat].arrivals)

    def rows(self) -> list[str]:
        """The map without blanks, one letter per hex."""
        return ["".join(row.split()) for row in self.map]

    @model_validator(mode="after")
    def _makes_sense(self) -> HexwarScenario:
        _check_names(self)
        _check_ground(self)
        for number, player in enumerate(self.players, start=1):
            _check_victory(self, number, player)
            _check_arrivals(self, number, player)
        _check_both(self)
        return self

    def pack(self) -> npt.NDArray[np.void]:
        return pack(self)


def _check_names(scenario: HexwarScenario) -> None:
    for key, table, most in (
        ("terrain", scenario.terrains, board.TERRAINS),
        ("units", scenario.kinds, board.KINDS),
    ):
        if len(table) > most:
            extra = len(table) - most
            raise ValueError(f"key {key!r}: at most {most} with the standard ones, remove {extra}")
        letters = [entry.letter for entry in table.values()]
        twice = sorted({letter for letter in letters if letters.count(letter) > 1})
        if twice:
            raise ValueError(f"key {key!r}: letter {twice[0]!r} is used twice, choose another")


def _check_ground(scenario: HexwarScenario) -> None:
    if bool(scenario.map) == bool(scenario.random_terrain):
        raise ValueError("give either key 'map' or key 'random_terrain'")
    if scenario.map:
        _check_map(scenario)
        return
    for name, share in scenario.random_terrain.items():
        if name not in scenario.terrains:
            known = ", ".join(scenario.terrains)
            raise ValueError(f"key 'random_terrain': unknown terrain {name!r}, known: {known}")
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"key 'random_terrain.{name}': give a share of 0 to 1, got {share}")
    total = sum(scenario.random_terrain.values())
    if abs(total - 1.0) > 1e-9:
        raise ValueError(f"key 'random_terrain': shares add up to {total:g}, make it 1")


def _check_map(scenario: HexwarScenario) -> None:
    rows = scenario.rows()
    if len(rows) != scenario.height:
        raise ValueError(f"key 'map': {len(rows)} rows, but height is {scenario.height}")
    letters = {entry.letter: name for name, entry in scenario.terrains.items()}
    for number, row in enumerate(rows):
        if len(row) != scenario.width:
            raise ValueError(
                f"key 'map', row {number}: {len(row)} letters, but width is {scenario.width}"
            )
        for letter in row:
            if letter not in letters:
                known = ", ".join(f"{key} {name}" for key, name in letters.items())
                raise ValueError(
                    f"key 'map', row {number}: unknown terrain {letter!r}, known: {known}"
                )


def _check_hexes(scenario: HexwarScenario, key: str, hexes: list[list[int]]) -> None:
    for row, column in hexes:
        if not (0 <= row < scenario.height and 0 <= column < scenario.width):
            raise ValueError(
                f"key {key!r}: hex [{row}, {column}] is off the map, rows are 0 to "
                f"{scenario.height - 1} and columns 0 to {scenario.width - 1}"
            )
    if len({tuple(place) for place in hexes}) != len(hexes):
        raise ValueError(f"key {key!r}: a hex is listed twice, remove one")


def _check_victory(scenario: HexwarScenario, number: int, player: Player) -> None:
    key = f"player{number}.victory"
    first, last = scenario.home(number - 1)
    drawn = isinstance(player.victory, int)
    count = player.victory if isinstance(player.victory, int) else len(player.victory)
    most = min(board.GOALS, scenario.height * (last - first)) if drawn else board.GOALS
    if not 1 <= count <= most:
        raise ValueError(f"key {key!r}: 1 to {most} victory hexes, not {count}")
    if not isinstance(player.victory, int):
        _check_hexes(scenario, key, player.victory)


def _check_arrivals(scenario: HexwarScenario, number: int, player: Player) -> None:
    first, last = scenario.home(number - 1)
    crowd: dict[tuple[tuple[int, ...], ...], int] = {}
    for place, arrival in enumerate(player.arrivals):
        key = f"player{number}.arrivals.{place}"
        if arrival.turn > scenario.turns:
            raise ValueError(
                f"key '{key}.turn': turn {arrival.turn} is after the last one, {scenario.turns}"
            )
        for name in arrival.units:
            if name not in scenario.kinds:
                known = ", ".join(scenario.kinds)
                raise ValueError(f"key '{key}.units': unknown unit {name!r}, known: {known}")
        _check_hexes(scenario, f"{key}.hexes", arrival.hexes)
        if arrival.turn == 0:
            where = tuple(sorted(tuple(place) for place in arrival.hexes))
            crowd[where] = crowd.get(where, 0) + len(arrival.units)
            hexes = len(where) or scenario.height * (last - first)
            if crowd[where] > hexes * scenario.stacking:
                raise ValueError(
                    f"key '{key}': {crowd[where]} units to set up on {hexes} hexes, over the "
                    f"stacking limit of {scenario.stacking}: fewer units or more hexes"
                )
    if scenario.unit_count(number - 1) > board.UNITS:
        found = scenario.unit_count(number - 1)
        raise ValueError(
            f"key 'player{number}.arrivals': {found} units, at most {board.UNITS} are possible"
        )


def _check_both(scenario: HexwarScenario) -> None:
    if not any(player.arrivals for player in scenario.players):
        raise ValueError("key 'player1.arrivals': nobody has a unit, give one to either player")
    if len(scenario.zones) > board.ZONES:
        raise ValueError(
            f"key 'arrivals.hexes': {len(scenario.zones)} different lists, "
            f"at most {board.ZONES} are possible"
        )
    first, second = (
        set() if isinstance(player.victory, int) else {tuple(place) for place in player.victory}
        for player in scenario.players
    )
    if first & second:
        raise ValueError("key 'player2.victory': a victory hex of player 1 too, choose another")
