"""How the arms of an experiment learned: losses, and the acceptance of candidates, as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from stratagem.evaluate.curves import Curve, curve_from_metrics
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.measuring import Bench
from stratagem.experiments.training import TrainedArm

_LOSSES = {"policy_loss": "policy", "value_loss": "value", "loss": "total"}
_GATES = ("gate_score", "accepted")


def measure(bench: Bench) -> dict[str, list[dict[str, Any]]]:
    """Smoothed curves over iterations by metric, those that any arm has."""
    smoothing = bench.experiment.smoothing
    found = {key: loss_curves(bench.trained, name, smoothing) for key, name in _LOSSES.items()}
    found |= {key: gate_curves(bench.trained, key, smoothing) for key in _GATES}
    return {key: [asdict(curve) for curve in curves] for key, curves in found.items() if curves}


def report(page: Report, result: dict[str, Any], bench: Bench) -> None:
    """The table of arms, then the curves."""
    page.heading("Arms")
    page.table(
        ["arm", "what", "iterations", "games", "decisions", "minutes", "policy loss", "value loss",
         "candidates tested", "accepted"],
        [_arm_row(arm) for arm in result["arms"]],
    )  # fmt: skip
    figures, curves = bench.experiment.figures, result["learning"]
    page.heading(caption(figures.losses, "Losses"))
    for key, label in _LOSSES.items():
        if key in curves:
            file = bench.call.out / f"{key}.png"
            draw_curves(_read(curves[key]), file, f"{label} loss", "iteration", "loss")
            page.picture(file, f"{label} loss by iteration, moving average")
    if "gate_score" not in curves:
        return
    page.heading(caption(figures.acceptance, "Acceptance of candidates"))
    score, share = (bench.call.out / f"{name}.png" for name in ("win_rate", "acceptance_rate"))
    tested, accepted = _read(curves["gate_score"]), _read(curves["accepted"])
    draw_curves(tested, score, "score of candidates", "iteration", "score", 0.5)
    page.picture(score, "(a) Score of candidates against accepted networks, moving average")
    draw_curves(accepted, share, "acceptance rate", "iteration", "share accepted")
    page.picture(share, "(b) Share of candidates that were accepted, moving average")


def loss_curves(trained: Sequence[TrainedArm], name: str, smoothing: float) -> list[Curve]:
    """One loss of every arm that has it, from the first iteration that trained on."""
    curves = [
        curve_from_metrics(
            [{"at": row.iteration, **row.losses} for row in one.rows], "at", name, one.arm.name,
            smoothing=smoothing,
        )
        for one in trained
    ]  # fmt: skip
    return [curve for curve in curves if curve.x]


def gate_curves(trained: Sequence[TrainedArm], key: str, smoothing: float) -> list[Curve]:
    """`gate_score` or `accepted` over the tested candidates of every arm that tests them."""
    curves = []
    for one in trained:
        rows = [
            {"at": row.iteration, "gate_score": gate.score, "accepted": float(gate.accepted)}
            for row in one.rows
            if (gate := row.gate) is not None
        ]
        if rows:
            curves.append(curve_from_metrics(rows, "at", key, one.arm.name, None, smoothing))
    return curves


def caption(number: str, text: str) -> str:
    """A heading with the number that the paper's table or figure has."""
    return f"{text} (the paper's {number[0].lower()}{number[1:]})" if number else text


def _arm_row(arm: dict[str, Any]) -> list[Cell]:
    losses = arm["losses"]
    return [
        arm["name"], arm["title"], arm["iterations"], arm["games"], arm["decisions"],
        f"{arm['seconds'] / 60:.1f}", losses.get("policy"), losses.get("value"),
        arm["candidates_tested"], arm["acceptance_rate"],
    ]  # fmt: skip


def _read(curves: Sequence[dict[str, Any]]) -> list[Curve]:
    return [Curve(**curve) for curve in curves]
