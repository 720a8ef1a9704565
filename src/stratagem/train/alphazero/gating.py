"""Decides whether a trained network replaces the one that plays: threshold, SPRT, or always.

The threshold test plays a fixed number of games against the last accepted network. The sequential
test (SPRT) plays a pool of recently accepted networks and stops as soon as there is enough
evidence; if it reaches the maximum, the lower Wilson bound of the score decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from stratagem.core.agent import Agent
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.intervals import accept_by_wilson
from stratagem.evaluate.match_result import MatchResult
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.sprt import Sprt
from stratagem.runs.metrics import GateResult
from stratagem.train.alphazero.settings import GateSection


def test_candidate(
    game: Game, candidate: Agent, pool: Sequence[Agent], settings: GateSection, seed: int
) -> GateResult | None:
    """Play a candidate against the pool, newest last; None: accepted without a game."""
    if settings.mode == "always" or not pool:
        return None
    if settings.mode == "sprt":
        return _sequential(game, candidate, pool, settings, seed)
    result = play_match(game, [candidate, pool[-1]], settings.games, seed)
    score = sum(duels_of(result)) / settings.games
    reason = f"threshold {settings.threshold}"
    return _result(score >= settings.threshold, settings.games, score, reason)


def duels_of(result: MatchResult) -> list[float]:
    """Score the candidate against its opponents, seat against seat: even is a half at any table."""
    return [outcome.duel(0, 1) for outcome in result.outcomes]


def _sequential(
    game: Game, candidate: Agent, pool: Sequence[Agent], settings: GateSection, seed: int
) -> GateResult:
    test = Sprt(settings.p0, settings.p1, settings.alpha, settings.beta)
    round_games = max(2, 16 // len(pool) * 2)
    points, played, number = 0.0, 0, 0
    while played < settings.games:
        opponent = pool[len(pool) - 1 - number % len(pool)]
        count = min(round_games, settings.games - played)
        result = play_match(game, [candidate, opponent], count, derive_seed(seed, number))
        points += sum(duels_of(result))
        played += count
        number += 1
        decision = test.decide(points, 0, played - points)
        score = points / played
        if decision is not None:
            return _result(decision == "accept", played, score, f"sprt {decision}")
    accepted = accept_by_wilson(score, played, settings.wilson_threshold)
    return _result(accepted, played, score, "wilson bound")


def _result(accepted: bool, games: int, score: float, reason: str) -> GateResult:
    return GateResult(accepted=accepted, games=games, score=round(score, 4), reason=reason)
