"""Players of the game `spy` who refuse to look at a position that did not pass through `hide`."""

import numpy as np

from stratagem.search import Evaluation

PASS = 0


class Witness:
    """An agent: every position has to be hidden for the seat that decides."""

    spec = "witness"

    def __init__(self):
        self.asked = 0

    def act(self, states, seeds):
        assert (states["seen_by"] == states["seat"] + 1).all()
        self.asked += len(states)
        return np.full(len(states), PASS, np.int32)


class WitnessEvaluator:
    """Judges all positions alike, and none that grew from the truth."""

    def __init__(self, game):
        self.game = game
        self.asked = 0

    def evaluate(self, states, rows):
        assert (states["seen_by"][rows] > 0).all()
        self.asked += len(rows)
        shape = len(rows), self.game.actions.size
        values = np.zeros((len(rows), self.game.num_seats), np.float32)
        return Evaluation(np.zeros(shape, np.float32), values)
