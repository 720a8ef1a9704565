"""An opponent: a fixed agent that takes one seat in a share of the self-play games.

Two copies of one network soon agree on how a game goes; where that is a draw nearly always, they
learn little from each other. An agent that plays differently shows them what they never try. As
a rule its own moves are not learned, only how its games end. With `search.fixed_perspective` the
learner observes its whole game, the opponent's turns too, and learns what to expect there. The
opponent's seat follows from the seed of each game, so nothing is kept for a resumed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.game import Actions
from stratagem.core.random_kernels import spread, units
from stratagem.core.seeding import Seeds
from stratagem.search import RootReport

NOBODY = -1


@dataclass(frozen=True)
class Opponent:
    """An agent and the share of games that it plays in."""

    agent: Agent
    share: float
    num_seats: int

    def seats(self, setup_seeds: Seeds) -> npt.NDArray[np.int64]:
        """Its seat in games with these seeds, NOBODY where all seats learn."""
        seeds = np.empty(2 * len(setup_seeds), np.uint64)
        spread(setup_seeds, 2, seeds)
        draws = np.empty(len(seeds), np.float64)
        units(seeds, draws)
        chosen = (draws[1::2] * self.num_seats).astype(np.int64)
        return np.where(draws[::2] < self.share, chosen, NOBODY)


def as_played(report: RootReport, actions: Actions, rows: npt.NDArray[np.bool_]) -> RootReport:
    """The same report with all of the policy on the action played, in these rows."""
    policy = report.policy.copy()
    played = report.actions[rows] == actions[rows, None]
    played &= np.arange(played.shape[1])[None, :] < report.counts[rows, None]
    policy[rows] = played
    return replace(report, policy=policy)


def seen_by_learner(
    deciders: npt.NDArray[np.int8], search_values: Sequence[float], opponent: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Who observes each decision of a game of two, and the search's value of it for that seat.

    `opponent` is the seat that does not learn; NOBODY: whoever decides observes.
    """
    values = np.array(search_values, np.float32)
    if opponent == NOBODY:
        return deciders.copy(), values
    observer_seats = np.full(len(deciders), 1 - opponent, np.int8)
    return observer_seats, np.where(observer_seats == deciders, values, -values)
