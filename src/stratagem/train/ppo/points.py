"""Points scored soon after a decision: a second estimate of whether it turned out well.

In a long game with many players the result says little about one decision among hundreds, and the
network's values need many games before they say more. Points that are scored soon after a decision
do say something, and every game has plenty of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, Values
from stratagem.train.ppo.episodes import Episodes

_PERIODS = 8  # of a game: averages are taken by seat and period


def points_gained(game: Game, episodes: Episodes, horizon: float) -> npt.NDArray[np.float32]:
    """[M] the lead in points that the deciding seat gained after each sequence, minus the average.

    Points gained n of its sequences later are weighted by exp(-n / horizon). The average is over
    these games, for the same seat at about the same time.
    """
    count = episodes.num_sequences
    firsts = game.scores(episodes.states[episodes.starts[:-1]])
    now = _lead(firsts, episodes.seats)
    final = _lead(episodes.scores[episodes.games], episodes.seats)
    decay = float(np.exp(-1.0 / horizon))
    gained = np.zeros(count, np.float32)
    running = 0.0
    for k in range(count - 1, -1, -1):
        if episodes.is_last(k):
            running = float(final[k] - now[k])
        else:
            running = float(now[k + 1] - now[k]) + decay * running
        gained[k] = running
    return gained - _baseline(episodes, gained)


def _lead(scores: Values, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """[M] the points of each row's seat minus the mean of the others."""
    own = scores[np.arange(len(seats)), seats]
    lead: npt.NDArray[np.float32] = own - (scores.sum(1) - own) / max(scores.shape[1] - 1, 1)
    return lead


def _baseline(episodes: Episodes, gained: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """[M] the mean of what the same seat gained in the same period of its games."""
    owner = episodes.games * episodes.outcomes.shape[1] + episodes.seats
    _, begin, lengths = np.unique(owner, return_index=True, return_counts=True)
    place = np.arange(len(owner)) - np.repeat(begin, lengths)
    period = place * _PERIODS // np.repeat(lengths, lengths)
    group = episodes.seats * _PERIODS + period
    total = np.bincount(group, weights=gained)
    mean: npt.NDArray[np.float32] = (total / np.maximum(np.bincount(group), 1))[group]
    return mean.astype(np.float32)
