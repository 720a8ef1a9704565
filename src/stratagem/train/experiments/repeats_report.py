"""Curves and the final table of an experiment of the form `repeats`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from stratagem.core.errors import BadSetting
from stratagem.evaluate.curves import Curve
from stratagem.evaluate.intervals import Mean, difference_interval, mean_interval
from stratagem.evaluate.reports import Cell, Report
from stratagem.train.experiments.repeats import Measured, Repeats, Trained

_POINTS_PER_WINDOW = 4


def windowed(values: Sequence[float], window: int) -> tuple[list[int], list[float]]:
    """(games so far, mean of the last `window` of them), four points a window."""
    step = max(window // _POINTS_PER_WINDOW, 1)
    ends = list(range(window, len(values) + 1, step)) or [len(values)]
    return ends, [mean(values[max(0, end - window) : end]) for end in ends]


def band_curve(label: str, runs: Sequence[Sequence[float]], window: int) -> Curve:
    """The mean over runs with the quartiles, as far as all of them got."""
    length = min(len(run) for run in runs)
    ends, _ = windowed(runs[0][:length], window)
    lines = np.array([windowed(run[:length], window)[1] for run in runs])  # [runs, points]
    x = tuple(float(end) for end in ends)
    y = tuple(lines.mean(0).tolist())
    if len(runs) == 1:
        return Curve(label, x, y)
    low, high = np.quantile(lines, [0.25, 0.75], axis=0).tolist()
    return Curve(label, x, y, tuple(low), tuple(high))


def result_of(definition: Repeats, trained: Sequence[Trained]) -> dict[str, Any]:
    """Everything that was measured, ready for JSON."""
    if not trained:
        raise BadSetting(f"experiment {definition.name}: no run got through an iteration in time")
    baseline = {
        measured.name: _by_run(definition, trained, definition.baseline, measured)
        for measured in definition.measures
    }
    rows = []
    for arm in definition.arms:
        runs = [one for one in trained if one.arm.name == arm.name]
        if not runs:
            continue
        theirs = [row.value for row in definition.paper if row.arm == arm.name]
        row: dict[str, Any] = {
            "arm": arm.name,
            "title": arm.title,
            "runs": len(runs),
            "unfinished": sum(not one.finished for one in runs),
            "games": round(mean(one.rows[-1]["games"] for one in runs)),
            "decisions": round(mean(one.rows[-1]["decisions"] for one in runs)),
            "steps": round(mean(sum(r["steps"] for r in one.rows) for one in runs)),
            "seconds": round(mean(one.rows[-1]["seconds"] for one in runs), 1),
            "paper": theirs[0] if theirs else None,
            "measures": {},
        }
        for measured in definition.measures:
            by_run = _by_run(definition, trained, arm.name, measured)
            # Over runs, not games: those of one run share its weights and its luck.
            base = [] if arm.name == definition.baseline else baseline[measured.name]
            row["measures"][measured.name] = {
                **_rounded(mean_interval(by_run)),
                "by_run": [round(value, 3) for value in by_run],
                "above_baseline": _rounded(difference_interval(by_run, base)) if base else None,
            }
        rows.append(row)
    return {
        "name": definition.name,
        "title": definition.title,
        "source": definition.source,
        "game": definition.game_spec,
        "window": definition.window,
        "baseline": definition.baseline,
        "arms": rows,
    }


def write_report(
    definition: Repeats, trained: Sequence[Trained], result: dict[str, Any], out: Path
) -> Path:
    """report.md and its pictures."""
    from stratagem.evaluate.drawing.charts import draw_curves  # matplotlib loads slowly

    report = Report(definition.title)
    report.paragraph(
        f"After {definition.source or 'no paper'}. {definition.game_spec}, preset "
        f"{definition.preset}, seeds from {result['seed']}. Every number is the mean over the last "
        f"{definition.window} games of each run, with the 95 % interval of the mean over the runs."
    )
    measures = [column for m in definition.measures for column in _columns(definition, m)]
    columns = ["arm", "runs", *measures, "paper", "games", "decisions", "steps", "minutes"]
    report.table(columns, [_table_row(definition, row) for row in result["arms"]])
    for measured in definition.measures:
        curves = [
            band_curve(arm.title or arm.name, runs, definition.window)
            for arm in definition.arms
            if (runs := [one.games(measured.name) for one in trained if one.arm.name == arm.name])
        ]
        number = f" (the paper's {measured.figure})" if measured.figure else ""
        report.heading(f"{measured.title}{number}")
        file = draw_curves(
            curves, out / f"{measured.name}.png", measured.title, "games", measured.title
        )
        report.picture(
            file, f"Mean over {definition.window} games; the band holds the middle half of the runs"
        )
    short = [row["title"] or row["arm"] for row in result["arms"] if row["unfinished"]]
    if short:
        report.paragraph(f"Not trained to the end within the budget: {', '.join(short)}.")
    return report.write(out / "report.md")


def _columns(definition: Repeats, measured: Measured) -> list[str]:
    if not definition.baseline:
        return [measured.title]
    titles = {arm.name: arm.title or arm.name for arm in definition.arms}
    return [measured.title, f"above {titles[definition.baseline]}"]


def _table_row(definition: Repeats, row: dict[str, Any]) -> list[Cell]:
    cells: list[Cell] = [row["title"] or row["arm"], row["runs"]]
    for measured in definition.measures:
        found = row["measures"][measured.name]
        cells.append(_with_interval(found))
        if definition.baseline:
            above = found["above_baseline"]
            cells.append(_with_interval(above) if above else None)
    return [*cells, row["paper"], row["games"], row["decisions"], row["steps"],
            f"{row['seconds'] / 60:.1f}"]  # fmt: skip


def _with_interval(found: dict[str, Any]) -> str:
    if found["low"] is None:
        return f"{found['mean']:.2f}"
    return f"{found['mean']:.2f} ± {found['high'] - found['mean']:.2f}"


def _rounded(found: Mean) -> dict[str, float | None]:
    return {
        "mean": round(found.mean, 3),
        "low": None if found.low is None else round(found.low, 3),
        "high": None if found.high is None else round(found.high, 3),
    }


def _by_run(
    definition: Repeats, trained: Sequence[Trained], arm: str, measured: Measured
) -> list[float]:
    """The mean over the last games of each run of an arm."""
    return [
        mean(one.games(measured.name)[-definition.window :])
        for one in trained
        if one.arm.name == arm
    ]
