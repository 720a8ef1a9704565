"""The keys of a hexwar scenario file, and what follows from them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadScenario
from stratagem.core.scenario import Scenario, explain
from stratagem.core.toml import read_toml
from stratagem.games.hexwar.state import HUNDRED, SIDE, STACK

_STANDARD = Path(__file__).parent.parent / "standard.toml"

Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]
Modifier = Annotated[float, Field(ge=0.0, le=10.0)]
Strength = Annotated[int, Field(ge=0, le=99)]
Hex = Annotated[list[int], Field(min_length=2, max_length=2)]  # row, column; from 0


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Terrain(_Table):
    """A kind of terrain; modifiers are multiples of 0.01 so that combat is exact."""

    letter: Letter
    attack: Modifier
    defence: Modifier
    cost: int = Field(ge=1, le=99)

    @model_validator(mode="after")
    def _whole_hundredths(self) -> Terrain:
        for name in ("attack", "defence"):
            hundredths = getattr(self, name) * HUNDRED
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
    """standard.toml: terrain and units that are available in every scenario."""

    terrain: dict[str, Terrain]
    units: dict[str, UnitKind]


def read_standard(file: Path = _STANDARD) -> Standard:
    try:
        return Standard.model_validate(read_toml(file))
    except ValidationError as error:
        raise BadScenario(f"{file.name}: {explain(error)}") from None


STANDARD = read_standard()


class HexwarFields(Scenario):
    """A scenario file, with each key checked by itself."""

    height: int = Field(ge=2, le=SIDE, description="rows")
    width: int = Field(ge=3, le=SIDE, description="columns")
    turns: int = Field(ge=1, le=99, description="turns of both players after set-up")
    stacking: int = Field(ge=1, le=STACK, description="most units of a player on a hex")
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
        """First column of a seat's side and the column after its last."""
        columns = (self.width - 1) // 2
        return (0, columns) if seat == 0 else (self.width - columns, self.width)

    def unit_count(self, seat: int) -> int:
        return sum(len(arrival.units) for arrival in self.players[seat].arrivals)

    def rows(self) -> list[str]:
        """The map without blanks, one letter per hex."""
        return ["".join(row.split()) for row in self.map]
