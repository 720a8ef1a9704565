"""Wald's sequential test (1945): stop playing as soon as the result is clear enough.

Tests "the candidate scores p0" against "the candidate scores p1".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from stratagem.core.errors import BadSetting

Verdict = Literal["accept", "reject"]


@dataclass(frozen=True)
class Sprt:
    """The test's two hypotheses and its two error rates.

    A draw counts as half a win and half a loss. The bounds guarantee `alpha` and `beta` for games
    without draws; draws have less variance, which only lowers the errors.
    """

    p0: float = 0.50  # score of a candidate that is not better
    p1: float = 0.55  # score of a candidate worth accepting
    alpha: float = 0.05  # probability of accepting when p0 is true
    beta: float = 0.05  # probability of rejecting when p1 is true

    def __post_init__(self) -> None:
        if not 0.0 < self.p0 < self.p1 < 1.0:
            raise BadSetting(f"sprt: need 0 < p0 < p1 < 1, got p0={self.p0}, p1={self.p1}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise BadSetting(
                f"sprt: alpha and beta must lie between 0 and 0.5, got {self.alpha}, {self.beta}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """(reject at or below, accept at or above) for the log-likelihood ratio."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def llr(self, wins: float, draws: float, losses: float) -> float:
        """Return the log-likelihood ratio of p1 against p0 after these results."""
        gain = math.log(self.p1 / self.p0)
        cost = math.log((1.0 - self.p1) / (1.0 - self.p0))
        return (wins + draws / 2.0) * gain + (losses + draws / 2.0) * cost

    def decide(self, wins: float, draws: float, losses: float) -> Verdict | None:
        """Return the verdict after all results so far, or None: play on."""
        low, high = self.bounds
        ratio = self.llr(wins, draws, losses)
        if ratio >= high:
            return "accept"
        return "reject" if ratio <= low else None
