"""The games of two players against each other, as tasks that can run anywhere.

With more than two seats, one player of the pair takes one seat and the other all the rest, half of
the games each way round; scores are then counted seat against seat, so that an even score is one
half whatever the number of seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from stratagem.agents import Agent, make_agent
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.match_result import MatchResult, Outcome
from stratagem.evaluate.matches import play_match


@dataclass(frozen=True)
class PairTask:
    """The games of one pair, as data."""

    game: str
    specs: tuple[str, str]
    games: int
    seed: int


@dataclass(frozen=True)
class AloneGame:
    """The result of a player that sat alone in a game of more than two seats."""

    side: int  # 0: the first of the pair
    rank: float  # 1: first; tied players share the mean of their ranks
    share: float  # of all points at the table


@dataclass(frozen=True)
class PairGames:
    """The results, from the first player's side."""

    scores: tuple[float, ...]  # per game: 1 won, 1/2 drawn, 0 lost; or the share of seats beaten
    alone: tuple[AloneGame, ...]  # empty with two seats
    decisions: tuple[int, int]  # of each player
    seconds: tuple[float, float]  # that these took
    # Games lost by rule, by reason: a player that is another program may fail to answer.
    forfeits: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})


def play_pair(task: PairTask) -> PairGames:
    """Play the games of a task, with agents built for it."""
    game = load_game(task.game)
    first, second = (make_agent(spec, game) for spec in task.specs)
    return play_pair_of(game, (first, second), task.games, task.seed)


def play_pair_of(game: Game, pair: tuple[Agent, Agent], games: int, seed: int) -> PairGames:
    """Play a number of games between two agents."""
    if game.num_seats == 2:
        result = play_match(game, pair, games, seed)
        scores = tuple(outcome.duel(0, 1) for outcome in result.outcomes)
        return PairGames(scores, (), *_work(result, 0))
    whole = PairGames((), (), (0, 0), (0.0, 0.0))
    for alone, count in ((0, games - games // 2), (1, games // 2)):
        if count:
            turned = (pair[alone], pair[1 - alone])
            result = play_match(game, turned, count, derive_seed(seed, "alone", alone))
            whole = _joined(whole, _of_side(result, alone))
    return whole


def _of_side(result: MatchResult, alone: int) -> PairGames:
    """Return the games in which one side (0 or 1 of the pair) was alone against the other."""
    duels = [outcome.duel(0, 1) for outcome in result.outcomes]
    scores = tuple(duels if alone == 0 else [1.0 - score for score in duels])
    tables = tuple(_alone(outcome, alone) for outcome in result.outcomes)
    return PairGames(scores, tables, *_work(result, alone))


def _alone(outcome: Outcome, side: int) -> AloneGame:
    seat = outcome.agents.index(0)
    mine = outcome.returns[seat]
    above = sum(value > mine for value in outcome.returns)
    level = outcome.returns.count(mine)
    return AloneGame(side, above + (level + 1) / 2.0, outcome.share_of(seat))


def _work(
    result: MatchResult, first: int
) -> tuple[tuple[int, int], tuple[float, float], tuple[Mapping[str, int], Mapping[str, int]]]:
    """Return decisions, seconds and lost games of both; `first`: index of the first agent."""
    both = [result.agents[first], result.agents[1 - first]]
    decisions = (both[0].decisions, both[1].decisions)
    seconds = tuple(one.decisions * one.mean_decision_ms / 1000.0 for one in both)
    return decisions, (seconds[0], seconds[1]), (both[0].forfeits, both[1].forfeits)


def _joined(one: PairGames, other: PairGames) -> PairGames:
    return PairGames(
        one.scores + other.scores,
        one.alone + other.alone,
        (one.decisions[0] + other.decisions[0], one.decisions[1] + other.decisions[1]),
        (one.seconds[0] + other.seconds[0], one.seconds[1] + other.seconds[1]),
        (
            dict(Counter(one.forfeits[0]) + Counter(other.forfeits[0])),
            dict(Counter(one.forfeits[1]) + Counter(other.forfeits[1])),
        ),
    )
