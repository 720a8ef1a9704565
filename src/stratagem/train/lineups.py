"""Who plays which seat in training games, and what the learner scored against each of them.

Players of a run are numbered: the learner itself is SELF, then come agents from outside the run,
then its earlier networks by iteration. The lineup of a game follows from its seed and from the draw
of the iteration in which it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Values
from stratagem.core.seeding import Seeds, nth_seeds

SELF = 0

Lineups = npt.NDArray[np.int64]  # [games, P] a player's number for each seat
Numbers = npt.NDArray[np.int64]

_SALT = np.uint64(0x5EA7ED0B5E55ED00)  # a lineup reveals nothing about the set-up of its game
_EQUAL = 1e-6


@dataclass(frozen=True)
class Draw:
    """Who may play beside the learner in the games that begin in an iteration."""

    players: tuple[int, ...]
    shares: tuple[float, ...]  # how often each gets a seat that is not the learner's; sums to 1
    alike: bool = False  # whether one player gets all other seats of a game

    def from_seeds(
        self, setup_seeds: Seeds, num_seats: int, homes: Numbers | None = None
    ) -> Lineups:
        """Draw lineups for games with these seeds; `homes`: the learner's own seats, if fixed."""
        draws = np.stack([_units(setup_seeds, number) for number in range(num_seats + 1)], axis=1)
        if homes is None:
            homes = (draws[:, num_seats] * num_seats).astype(np.int64)
        return self.from_draws(draws[:, :num_seats], homes)

    def from_draws(self, draws: npt.NDArray[np.float64], homes: Numbers) -> Lineups:
        """Draw lineups from numbers in [0, 1), one for each game and seat."""
        bounds = np.cumsum(self.shares)[:-1]
        lineups = np.array(self.players)[np.searchsorted(bounds, draws, side="right")]
        if self.alike:
            lineups[:] = lineups[:, :1]
        lineups[np.arange(len(lineups)), homes] = SELF
        return lineups


def players_in(lineups: npt.NDArray[np.generic]) -> set[int]:
    """Return all players in these lineups."""
    return {int(player) for player in np.unique(lineups)}


ALONE = Draw((SELF,), (1.0,))


@dataclass(frozen=True)
class Tally:
    """The learner's score against one player."""

    games: int
    points: float  # a win counts 1, a draw a half


Tallies = Mapping[int, Tally]  # by the player's number


def tally_games(lineups: Lineups, returns: Values) -> dict[int, Tally]:
    """Score seat against seat: in each game the mean over the learner's and the player's seats."""
    ahead = returns[:, :, None] - returns[:, None, :]
    points = np.where(np.abs(ahead) < _EQUAL, 0.5, ahead > 0)  # [n, P, P]
    mine = (lineups == SELF).astype(np.float64)
    found = {}
    for player in np.unique(lineups[lineups != SELF]).tolist():
        theirs = (lineups == player).astype(np.float64)
        pairs = mine.sum(1) * theirs.sum(1)
        met = pairs > 0
        won = np.einsum("np,npq,nq->n", mine, points, theirs)[met] / pairs[met]
        found[player] = Tally(int(met.sum()), float(won.sum()))
    return found


def add_tallies(parts: Iterable[Tallies]) -> dict[int, Tally]:
    """Add up the results of several groups of games."""
    total: dict[int, Tally] = {}
    for part in parts:
        for player, one in part.items():
            before = total.get(player, Tally(0, 0.0))
            total[player] = Tally(before.games + one.games, before.points + one.points)
    return dict(sorted(total.items()))


def _units(seeds: Seeds, number: int) -> npt.NDArray[np.float64]:
    """[n] in [0, 1)."""
    words = nth_seeds(seeds ^ _SALT, np.full(len(seeds), number))
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
