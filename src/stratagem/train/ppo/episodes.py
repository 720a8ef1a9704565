"""The data of whole games: decisions in sequences, the values at their start, the results.

A sequence is a run of decisions of one seat, not interrupted by dice or another seat, that are
decided from one encoding of its first position. Advantages are estimated from sequence to sequence
and apply to every decision inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.core.game import States, Values
from stratagem.train.lineups import Lineups


@dataclass(frozen=True)
class Episodes:
    """Decisions [N] ordered by sequence, sequences [M] ordered by game, seat and time."""

    states: States  # [N]
    actions: npt.NDArray[np.int32]  # [N]
    log_probabilities: npt.NDArray[np.float32]  # [N] of the policy that played
    starts: npt.NDArray[np.int64]  # [M + 1] first decision of each sequence
    games: npt.NDArray[np.int64]  # [M]
    seats: npt.NDArray[np.int64]  # [M]
    values: npt.NDArray[np.float32]  # [M] the deciding seat's expectation at the start
    outcomes: Values  # [games, P] what the game was worth
    returns: Values  # [games, P]
    scores: Values  # [games, P]
    learners: npt.NDArray[np.bool_]  # [games, P] seats whose decisions are recorded
    lineups: Lineups  # [games, P] who played which seat
    setup_seed: int  # of the first game
    events: tuple[int, ...]  # of the first game
    strengths: Values | None = None  # [games, P] drawn for networks with that input

    @property
    def num_sequences(self) -> int:
        return len(self.games)

    def is_last(self, k: int) -> bool:
        """Whether sequence k is its seat's last in the game."""
        return k + 1 == len(self.games) or bool(
            self.games[k + 1] != self.games[k] or self.seats[k + 1] != self.seats[k]
        )


def join_episodes(parts: Sequence[Episodes]) -> Episodes:
    """Join the games of several workers; the first game is that of the first part."""
    decisions = np.cumsum([0, *(len(part.states) for part in parts)])
    games = np.cumsum([0, *(len(part.outcomes) for part in parts)])
    drawn = [part.strengths for part in parts if part.strengths is not None]
    starts = [part.starts[:-1] + at for part, at in zip(parts, decisions[:-1], strict=True)]
    return Episodes(
        states=np.concatenate([part.states for part in parts]),
        actions=np.concatenate([part.actions for part in parts]),
        log_probabilities=np.concatenate([part.log_probabilities for part in parts]),
        starts=np.concatenate([*starts, decisions[-1:]]),
        games=np.concatenate([p.games + at for p, at in zip(parts, games[:-1], strict=True)]),
        seats=np.concatenate([part.seats for part in parts]),
        values=np.concatenate([part.values for part in parts]),
        outcomes=np.concatenate([part.outcomes for part in parts]),
        returns=np.concatenate([part.returns for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
        learners=np.concatenate([part.learners for part in parts]),
        lineups=np.concatenate([part.lineups for part in parts]),
        setup_seed=parts[0].setup_seed,
        events=parts[0].events,
        strengths=np.concatenate(drawn) if drawn else None,
    )


def advantages(episodes: Episodes, trace: float) -> npt.NDArray[np.float32]:
    """[M] generalised advantages: only the end of a game has a value, and nothing is discounted.

    The n-th sequence of a seat is compared with its (n+1)-th, the last with the outcome.
    """
    found = np.zeros(episodes.num_sequences, np.float32)
    running = 0.0
    for k in range(episodes.num_sequences - 1, -1, -1):
        if episodes.is_last(k):
            outcome = episodes.outcomes[episodes.games[k], episodes.seats[k]]
            running = float(outcome - episodes.values[k])
        else:
            running = float(episodes.values[k + 1] - episodes.values[k]) + trace * running
        found[k] = running
    return found
