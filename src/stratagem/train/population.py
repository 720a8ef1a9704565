"""The population of a run: itself, its earlier networks, and agents from outside.

Earlier networks are chosen by how hard they are for the learner now (prioritised fictitious
self-play, Vinyals et al., 2019): opponents that it lost to come back until it beats them, so it
cannot learn in circles. Everything that must outlive an iteration is in the run's progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from stratagem.core.seeding import derive_generator
from stratagem.evaluate.intervals import wilson
from stratagem.runs.metrics import OpponentScore
from stratagem.train.lineups import SELF, Draw, Tallies, Tally
from stratagem.train.progress import RunProgress
from stratagem.train.sections import Opponents

Player = TypeVar("Player")

_MEMORY = 0.9  # weight of a result after another iteration
_PRIOR = 1.0  # games won and lost that were never played: an unknown opponent counts as even
_FORGOTTEN = 0.01  # games too few to count
_LEAST = 1e-3  # weight of the easiest opponent relative to the hardest


class Population:
    """The players that a run meets, numbered as in `lineups`."""

    def __init__(self, settings: Opponents, seed: int) -> None:
        self._settings, self._seed = settings, seed
        self._named = settings.named

    # -- names -------------------------------------------------------------------------------

    def name(self, player: int) -> str:
        """Return the name of a player other than the learner, for reports."""
        if player <= len(self._named):
            return self._named[player - 1]
        return f"iteration {self.iteration(player)}"

    def iteration(self, player: int) -> int:
        """Return the iteration of an earlier network; 0 for everybody else."""
        return max(0, player - len(self._named))

    def iterations(self, players: Iterable[int]) -> set[int]:
        """Return the earlier networks among these players."""
        return {self.iteration(player) for player in players} - {0}

    def names(self, lineup: Sequence[int], me: str) -> tuple[str, ...]:
        """Return the names of a lineup, for a record."""
        return tuple(me if player == SELF else self.name(player) for player in lineup)

    # -- who plays ---------------------------------------------------------------------------

    def draw(self, progress: RunProgress) -> Draw:
        """Return who may play beside the learner in the iteration that begins."""
        settings = self._settings
        shares = {SELF: settings.self_play}
        for number, weight in enumerate(settings.present.values(), 1):
            shares[number] = weight * settings.total
        exploiters = range(len(settings.present) + 1, len(self._named) + 1)
        if exploiters:
            for player, weight in zip(exploiters, self._weights(exploiters, progress), strict=True):
                shares[player] = settings.exploiters * float(weight)
        if settings.past:
            for player in self._choose_past(progress):
                shares[player] = shares.get(player, 0.0) + settings.past / settings.past_at_once
        present = {player: share for player, share in shares.items() if share > 0}
        total = sum(present.values())
        return Draw(
            tuple(present),
            tuple(share / total for share in present.values()),
            settings.seating == "alike",
        )

    def _choose_past(self, progress: RunProgress) -> list[int]:
        """Choose players from the pool, hard ones more often; at first only the network itself."""
        count = self._settings.past_at_once
        if not progress.pool:
            return [SELF] * count
        players = [len(self._named) + iteration for iteration in progress.pool]
        generator = derive_generator(self._seed, "past", progress.iteration)
        chosen = generator.choice(players, count, p=self._weights(players, progress))
        return [int(player) for player in chosen]

    def _weights(self, players: Sequence[int], progress: RunProgress) -> npt.NDArray[np.float64]:
        """Return how likely each of these players is to be chosen."""
        scores = np.array([self._score(player, progress) for player in players])
        choice, power = self._settings.past_choice, self._settings.past_power
        weights = np.ones(len(scores))
        if choice == "hard":
            weights = (1 - scores) ** power
        elif choice == "level":
            weights = (4 * scores * (1 - scores)) ** power
        weights = np.maximum(weights, _LEAST)
        found: npt.NDArray[np.float64] = weights / weights.sum()
        return found

    def _score(self, player: int, progress: RunProgress) -> float:
        """Return the learner's recent score against a player."""
        games, points = progress.standings.get(self.name(player), (0.0, 0.0))
        return (points + _PRIOR) / (games + 2 * _PRIOR)

    # -- results -----------------------------------------------------------------------------

    def record(self, progress: RunProgress, tallies: Tallies) -> dict[str, OpponentScore]:
        """Add an iteration's results; return them for the metrics."""
        progress.standings = {
            name: [_MEMORY * games, _MEMORY * points]
            for name, (games, points) in progress.standings.items()
            if games > _FORGOTTEN
        }
        for player, one in tallies.items():
            standing = progress.standings.setdefault(self.name(player), [0.0, 0.0])
            standing[0] += one.games
            standing[1] += one.points
        return {self.name(player): _as_score(one) for player, one in tallies.items()}

    def admit(self, progress: RunProgress) -> None:
        """Add this iteration's network to the pool, if one is due."""
        settings, pool = self._settings, progress.pool
        if not settings.past or progress.iteration - (pool[-1] if pool else 0) < settings.every:
            return
        if len(pool) == settings.pool:
            players = [len(self._named) + iteration for iteration in pool]
            easiest = int(np.argmax([self._score(player, progress) for player in players]))
            progress.standings.pop(self.name(players[easiest]), None)
            del pool[easiest]
        pool.append(progress.iteration)


class EarlierNetworks(Generic[Player]):
    """Earlier networks of a run, by player, kept in memory while they are needed."""

    def __init__(self, population: Population, load: Callable[[int], Player]) -> None:
        self._population, self._load = population, load
        self._loaded: dict[int, Player] = {}

    def of(self, players: Iterable[int]) -> Mapping[int, Player]:
        """Return the earlier networks among these players; `load` is called for new ones."""
        wanted = {player: self._population.iteration(player) for player in sorted(set(players))}
        self._loaded = {
            player: self._loaded[player] if player in self._loaded else self._load(iteration)
            for player, iteration in wanted.items()
            if iteration
        }
        return self._loaded


def _as_score(tally: Tally) -> OpponentScore:
    score = tally.points / tally.games
    low, high = wilson(score, tally.games)
    return OpponentScore(
        games=tally.games, score=round(score, 4), low=round(low, 4), high=round(high, 4)
    )
