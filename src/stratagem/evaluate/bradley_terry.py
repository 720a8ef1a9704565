"""Bradley-Terry ratings: the strengths that best explain all results at once, with intervals.

Unlike in sequential Elo, the order of the games does not matter. A draw counts as half a win for
both. The model is fitted by Newton's method with a weak prior, which keeps the rating of a player
who won (or lost) every game finite; intervals come from the curvature at the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

from stratagem.core.errors import BadSetting
from stratagem.evaluate.elo import SCALE

Matrix = npt.NDArray[np.float64]  # [N, N]
Vector = npt.NDArray[np.float64]  # [N]

_ELO_PER_UNIT = SCALE / np.log(10.0)  # one natural-log unit of strength on the Elo scale
_MAX_STEPS = 100
_SMALL = 1e-10


@dataclass(frozen=True)
class Rating:
    """A rating on the Elo scale and its 95 % interval, relative to the anchor."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Strengths:
    """The fitted model, in natural-log units."""

    middle: Vector  # [N]
    covariance: Matrix  # [N, N]

    def expected(self) -> Matrix:
        """[N, N] the expected score of the row's player against the column's."""
        scores: Matrix = expit(self.middle[:, None] - self.middle[None, :])
        return scores

    def errors(self) -> Matrix:
        """[N, N] standard error of each difference of two ratings, on the Elo scale."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2.0 * self.covariance
        errors: Matrix = np.sqrt(np.maximum(variance, 0.0)) * _ELO_PER_UNIT
        return errors


def fit_strengths(points: Matrix, prior_deviation: float = 600.0) -> Strengths:
    """Fit strengths of N players; points[i, j] is what i scored in all its games against j.

    `prior_deviation`, in Elo, is how far from the mean players are expected to be.
    """
    points = np.asarray(points, np.float64)
    if points.ndim != 2 or points.shape[0] != points.shape[1] or (points < 0).any():
        raise BadSetting("bradley_terry needs a square matrix of points, none of them negative")
    precision = (_ELO_PER_UNIT / prior_deviation) ** 2
    middle, curvature = _fit(points, precision)
    return Strengths(middle, np.linalg.inv(curvature).astype(np.float64))


def bradley_terry(
    points: Matrix,
    anchor: int | None = None,
    anchor_rating: float = 0.0,
    prior_deviation: float = 600.0,
    confidence: float = 0.95,
) -> tuple[Rating, ...]:
    """Rate N players; points[i, j] is what i scored in all its games against j.

    The anchor's rating is fixed (its interval has no width); without an anchor, the mean of all
    ratings is fixed.
    """
    fitted = fit_strengths(points, prior_deviation)
    shift = _relative_to(len(fitted.middle), anchor)
    relative = shift @ fitted.middle * _ELO_PER_UNIT
    covariance = shift @ fitted.covariance @ shift.T
    z = float(ndtri(0.5 + confidence / 2.0))
    half = z * np.sqrt(np.maximum(np.diag(covariance), 0.0)) * _ELO_PER_UNIT
    return tuple(
        Rating(float(middle), float(middle - width), float(middle + width))
        for middle, width in zip(relative + anchor_rating, half, strict=True)
    )


def _relative_to(num_players: int, anchor: int | None) -> Matrix:
    """Return the matrix that subtracts the anchor's strength (or the mean strength) from each."""
    shift = np.eye(num_players)
    if anchor is None:
        return shift - 1.0 / num_players
    shift[:, anchor] -= 1.0
    return shift


def _fit(points: Matrix, precision: float) -> tuple[Vector, Matrix]:
    """Return the strengths that maximise the log-posterior, and its negated Hessian there."""
    games = points + points.T
    strengths = np.zeros(len(points))
    value = _log_posterior(strengths, points, precision)
    for _ in range(_MAX_STEPS):
        expected = expit(strengths[:, None] - strengths[None, :])
        gradient = (points - games * expected).sum(axis=1) - precision * strengths
        curvature = _curvature(games, expected, precision)
        step = np.linalg.solve(curvature, gradient)
        if np.abs(step).max(initial=0.0) < _SMALL:
            break
        # The posterior is concave, so some fraction of Newton's step always increases it.
        fraction = 1.0
        while fraction > _SMALL:
            candidate = strengths + fraction * step
            climbed = _log_posterior(candidate, points, precision)
            if climbed >= value:
                strengths, value = candidate, climbed
                break
            fraction /= 2.0
        else:
            break  # as high as rounding allows
    expected = expit(strengths[:, None] - strengths[None, :])
    return strengths, _curvature(games, expected, precision)


def _log_posterior(strengths: Vector, points: Matrix, precision: float) -> float:
    difference = strengths[:, None] - strengths[None, :]
    likelihood = -(points * np.logaddexp(0.0, -difference)).sum()
    return float(likelihood - 0.5 * precision * (strengths**2).sum())


def _curvature(games: Matrix, expected: Matrix, precision: float) -> Matrix:
    weights = games * expected * (1.0 - expected)
    np.fill_diagonal(weights, 0.0)
    return np.diag(weights.sum(axis=1) + precision) - weights
