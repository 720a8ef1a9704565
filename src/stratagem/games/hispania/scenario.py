"""The keys of a Hispania scenario file: which part of the data is in play, and for whom."""

from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from stratagem.core.errors import UnknownName
from stratagem.core.scenario import Scenario
from stratagem.games.hispania.board.arrays import CODES, GAME_DATA, NAMES, NATIONS, SETS
from stratagem.games.hispania.state import SCENARIO


class HispaniaScenario(Scenario):
    tables: str = Field("full", description="set of rows in data/: set-up, arrivals, scoring")
    regions: list[str] = Field([], description="regions in play; empty: all")
    nations: list[str] = Field([], description="nations in play; empty: all")
    players: dict[str, int] = Field({}, description="seat of each nation; empty: as in nations.csv")
    first_round: int = Field(1, ge=1, le=21, description="round that the game begins with")
    last_round: int = Field(21, ge=1, le=21, description="round that the game ends with")
    handicap: list[int] = Field([0, 0, 0, 0], min_length=4, max_length=4, description="VP given")
    submission: bool = Field(True, description="may beaten nations become vassals?")

    @model_validator(mode="after")
    def _known_names(self) -> Self:
        for kind, names, known in (
            ("set of tables", [self.tables], SETS),
            ("region", self.regions, NAMES),
            ("nation", [*self.nations, *self.players], CODES),
        ):
            for name in names:
                if name not in known:
                    raise ValueError(str(UnknownName(kind, name, known)))
        if self.last_round < self.first_round:
            raise ValueError(f"last_round must be at least first_round, {self.first_round}")
        missing = [code for code in self.nations if self.players and code not in self.players]
        if missing:
            raise ValueError(f"players: give {missing[0]} a seat")
        seats = {seat for seat in self.seats_of_nations() if seat >= 0}
        if seats != set(range(len(seats))) or not 1 <= len(seats) <= 4:
            raise ValueError(f"players: seats must be 0, 1, ... without a gap, got {sorted(seats)}")
        self._check_start()
        return self

    def _check_start(self) -> None:
        playing = self.seats_of_nations()
        rows = GAME_DATA.sets[SETS.index(self.tables)].setup
        if not any(playing[row.nation] >= 0 for row in rows):
            raise ValueError("nations: nobody of them has a piece in the set-up")

    def seats_of_nations(self) -> list[int]:
        """Return the seat of each of the twenty nations, -1 for those not in play."""
        found = []
        for number, code in enumerate(CODES):
            inside = code in self.nations if self.nations else True
            seat = self.players.get(code, GAME_DATA.nations[number].player)
            found.append(seat if inside else -1)
        return found

    def num_seats(self) -> int:
        return len({seat for seat in self.seats_of_nations() if seat >= 0})

    def pack(self) -> npt.NDArray[np.void]:
        packed = np.zeros(1, SCENARIO)
        packed["active"] = sum(1 << NAMES.index(name) for name in set(self.regions or NAMES))
        packed["handicap"] = self.handicap
        packed["player"] = np.array(self.seats_of_nations()).reshape(1, NATIONS)
        packed["tables"] = SETS.index(self.tables)
        packed["num_seats"] = self.num_seats()
        for name in ("first_round", "last_round", "submission"):
            packed[name] = getattr(self, name)
        return packed
