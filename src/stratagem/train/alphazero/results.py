"""Results of self-play rounds and of a teacher's games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from stratagem.core.game import Game
from stratagem.train.alphazero.replay import Samples, join
from stratagem.train.lineups import Tallies, add_tallies


@dataclass(frozen=True)
class FinishedGame:
    """What is needed to write a record of a training game."""

    setup_seed: int
    events: tuple[int, ...]
    scenario_index: int = 0  # which of the run's games
    lineup: tuple[int, ...] = ()  # who played which seat; empty: one player in every seat


@dataclass(frozen=True)
class SelfPlayResult:
    """The result of an iteration of self-play."""

    samples: Samples
    games: tuple[FinishedGame, ...]
    decisions: int
    sims: int
    mean_plies: float
    draws: float
    tallies: Tallies = field(default_factory=dict)


def join_results(results: Sequence[SelfPlayResult]) -> SelfPlayResult:
    """Join the results of several groups."""
    weights = [len(result.games) for result in results]
    games = max(sum(weights), 1)
    return SelfPlayResult(
        samples=join([result.samples for result in results]),
        games=tuple(game for result in results for game in result.games),
        decisions=sum(result.decisions for result in results),
        sims=sum(result.sims for result in results),
        mean_plies=float(np.dot(weights, [result.mean_plies for result in results])) / games,
        draws=float(np.dot(weights, [result.draws for result in results])) / games,
        tallies=add_tallies(result.tallies for result in results),
    )


def no_samples(game: Game) -> Samples:
    return Samples(
        states=np.zeros(0, game.rules.dtype),
        offsets=np.zeros(1, np.int64),
        actions=np.zeros(0, np.uint16),
        shares=np.zeros(0, np.uint16),
        values=np.zeros((0, game.num_seats), np.float32),
        search_values=np.zeros(0, np.float32),
        policy_weights=np.zeros(0, np.float32),
        scores=np.zeros((0, game.num_seats), np.float32),
        scenario_indices=np.zeros(0, np.uint8),
        observer_seats=np.zeros(0, np.int8),
    )
