"""Training curves: numbers from metrics rows, smoothed and averaged over runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stratagem.evaluate.intervals import mean_interval


@dataclass(frozen=True)
class Curve:
    """Points to connect by a line, with a band around it if `low` and `high` are given."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


def curve_from_metrics(
    rows: Iterable[Mapping[str, Any]],
    x: str,
    y: str,
    label: str | None = None,
    band: tuple[str, str] | None = None,
    smoothing: float = 0.0,
) -> Curve:
    """Return the column `y` over `x`, from the rows that have both (and both ends of the band)."""
    wanted = [x, y, *(band or ())]
    found = [
        [row[key] for key in wanted] for row in rows if all(_is_number(row, k) for k in wanted)
    ]
    columns = [tuple(map(float, column)) for column in zip(*found, strict=True)]
    if not columns:
        return Curve(label or y, (), ())
    smooth = [exponential_mean(column, smoothing) for column in columns[1:]]
    return Curve(label or y, columns[0], *smooth)


def exponential_mean(values: Sequence[float], smoothing: float) -> tuple[float, ...]:
    """Return the exponential moving average; smoothing 0 changes nothing, near 1 flattens."""
    if not 0.0 <= smoothing < 1.0:
        raise ValueError(f"smoothing must lie in [0, 1), got {smoothing}")
    smooth: list[float] = []
    # Weights are tracked along with the sum, so the first values are not pulled towards zero.
    total = weight = 0.0
    for value in values:
        total = smoothing * total + (1.0 - smoothing) * value
        weight = smoothing * weight + (1.0 - smoothing)
        smooth.append(total / weight)
    return tuple(smooth)


def mean_curve(curves: Sequence[Curve], label: str) -> Curve:
    """Average runs at the first run's points that all of them reach, with a 95 % interval."""
    if not curves or not all(curve.x for curve in curves):
        return Curve(label, (), ())
    first = max(curve.x[0] for curve in curves)
    last = min(curve.x[-1] for curve in curves)
    x = tuple(value for value in curves[0].x if first <= value <= last)
    columns = np.array([np.interp(x, curve.x, curve.y) for curve in curves])  # [runs, points]
    means = [mean_interval([float(value) for value in column]) for column in columns.T]
    y = tuple(one.mean for one in means)
    if len(curves) == 1:
        return Curve(label, x, y)
    low = tuple(one.mean if one.low is None else one.low for one in means)
    high = tuple(one.mean if one.high is None else one.high for one in means)
    return Curve(label, x, y, low, high)


def thinned(curve: Curve, most: int = 120, digits: int = 5) -> Curve:
    """Reduce a curve for a result file: few points, rounded, both ends kept."""
    count = len(curve.x)
    kept = np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))

    def some(values: Sequence[float]) -> tuple[float, ...]:
        return tuple(float(f"{values[place]:.{digits}g}") for place in kept) if values else ()

    return Curve(curve.label, some(curve.x), some(curve.y), some(curve.low), some(curve.high))


def _is_number(row: Mapping[str, Any], key: str) -> bool:
    value = row.get(key)
    return isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
