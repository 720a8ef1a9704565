"""The tables of docs/scaling.md, from what `benchmarks/scaling.py` measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Rows = list[Sequence[str]]


def worker_rows(found: Mapping[str, Any]) -> Rows:
    """Self-play by backend and number of workers, beside one thread."""
    alone = found["rates"]["threads-1"]["decisions_per_s"]
    return [
        (_named(name), f"{rate['decisions_per_s']:,.0f}", f"{rate['decisions_per_s'] / alone:.2f}")
        for name, rate in {**found["rates"], **found.get("cluster", {})}.items()
    ]


def model_rows(found: Mapping[str, Any]) -> Rows:
    """Whole iterations, as measured and as the model has them."""
    return [
        (
            _named(row["point"]),
            f"{row['measured']:,.0f}",
            f"{row['model']:,.0f}",
            f"{100 * row['error']:+.0f} %",
        )
        for row in found["checked"]
    ]


def prediction_rows(found: Mapping[str, Any]) -> Rows:
    """What the model says of clusters that were never there."""
    return [
        (
            f"{row['machines']:,}",
            row["cards"],
            row["mode"],
            f"{row['decisions_per_s']:,}",
            f"{100 * row['efficiency']:.0f} %",
            row["bottleneck"],
        )
        for row in found["predictions"]
    ]


def _named(point: str) -> str:
    """`processes-2-asynchronous` as a person would say it."""
    backend, workers, *mode = point.split("-")
    where = "Ray, nodes of one core" if backend == "ray" else backend
    return f"{where}: {workers}" + (f", {mode[0]}" if mode else "")
