"""One rating scale for many players, with games spent where they tell the most.

Every pair plays one block of games. After that, the pair that promises to narrow the ratings most
plays on, until everybody's rating against everybody else is known well enough, or no pair can tell
more, or the time is up. The seed of a block comes from the names of its two players and its number,
so neither the order of the blocks nor the other players change its games.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.backend import Backend
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.bradley_terry import Rating, bradley_terry, fit_strengths
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.pairs import AloneGame, PairGames, PairTask, play_pair
from stratagem.evaluate.tournaments import ANCHOR

Matrix = npt.NDArray[np.float64]  # [N, N]

_LEAST_TO_LEARN = 0.02  # minimum variance of one game's expected result for it to be worth playing
_SIDE_OF_95 = 1.96  # standard errors


@dataclass(frozen=True)
class StopRule:
    """When a ladder is finished."""

    block: int = 8  # games that a pair plays at a time
    most: int = 96  # maximum games of a pair
    width: float = 60.0  # target half-width of the 95 % interval between two ratings, in Elo


@dataclass(frozen=True)
class Block:
    """Consecutive games of two players."""

    first: str
    second: str
    number: int  # index among this pair's blocks
    games: PairGames

    def as_json(self) -> dict[str, Any]:
        values = asdict(self)
        if not any(self.games.forfeits):
            del values["games"]["forfeits"]
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Block:
        """Parse the output of `as_json`; impossible points raise a ValueError."""
        games = values["games"]
        if not games["scores"] or not all(0.0 <= score <= 1.0 for score in games["scores"]):
            raise ValueError("a game is worth 0 to 1 points")
        return cls(
            str(values["first"]),
            str(values["second"]),
            int(values["number"]),
            PairGames(
                tuple(map(float, games["scores"])),
                tuple(AloneGame(**one) for one in games["alone"]),
                (int(games["decisions"][0]), int(games["decisions"][1])),
                (float(games["seconds"][0]), float(games["seconds"][1])),
                _forfeits(games.get("forfeits", ({}, {}))),
            ),
        )


def _forfeits(both: Sequence[Mapping[str, Any]]) -> tuple[dict[str, int], dict[str, int]]:
    """Parse the games lost by rule; other values raise a ValueError."""
    first, second = ({str(why): int(count) for why, count in one.items()} for one in both)
    return first, second


def forfeits_of(blocks: Iterable[Block]) -> dict[str, Counter[str]]:
    """Count the games lost by rule, for every player that lost any."""
    lost: dict[str, Counter[str]] = {}
    for block in blocks:
        for spec, reasons in zip((block.first, block.second), block.games.forfeits, strict=True):
            if reasons:
                lost.setdefault(spec, Counter()).update(reasons)
    return lost


@dataclass(frozen=True)
class Rung:
    """One player's place on the ladder."""

    agent: str
    rating: Rating  # on the Elo scale; the anchor has 0
    games: int
    score: float  # mean over its opponents, each weighted equally
    decision_ms: float
    mean_rank: float | None  # with more than two seats, in games alone at the table
    share_of_points: float | None  # likewise


