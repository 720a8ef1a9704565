"""Round robins: everybody plays everybody, rated by Elo and by Bradley-Terry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from stratagem.agents import Agent, make_agent
from stratagem.backend import Backend, ThreadBackend
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.bradley_terry import Rating, bradley_terry
from stratagem.evaluate.elo import RatedGame, elo_ratings
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.pairs import PairGames, PairTask, play_pair, play_pair_of

ANCHOR = "random"  # a player that every game has: rated 0 if it takes part


@dataclass(frozen=True)
class PairResult:
    """The results of two players (by index) against each other, from the first one's side."""

    first: int
    second: int
    scores: tuple[float, ...]  # per game, in played order
    forfeits: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})  # lost by rule, by reason

    @property
    def games(self) -> int:
        return len(self.scores)

    @property
    def score(self) -> float:
        return sum(self.scores) / len(self.scores)

    def as_json(self) -> dict[str, Any]:
        wins = sum(score > 0.5 for score in self.scores)
        losses = sum(score < 0.5 for score in self.scores)
        return {
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "wins": wins,
            "draws": self.games - wins - losses,
            "losses": losses,
            "score": self.score,
            "wilson": list(wilson(self.score, self.games)),
            **({"forfeits": [dict(one) for one in self.forfeits]} if any(self.forfeits) else {}),
        }


@dataclass(frozen=True)
class Standing:
    """One player's line in the final table."""

    spec: str
    games: int
    score: float
    wilson: tuple[float, float]
    elo: float  # sequential
    rating: Rating  # Bradley-Terry, relative to the anchor


@dataclass(frozen=True)
class Tournament:
    """The result of a round robin. Players are in the given order."""

    game: str
    seed: int
    games_per_pair: int
    anchor: str
    standings: tuple[Standing, ...]
    pairs: tuple[PairResult, ...]

    @property
    def specs(self) -> tuple[str, ...]:
        """The players in the given order."""
        return tuple(standing.spec for standing in self.standings)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The standings, strongest first."""
        return tuple(sorted(self.standings, key=lambda s: -s.rating.rating))

    @property
    def matrix(self) -> list[list[float | None]]:
        """Return a matrix: the score of row i against column j; None against itself."""
        size = len(self.standings)
        scores: list[list[float | None]] = [[None] * size for _ in range(size)]
        for pair in self.pairs:
            scores[pair.first][pair.second] = pair.score
            scores[pair.second][pair.first] = 1.0 - pair.score
        return scores

    def as_json(self) -> dict[str, Any]:
        """Return the `tournament` JSON that other programs rely on."""
        return {
            "game": self.game,
            "seed": self.seed,
            "games_per_pair": self.games_per_pair,
            "anchor": self.anchor,
            "agents": [asdict(standing) for standing in self.standings],
            "matrix": self.matrix,
            "pairs": [pair.as_json() for pair in self.pairs],
        }


OnPair = Callable[[PairResult, int, int], None]  # (result, pairs done, pairs in all)


def play_tournament(
    game: Game,
    players: Sequence[str | Agent],
    games_per_pair: int,
    seed: int,
    on_pair: OnPair | None = None,
    anchor: str | None = None,
    backend: Backend | None = None,
) -> Tournament:
    """Play a round robin. The anchor is rated 0: `random` if it plays, else the first player.

    Players given as specs play on all cores, one pair per core, with the same results.
    """
    agents = [make_agent(one, game) for one in players]
    specs = [agent.spec for agent in agents]
    if len(specs) < 2 or len(set(specs)) < len(specs):
        raise BadSetting("a tournament needs at least two agents, each named once")
    if games_per_pair < 1:
        raise BadSetting(f"a tournament needs at least one game per pair, got {games_per_pair}")
    if anchor and anchor not in specs:
        raise BadSetting(f"anchor {anchor!r} does not take part: use one of {', '.join(specs)}")
    meetings = list(combinations(range(len(agents)), 2))
    pairs: list[PairResult] = []

    def add(played: PairGames) -> None:
        pairs.append(PairResult(*meetings[len(pairs)], played.scores, played.forfeits))
        if on_pair is not None:
            on_pair(pairs[-1], len(pairs), len(meetings))

    seeds = [derive_seed(seed, "pair", *meeting) for meeting in meetings]
    if all(isinstance(one, str) for one in players):
        tasks = [
            PairTask(game.spec, (specs[first], specs[second]), games_per_pair, pair_seed)
            for (first, second), pair_seed in zip(meetings, seeds, strict=True)
        ]
        (backend or ThreadBackend()).map(play_pair, tasks, add)
    else:  # the caller's own agents play here, one game after another
        for (first, second), pair_seed in zip(meetings, seeds, strict=True):
            add(play_pair_of(game, (agents[first], agents[second]), games_per_pair, pair_seed))
    return rated(game.spec, seed, specs, pairs, anchor)


def rated(
    game: str,
    seed: int,
    specs: Sequence[str],
    pairs: Sequence[PairResult],
    anchor: str | None = None,
) -> Tournament:
    """Compute standings and ratings of a round robin."""
    anchor = anchor or (ANCHOR if ANCHOR in specs else specs[0])
    standings = _standings(specs, pairs, specs.index(anchor))
    return Tournament(game, seed, pairs[0].games, anchor, standings, tuple(pairs))


def _standings(
    specs: Sequence[str], pairs: Sequence[PairResult], anchor: int
) -> tuple[Standing, ...]:
    size = len(specs)
    points = np.zeros((size, size))  # [N, N] points of the row's player against the column's
    for pair in pairs:
        points[pair.first, pair.second] = sum(pair.scores)
        points[pair.second, pair.first] = pair.games - sum(pair.scores)
    ratings = bradley_terry(points, anchor)
    elos = elo_ratings(games_in_rounds(pairs), size)
    games = (points + points.T).sum(axis=1)
    lines = []
    for i in range(size):
        score, count = float(points[i].sum() / games[i]), round(float(games[i]))
        interval = wilson(score, count)
        lines.append(Standing(specs[i], count, score, interval, elos[i], ratings[i]))
    return tuple(lines)


def games_in_rounds(pairs: Sequence[PairResult]) -> list[RatedGame]:
    """Return all games in rounds with one game of each pair, so that order favours no pair."""
    rounds = max((pair.games for pair in pairs), default=0)
    return [
        RatedGame(pair.first, pair.second, pair.scores[number])
        for number in range(rounds)
        for pair in pairs
        if number < pair.games
    ]
