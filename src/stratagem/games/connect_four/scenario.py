"""Connect Four scenarios: the size of the board and the length of a winning line."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from stratagem.core.scenario import Scenario

SCENARIO = np.dtype([("rows", "u1"), ("columns", "u1"), ("connect", "u1")])


class ConnectFourScenario(Scenario):
    rows: int = Field(ge=2, le=8, description="height of the board")
    columns: int = Field(ge=2, le=8, description="width of the board")
    connect: int = Field(ge=2, le=8, description="discs in a row that win")

    @model_validator(mode="after")
    def _fits(self) -> ConnectFourScenario:
        if (self.rows + 1) * self.columns > 64:
            raise ValueError("(rows + 1) * columns must be at most 64: make the board smaller")
        if self.connect > max(self.rows, self.columns):
            raise ValueError("connect must fit on the board: lower it")
        return self

    def pack(self) -> npt.NDArray[np.void]:
        return np.array([(self.rows, self.columns, self.connect)], SCENARIO)
