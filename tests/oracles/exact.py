"""Exact values of small games without hidden information, by looking at everything.

Every seat maximizes its own return (ties: the first action), chance is averaged by its listed
probabilities. Works for any number of seats and any order of decisions.
"""

import numpy as np

from stratagem.core.game import as_batch
from stratagem.core.seats import CHANCE, OVER


class ExactSolver:
    """Values per seat and best actions of one game; remembers every position it met."""

    def __init__(self, game):
        self.game = game
        self._known = {}

    def values(self, state):
        """[P] float64: what each seat gets when everybody plays best from here."""
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self._solve(state)
        return self._known[key]

    def action_values(self, state):
        """{action: what the deciding seat gets after it}."""
        seat = int(state["seat"])
        return {
            action: float(self.values(self.game.after(state, action))[seat])
            for action in self.game.legal_actions(state)
        }

    def best_actions(self, state):
        """Every action that is as good as the best one."""
        values = self.action_values(state)
        return {a for a, value in values.items() if value > max(values.values()) - 1e-6}

    def _solve(self, state):
        if state["seat"] == OVER:
            return self.game.returns(as_batch(state))[0].astype(np.float64)
        if state["seat"] == CHANCE:
            outcomes = self.game.chance_outcomes(state)
            return sum(p * self.values(self.game.after(state, o)) for o, p in outcomes)
        seat = int(state["seat"])
        children = [self.values(self.game.after(state, a)) for a in self.game.legal_actions(state)]
        return max(children, key=lambda values: values[seat])
