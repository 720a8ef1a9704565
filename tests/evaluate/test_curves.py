"""Curves from metrics rows."""

import pytest

from stratagem.evaluate.curves import (
    Curve,
    curve_from_metrics,
    exponential_mean,
    mean_curve,
)

ROWS = [
    {"iteration": 1, "loss": 3.0, "low": 2.5, "high": 3.5},
    {"iteration": 2, "note": "no loss here"},
    {"iteration": 3, "loss": None},
    {"iteration": 4, "loss": 1.0, "low": 0.5, "high": 1.5},
]


def test_rows_without_the_number_are_skipped() -> None:
    curve = curve_from_metrics(ROWS, "iteration", "loss", band=("low", "high"))
    assert curve == Curve("loss", (1.0, 4.0), (3.0, 1.0), (2.5, 0.5), (3.5, 1.5))
    assert curve_from_metrics(ROWS, "iteration", "absent") == Curve("absent", (), ())


def test_smoothing() -> None:
    assert exponential_mean([1.0, 5.0], 0.0) == (1.0, 5.0)
    assert exponential_mean([4.0] * 5, 0.9) == pytest.approx((4.0,) * 5)
    assert exponential_mean([0.0, 3.0], 0.5) == pytest.approx((0.0, 2.0))
    with pytest.raises(ValueError, match="smoothing"):
        exponential_mean([1.0], 1.0)


def test_mean_over_runs() -> None:
    runs = [Curve("a", (0.0, 1.0, 2.0), (0.0, 1.0, 2.0)), Curve("b", (0.0, 2.0), (2.0, 4.0))]
    curve = mean_curve(runs, "both")
    assert curve.x == (0.0, 1.0, 2.0)
    assert curve.y == pytest.approx((1.0, 2.0, 3.0))
    assert curve.low[0] < 1.0 < curve.high[0]
    assert mean_curve(runs[:1], "one").low == ()
    assert mean_curve([], "none") == Curve("none", (), ())
