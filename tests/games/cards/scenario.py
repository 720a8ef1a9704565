"""The numbers of a card duel."""

import numpy as np
from pydantic import Field

from stratagem.core.scenario import Scenario

SCENARIO = np.dtype([("ranks", "i1")])


class CardsScenario(Scenario):
    ranks: int = Field(ge=3, le=8, description="cards in the deck, numbered from 1")

    def pack(self):
        return np.array([(self.ranks,)], SCENARIO)
