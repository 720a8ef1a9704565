"""The numbers of a dice duel."""

import numpy as np
from pydantic import Field

from stratagem.core.scenario import Scenario

SCENARIO = np.dtype([("seats", "i1"), ("faces", "i1"), ("rerolls", "i1"), ("top_weight", "i1")])


class DiceScenario(Scenario):
    seats: int = Field(ge=2, le=3, description="players")
    faces: int = Field(ge=2, le=8, description="sides of the die")
    rerolls: int = Field(ge=1, le=3, description="times a seat may roll again in its turn")
    top_weight: int = Field(default=1, ge=1, le=9, description="how often the highest face falls")

    def pack(self):
        packed = (self.seats, self.faces, self.rerolls, self.top_weight)
        return np.array([packed], SCENARIO)
