"""The tables of docs/scaling.md, from the measurements of `benchmarks/scaling.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Rows = list[Sequence[str]]


def worker_rows(found: Mapping[str, Any]) -> Rows:
    """Self-play by backend and number of workers, relative to one thread."""
    alone = found["rates"]["threads-1"]["decisions_per_s"]
    return [
        (_named(name), f"{rate['decisions_per_s']:,.0f}", f"{rate['decisions_per_s'] / alone:.2f}")
        for name, rate in {**found["rates"], **found.get("cluster", {})}.items()
    ]


def process_rows(found: Mapping[str, Any]) -> Rows:
    """What a process costs, and what losing one costs."""
    workers, cores = found["workers"], found["machine"]["cores"]
    rates = {name: rate["decisions_per_s"] for name, rate in found["rates"].items()}
    ratio = rates[f"processes-{cores}"] / rates[f"threads-{cores}"]
    return [
        (f"self-play speed of {cores} processes relative to {cores} threads", f"{ratio:.2f}"),
        ("memory per worker", f"{max(workers['memory_mb'])} MB"),
        ("from SIGKILL to the replacement's first answer", f"{workers['replaced_in_s']:.1f} s"),
        ("round trip of an empty call", f"{1000 * workers['message_s']:.1f} ms"),
    ]


def cost_rows(found: Mapping[str, Any]) -> Rows:
    """The measured costs that the model uses."""
    costs = found["costs"]
    return [
        ("a decision, other cores idle", f"{1000 * costs['decision']:.2f} ms"),
        ("a decision, all cores busy", f"{1000 * costs['decision_busy']:.2f} ms"),
        ("learning, per new decision", f"{1000 * costs['learn']:.2f} ms"),
        ("collecting a decision", f"{1e6 * costs['take']:.1f} µs"),
        ("checkpoint and metrics, per iteration", f"{1000 * costs['iteration']:.0f} ms"),
        ("weights", f"{costs['weights_bytes'] / 1e6:.2f} MB"),
        ("training sample of a decision", f"{costs['decision_bytes']:.0f} bytes"),
    ]


def experiment_rows(found: Mapping[str, Any]) -> Rows:
    """Independent runs, one per core."""
    return [
        (f"{row['machines']:,}", f"{row['runs']:,}", f"{100 * row['efficiency']:.0f} %")
        for row in found["experiment"]
    ]


def model_rows(found: Mapping[str, Any]) -> Rows:
    """Whole iterations, measured and modelled."""
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
    """What the model predicts for larger clusters."""
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
    where = "Ray, one-core nodes" if backend == "ray" else backend
    return f"{where}: {workers}" + (f", {mode[0]}" if mode else "")