@dataclass
class Ladder:
    """The players, their games, and the resulting ratings."""

    game: Game
    players: Sequence[str]  # specs, each once; the anchor is rated 0
    seed: int
    precision: StopRule = StopRule()
    blocks: list[Block] = field(default_factory=list)

    def points(self) -> Matrix:
        """[N, N] the score of the row's player in all its games against the column's."""
        points = np.zeros((len(self.players), len(self.players)))
        for block in self._present():
            i, j = self.players.index(block.first), self.players.index(block.second)
            points[i, j] += sum(block.games.scores)
            points[j, i] += len(block.games.scores) - sum(block.games.scores)
        return points

    def strangers(self) -> list[tuple[int, int]]:
        """Return the pairs that have not met."""
        points = self.points()
        games = points + points.T
        return [pair for pair in combinations(range(len(self.players)), 2) if not games[pair]]

    def next_tasks(self, count: int) -> list[tuple[int, int]]:
        """Return up to `count` pairs that should play a block now; none: the ladder is done."""
        points = self.points()
        games = points + points.T
        pairs = list(combinations(range(len(self.players)), 2))
        if strangers := self.strangers():
            played = games.sum(axis=1)  # fewest games first, so that all get connected
            return sorted(strangers, key=lambda pair: played[pair[0]] + played[pair[1]])[:count]
        fitted = fit_strengths(points)
        expected, errors = fitted.expected(), fitted.errors()
        # How much one more game would tell about the difference.
        information = expected * (1.0 - expected)
        open_pairs = [
            pair
            for pair in pairs
            if games[pair] < self.precision.most
            and information[pair] > _LEAST_TO_LEARN
            and _SIDE_OF_95 * errors[pair] > self.precision.width
        ]
        open_pairs.sort(key=lambda pair: -information[pair] * errors[pair] ** 2)
        return open_pairs[:count]

    def task(self, pair: tuple[int, int]) -> PairTask:
        """Return the next block of a pair as a task."""
        first, second, number = self._next_block(pair)
        seed = derive_seed(self.seed, "block", first, second, number)
        return PairTask(self.game.spec, (first, second), self.precision.block, seed)

    def add(self, pair: tuple[int, int], games: PairGames) -> Block:
        """Store the results of a pair's block."""
        self.blocks.append(Block(*self._next_block(pair), games))
        return self.blocks[-1]

    def _next_block(self, pair: tuple[int, int]) -> tuple[str, str, int]:
        """Return both names, sorted, and the number of the pair's next block."""
        first, second = sorted((self.players[pair[0]], self.players[pair[1]]))
        number = sum((block.first, block.second) == (first, second) for block in self.blocks)
        return first, second, number

    def rungs(self) -> list[Rung]:
        """Return all players that have games, strongest first."""
        points = self.points()
        games = points + points.T
        anchor = self.players.index(ANCHOR) if ANCHOR in self.players else None
        ratings = bradley_terry(points, anchor)
        rungs = []
        for i, agent in enumerate(self.players):
            met = games[i] > 0
            score = float((points[i, met] / games[i, met]).mean()) if met.any() else 0.0
            rungs.append(
                Rung(
                    agent, ratings[i], round(float(games[i].sum())), score,
                    self._decision_ms(agent), *self._alone(agent),
                )
            )  # fmt: skip
        return sorted(rungs, key=lambda rung: -rung.rating.rating)

    def pairs(self) -> list[dict[str, Any]]:
        """Return score and interval of every pair that met."""
        points = self.points()
        found = []
        for i, j in combinations(range(len(self.players)), 2):
            games = round(float(points[i, j] + points[j, i]))
            if games:
                score = float(points[i, j]) / games
                found.append(
                    {
                        "first": self.players[i],
                        "second": self.players[j],
                        "games": games,
                        "score": score,
                        "wilson": list(wilson(score, games)),
                    }
                )
        return found

    def _present(self) -> list[Block]:
        return [b for b in self.blocks if b.first in self.players and b.second in self.players]

    def _decision_ms(self, agent: str) -> float:
        """Return the mean milliseconds per decision."""
        decisions, seconds = 0, 0.0
        for block in self._present():
            for side, name in enumerate((block.first, block.second)):
                if name == agent:
                    decisions += block.games.decisions[side]
                    seconds += block.games.seconds[side]
        return 1000.0 * seconds / decisions if decisions else 0.0

    def _alone(self, agent: str) -> tuple[float | None, float | None]:
        """Return the mean rank and share of points over games in which it sat alone."""
        alone = [
            game
            for block in self._present()
            for game in block.games.alone
            if (block.first, block.second)[game.side] == agent
        ]
        if not alone:
            return None, None
        count = len(alone)
        return sum(g.rank for g in alone) / count, sum(g.share for g in alone) / count


OnBlock = Callable[[Block], None]


def climb(
    ladder: Ladder, backend: Backend, budget_seconds: float, on_block: OnBlock = lambda block: None
) -> bool:
    """Play until the ladder is finished or the time is up; return whether it is finished."""
    ends = time.monotonic() + budget_seconds
    while time.monotonic() < ends:
        chosen = ladder.next_tasks(max(1, backend.cores))
        if not chosen:
            return True
        waiting = iter(chosen)

        def keep(games: PairGames, waiting: Any = waiting) -> None:
            on_block(ladder.add(next(waiting), games))

        backend.map(play_pair, [ladder.task(pair) for pair in chosen], keep)
    return not ladder.next_tasks(1)
