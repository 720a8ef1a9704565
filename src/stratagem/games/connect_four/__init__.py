"""Connect Four: the reference game whose truth is known."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from stratagem.core.game import Encoding, Rules
from stratagem.core.scenario import Scenario
from stratagem.core.specs import ActionSpec
from stratagem.games.connect_four import bots, encode, rules
from stratagem.games.connect_four.notation import NOTATION
from stratagem.games.connect_four.view import touches, view


class ConnectFourScenario(Scenario):
    rows: int = Field(ge=2, le=8, description="height of the board")
    columns: int = Field(ge=2, le=8, description="width of the board")
    connect: int = Field(ge=2, le=8, description="discs in a row that win")

    @model_validator(mode="after")
    def _fits(self) -> "ConnectFourScenario":
        if (self.rows + 1) * self.columns > 64:
            raise ValueError("(rows + 1) * columns must be at most 64: make the board smaller")
        if self.connect > max(self.rows, self.columns):
            raise ValueError("connect must fit on the board: lower it")
        return self

    def pack(self) -> npt.NDArray[np.void]:
        return np.array([(self.rows, self.columns, self.connect)], rules.SCENARIO)


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=rules.DTYPE,
    scenario=ConnectFourScenario,
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    returns=rules.returns,
    score=rules.score,
    encodings=(Encoding("planes", encode.observe, encode.spec),),
    actions=lambda scenario: ActionSpec(scenario.columns),
    notation=NOTATION,
    symmetry=rules.symmetry,
    symmetry_action=rules.symmetry_action,
    symmetries=lambda scenario: 2,
    bots={"scripted": bots.scripted},
    view=view,
    touches=touches,
)
