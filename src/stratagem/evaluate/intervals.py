"""How sure a measured score or mean is. Knows nothing about games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri, stdtrit  # scipy.stats would take a second to load


def wilson(score: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval (1927) for a score in [0, 1] reached over so many games.

    A draw counts as half a win, so `score` is an effective proportion. Draws have less variance
    than wins and losses: with them the interval is a little wider than it needs to be.
    """
    if games <= 0:
        return 0.0, 1.0
    z = float(ndtri(0.5 + confidence / 2.0))
    shrink = 1.0 / (1.0 + z * z / games)
    middle = shrink * (score + z * z / (2.0 * games))
    half = shrink * z * math.sqrt(score * (1.0 - score) / games + z * z / (4.0 * games * games))
    # The bounds of a perfect score are exact; rounding would leave them a hair inside or outside.
    low = 0.0 if score <= 0.0 else middle - half
    high = 1.0 if score >= 1.0 else middle + half
    return low, high


def accept_by_wilson(score: float, games: int, threshold: float, confidence: float = 0.95) -> bool:
    """Does even the lower end of the score's interval clear the threshold?"""
    return wilson(score, games, confidence)[0] > threshold


@dataclass(frozen=True)
class Mean:
    """A mean with its Student interval; one value alone has a mean but no interval."""

    mean: float
    low: float | None
    high: float | None
    count: int


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Mean:
    """The mean of independent values and the interval in which the true mean lies."""
    count = len(values)
    if count == 0:
        raise ValueError("a mean needs at least one value")
    mean = math.fsum(values) / count
    if count == 1:
        return Mean(mean, None, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = float(stdtrit(count - 1, 0.5 + confidence / 2.0)) * math.sqrt(variance / count)
    return Mean(mean, mean - half, mean + half, count)
