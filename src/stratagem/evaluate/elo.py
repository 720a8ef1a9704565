"""Elo ratings (1978), updated game by game. The order of the games matters: see bradley_terry."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

K_FACTOR = 32.0  # how far one game can move a rating; from the Battlefield paper, section 3.4
START = 1500.0
SCALE = 400.0  # points of difference that mean odds of ten to one


@dataclass(frozen=True)
class RatedGame:
    """One game between two players by index; `score` is the first player's: 1, 1/2 or 0."""

    first: int
    second: int
    score: float


def expected_score(rating: float, other: float) -> float:
    """Return the expected score of the first rating against the other."""
    return 1.0 / (1.0 + math.pow(10.0, (other - rating) / SCALE))


def elo_ratings(
    games: Iterable[RatedGame], num_players: int, k: float = K_FACTOR, start: float = START
) -> tuple[float, ...]:
    """Return the ratings after these games in this order. Their sum never changes."""
    ratings = [start] * num_players
    for game in games:
        surprise = game.score - expected_score(ratings[game.first], ratings[game.second])
        ratings[game.first] += k * surprise
        ratings[game.second] -= k * surprise
    return tuple(ratings)


def rating_difference(score: float, limit: float = 1200.0) -> float:
    """Return the Elo difference at which this score is expected, capped at ±limit."""
    if score <= 0.0:
        return -limit
    if score >= 1.0:
        return limit
    return max(-limit, min(limit, SCALE * math.log10(score / (1.0 - score))))
