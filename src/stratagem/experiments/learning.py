"""How the arms of an experiment learned: losses, and the acceptance of candidates, as curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from statistics import mean
from typing import Any

from stratagem.evaluate.curves import Curve, curve_from_metrics, mean_curve, thinned
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.definition import Experiment
from stratagem.experiments.measuring import Bench
from stratagem.experiments.training import TrainedArm

_LOSSES = {"policy_loss": "policy", "value_loss": "value", "loss": "total"}
_GATES = ("gate_score", "accepted")


def measure(bench: Bench) -> dict[str, list[dict[str, Any]]]:
    """Return smoothed curves over iterations by metric, averaged over runs."""
    smoothing = bench.experiment.smoothing
    found = {key: [_loss_curve(one, name, smoothing) for one in bench.trained]
             for key, name in _LOSSES.items()}  # fmt: skip
    found |= {key: [_gate_curve(one, key, smoothing) for one in bench.trained] for key in _GATES}
    return {
        key: [asdict(curve) for curve in curves]
        for key, every in found.items()
        if (curves := _over_runs(bench.trained, every))
    }


def _over_runs(trained: Sequence[TrainedArm], curves: Sequence[Curve]) -> list[Curve]:
    """Return one curve for each arm that has any: the mean over its runs, with 95 % interval."""
    by_arm: dict[str, list[Curve]] = {}
    for one, curve in zip(trained, curves, strict=True):
        if curve.x:
            by_arm.setdefault(one.arm.name, []).append(curve)
    return [thinned(mean_curve(every, arm)) for arm, every in by_arm.items()]


def report(page: Report, result: Mapping[str, Any], experiment: Experiment) -> None:
    """Write the table of arms, then the curves."""
    page.heading("Arms")
    page.table(
        ["arm", "description", "seeds", "iterations", "games", "decisions", "minutes",
         "policy loss", "value loss", "candidates tested", "accepted", "test games"],
        [_arm_row(runs) for runs in _by_arm(result["arms"]).values()],
    )  # fmt: skip
    figures, curves = experiment.figures, result["learning"]
    page.heading(caption(figures.losses, "Losses"))
    for key, label in _LOSSES.items():
        if key in curves:
            text = f"{label.capitalize()} loss by iteration (moving average, mean over runs)"
            _figure(page, key, text, curves[key], f"{label} loss", "loss", None)
    if "gate_score" not in curves:
        return
    page.heading(caption(figures.acceptance, "Acceptance of candidates"))
    text = "(a) Score of candidates against the accepted network (moving average)"
    _figure(page, "win_rate", text, curves["gate_score"], "score of candidates", "score", 0.5)
    text = "(b) Share of candidates that were accepted (moving average)"
    _figure(page, "acceptance_rate", text, curves["accepted"], "acceptance rate", "share", None)


def _figure(
    page: Report, name: str, text: str, curves: Sequence[dict[str, Any]], title: str, y: str,
    level: float | None,
) -> None:  # fmt: skip
    drawn = [Curve(**curve) for curve in curves]
    page.figure(
        name, text, lambda file: draw_curves(drawn, file, title, "iteration", y, level=level)
    )


def _loss_curve(one: TrainedArm, name: str, smoothing: float) -> Curve:
    """Return one loss of a run, from the first iteration that trained on."""
    rows = [{"at": row.iteration, **row.losses} for row in one.rows]
    return curve_from_metrics(rows, "at", name, one.arm.name, smoothing=smoothing)


def _gate_curve(one: TrainedArm, key: str, smoothing: float) -> Curve:
    """Return `gate_score` or `accepted` over the tested candidates of a run."""
    rows = [
        {"at": row.iteration, "gate_score": gate.score, "accepted": float(gate.accepted)}
        for row in one.rows
        if (gate := row.gate) is not None
    ]
    return curve_from_metrics(rows, "at", key, one.arm.name, None, smoothing)


def caption(number: str, text: str) -> str:
    """Return a heading with the number of the paper's table or figure."""
    return f"{text} (the paper's {number[0].lower()}{number[1:]})" if number else text


def _by_arm(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(row)
    return found


def _arm_row(runs: Sequence[dict[str, Any]]) -> list[Cell]:
    """Return means over the runs of an arm."""

    def over_runs(values: Iterable[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return mean(known) if known else None

    def count(key: str) -> int:
        return round(over_runs(run[key] for run in runs) or 0)

    return [
        runs[0]["name"], runs[0]["title"], len(runs), count("iterations"), count("games"),
        count("decisions"), f"{mean(run['seconds'] for run in runs) / 60:.1f}",
        over_runs(run["losses"].get("policy") for run in runs),
        over_runs(run["losses"].get("value") for run in runs), count("candidates_tested"),
        over_runs(run["acceptance_rate"] for run in runs), count("gate_games"),
    ]  # fmt: skip
