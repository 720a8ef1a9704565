"""Confidence intervals of measured scores and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri, stdtrit  # scipy.stats would take a second to load


def wilson(score: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval (1927) for a score in [0, 1] reached over `games` games.

    A draw counts as half a win, so `score` is an effective proportion. Draws have less variance
    than wins and losses: with them the interval is slightly wider than necessary.
    """
    if games <= 0:
        return 0.0, 1.0
    z = float(ndtri(0.5 + confidence / 2.0))
    shrink = 1.0 / (1.0 + z * z / games)
    middle = shrink * (score + z * z / (2.0 * games))
    half = shrink * z * math.sqrt(score * (1.0 - score) / games + z * z / (4.0 * games * games))
    # The bounds of a perfect score are exact; rounding would make them slightly too large or small.
    low = 0.0 if score <= 0.0 else middle - half
    high = 1.0 if score >= 1.0 else middle + half
    return low, high


def accept_by_wilson(score: float, games: int, threshold: float, confidence: float = 0.95) -> bool:
    """Whether even the lower end of the score's interval reaches the threshold."""
    return wilson(score, games, confidence)[0] > threshold


@dataclass(frozen=True)
class Mean:
    """A mean with its Student interval; a single value has a mean but no interval."""

    mean: float
    low: float | None
    high: float | None
    count: int


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Mean:
    """Return the mean of independent values and an interval that contains the true mean."""
    count = len(values)
    mean, square = _mean_and_square_error(values)
    if count == 1:
        return Mean(mean, None, None, 1)
    half = float(stdtrit(count - 1, 0.5 + confidence / 2.0)) * math.sqrt(square)
    return Mean(mean, mean - half, mean + half, count)


def difference_interval(
    values: Sequence[float], others: Sequence[float], confidence: float = 0.95
) -> Mean:
    """Return how far the mean of `values` is above that of `others`, after Welch (1947).

    Without at least two values on each side, or without any spread, there is no interval.
    """
    mean, square = _mean_and_square_error(values)
    other_mean, other_square = _mean_and_square_error(others)
    difference, count = mean - other_mean, min(len(values), len(others))
    if count == 1 or square + other_square == 0.0:
        return Mean(difference, None, None, count)
    freedom = (square + other_square) ** 2 / (
        square**2 / (len(values) - 1) + other_square**2 / (len(others) - 1)
    )
    half = float(stdtrit(freedom, 0.5 + confidence / 2.0)) * math.sqrt(square + other_square)
    return Mean(difference, difference - half, difference + half, count)


def _mean_and_square_error(values: Sequence[float]) -> tuple[float, float]:
    """Return a mean and its squared standard error; one value says nothing about the error."""
    count = len(values)
    if count == 0:
        raise ValueError("a mean needs at least one value")
    mean = math.fsum(values) / count
    if count == 1:
        return mean, 0.0
    return mean, math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count
