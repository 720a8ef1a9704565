"""Intervals against published values and against simulation."""

import numpy as np
import pytest
from scipy.stats import binomtest

from stratagem.evaluate.intervals import (
    accept_by_wilson,
    difference_interval,
    mean_interval,
    wilson,
)


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [
        (8 / 10, 10, 0.4902, 0.9433),
        # Newcombe (1998), table I, method 3
        (81 / 263, 263, 0.2553, 0.3662),
        (15 / 148, 148, 0.0624, 0.1605),
        (0 / 20, 20, 0.0, 0.1611),
        (1 / 29, 29, 0.0061, 0.1718),
    ],
)
def test_published_values(score: float, games: int, low: float, high: float) -> None:
    assert wilson(score, games) == pytest.approx((low, high), abs=5.1e-5)


@pytest.mark.parametrize(("wins", "games"), [(0, 3), (1, 4), (17, 40), (396, 400), (9, 9)])
def test_agrees_with_scipy(wins: int, games: int) -> None:
    theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson(wins / games, games) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_ends() -> None:
    assert wilson(0.5, 0) == (0.0, 1.0)
    assert wilson(1.0, 7)[1] == 1.0
    assert wilson(0.0, 7)[0] == 0.0
    low, high = wilson(0.3, 50)
    assert wilson(0.7, 50) == pytest.approx((1 - high, 1 - low))


def test_more_games_and_less_confidence_are_narrower() -> None:
    def width(pair: tuple[float, float]) -> float:
        return pair[1] - pair[0]

    assert width(wilson(0.6, 400)) < width(wilson(0.6, 100))
    assert width(wilson(0.6, 100, 0.80)) < width(wilson(0.6, 100, 0.95))


def test_covers_a_score_with_draws() -> None:
    generator = np.random.default_rng(1)
    results = generator.choice([1.0, 0.5, 0.0], p=[0.5, 0.2, 0.3], size=(2000, 100)).mean(axis=1)
    covered = [low <= 0.6 <= high for low, high in (wilson(float(score), 100) for score in results)]
    assert np.mean(covered) > 0.94


def test_acceptance_needs_the_lower_bound() -> None:
    assert not accept_by_wilson(0.58, 100, 0.50)
    assert accept_by_wilson(0.58, 1000, 0.50)
    assert not accept_by_wilson(0.58, 1000, 0.56)
    assert not accept_by_wilson(1.0, 0, 0.5)


def test_mean_of_values() -> None:
    value = mean_interval([1.0, 2.0, 3.0, 4.0])
    # Student's t with three degrees of freedom: 3.1824; standard error sqrt(5/3/4).
    assert (value.mean, value.count) == (2.5, 4)
    assert value.high == pytest.approx(2.5 + 3.182446 * np.sqrt(5 / 12), abs=1e-5)
    assert value.low == pytest.approx(2.5 - 3.182446 * np.sqrt(5 / 12), abs=1e-5)


def test_one_value_has_no_interval() -> None:
    value = mean_interval([3.0])
    assert (value.mean, value.low, value.high) == (3.0, None, None)
    with pytest.raises(ValueError, match="at least one"):
        mean_interval([])


def test_difference_of_means_as_scipy_has_it() -> None:
    from scipy.stats import ttest_ind

    values, others = [6.78, 6.47, 5.74, 5.76, 6.35], [5.81, 5.24, 5.66, 5.47]
    theirs = ttest_ind(values, others, equal_var=False).confidence_interval(0.95)
    value = difference_interval(values, others)
    assert value.mean == pytest.approx(np.mean(values) - np.mean(others))
    assert (value.low, value.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_difference_without_spread_has_no_interval() -> None:
    assert difference_interval([3.0], [1.0, 2.0]).low is None
    assert difference_interval([3.0, 3.0], [1.0, 1.0]).low is None
    assert difference_interval([3.0, 3.0], [1.0, 1.0]).mean == 2.0
