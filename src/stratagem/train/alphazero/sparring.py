"""A sparring partner: a fixed agent that takes one seat in a share of the self-play games.

Two copies of one network soon agree on how a game goes; where that is a draw nearly always, they
learn little from each other. A partner who plays differently shows them what they never try. As
a rule its own moves are not learned, only how its games end. With `search.fixed_perspective` the
learner observes its whole game, the partner's turns too, and learns what to expect there. Who spars
where follows from the seed of each game, so nothing has to be kept for a resumed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.game import Actions, Game, States
from stratagem.core.random_kernels import spread, units
from stratagem.core.seeding import Seeds
from stratagem.search import RootReport

NOBODY = -1


class Sparring:
    """Knows in which seat of which game the partner sits, and plays for it."""

    def __init__(self, game: Game, partner: Agent, share: float) -> None:
        self._num_seats = game.num_seats
        self._hidden_from = game.hidden_from
        self._partner = partner
        self._share = share

    def seats(self, setup_seeds: Seeds) -> npt.NDArray[np.int64]:
        """The partner's seat in games with these seeds, NOBODY where all seats learn."""
        words = np.empty(2 * len(setup_seeds), np.uint64)
        spread(setup_seeds, 2, words)
        draws = np.empty(len(words), np.float64)
        units(words, draws)
        chosen = (draws[1::2] * self._num_seats).astype(np.int64)
        return np.where(draws[::2] < self._share, chosen, NOBODY)

    def answer(self, states: States, seeds: Seeds) -> Actions:
        """The partner's moves."""
        seen = self._hidden_from(states.copy(), states["seat"], seeds)
        return np.asarray(self._partner.act(seen, seeds), np.int32)


def as_played(report: RootReport, actions: Actions, rows: npt.NDArray[np.bool_]) -> RootReport:
    """The same report with all of the policy on the action played, in these rows."""
    policy = report.policy.copy()
    played = report.actions[rows] == actions[rows, None]
    played &= np.arange(played.shape[1])[None, :] < report.counts[rows, None]
    policy[rows] = played
    return replace(report, policy=policy)


def seen_by_learner(
    deciders: npt.NDArray[np.int8], search_values: Sequence[float], partner: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Who observes each decision of a game of two, and the search's value of it for that seat.

    `partner` is the seat that does not learn; NOBODY: whoever decides observes.
    """
    values = np.array(search_values, np.float32)
    if partner == NOBODY:
        return deciders.copy(), values
    observer_seats = np.full(len(deciders), 1 - partner, np.int8)
    return observer_seats, np.where(observer_seats == deciders, values, -values)
