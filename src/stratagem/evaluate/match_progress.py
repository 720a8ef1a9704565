"""The progress of a match, for display."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.evaluate.match_result import Outcome

_EVERY = 0.25  # seconds between two reports


@dataclass(frozen=True)
class MatchProgress:
    """The state of a match: finished games, the first agent's score, and the rest."""

    games: int
    finished: int
    score: float | None  # of the first agent, over its seats; None: no game is over yet
    plies: int  # of the longest game so far
    share: float  # of the work done, as far as known; 0: unknown


OnMatchProgress = Callable[[MatchProgress], None]


def first_agent_score(outcomes: Sequence[Outcome]) -> float | None:
    """Return the mean result of the first agent over its seats."""
    results = [
        outcome.result_of(seat)
        for outcome in outcomes
        for seat, agent in enumerate(outcome.agents)
        if agent == 0
    ]
    return sum(results) / len(results) if results else None


def share_done(plies: npt.NDArray[np.int64], over: npt.NDArray[np.bool_]) -> float:
    """Estimate the share of plies played, if all games last as long as those that ended.

    A game that has already lasted longer counts as nearly over. 0 if no game has ended.
    """
    if not over.any():
        return 0.0
    usual = float(plies[over].mean())
    expected = np.where(over, plies, np.maximum(usual, plies + 1))
    return float(plies.sum() / max(expected.sum(), 1.0))


class Reporter:
    """Reports progress, at most a few times a second."""

    def __init__(self, report: OnMatchProgress) -> None:
        self._report = report
        self._last = time.monotonic()

    @property
    def due(self) -> bool:
        return time.monotonic() - self._last >= _EVERY

    def look(
        self,
        plies: npt.NDArray[np.int64],
        over: npt.NDArray[np.bool_],
        outcomes: Sequence[Outcome],
    ) -> None:
        self._last = time.monotonic()
        self._report(
            MatchProgress(
                games=len(plies),
                finished=int(over.sum()),
                score=first_agent_score(outcomes),
                plies=int(plies.max(initial=0)),
                share=share_done(plies, over),
            )
        )
