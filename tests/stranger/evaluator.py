"""An evaluator from outside the package: every action alike, every position even."""

import numpy as np

from stratagem import Evaluation


class EvenEvaluator:
    def __init__(self, game):
        self.game = game

    def evaluate(self, states, rows):
        return Evaluation(
            np.zeros((len(rows), self.game.actions.size), np.float32),
            np.zeros((len(rows), self.game.num_seats), np.float32),
        )
