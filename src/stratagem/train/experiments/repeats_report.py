"""Curves and the final table of an experiment of the form `repeats`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from stratagem.core.errors import BadSetting
from stratagem.evaluate.curves import Curve
from stratagem.evaluate.intervals import mean_interval
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
            found = mean_interval(by_run)
            base = baseline[measured.name]
            row["measures"][measured.name] = {
                "mean": round(found.mean, 3),
                "low": found.low and round(found.low, 3),
                "high": found.high and round(found.high, 3),
                "by_run": [round(value, 3) for value in by_run],
                "above_baseline": round(found.mean - mean(base), 3) if base else None,
            }
        rows.append(row)
    return {
        "name": definition.name,
        "title": definition.title,
        "source": definition.source,
        "game": definition.game_spec,
        "window": definition.window,
        "arms": rows,
    }


def write_report(
    definition: Repeats, trained: Sequence[Trained], result: dict[str, Any], out: Path
) -> Path:
    """report.md and its pictures."""
    from stratagem.evaluate.figures import draw_curves  # matplotlib loads slowly

    report = Report(definition.title)
    report.paragraph(
        f"After {definition.source or 'no paper'}. {definition.game_spec}, preset "
        f"{definition.preset}, seeds from {result['seed']}. Every number is the mean over the last "
        f"{definition.window} games of each run, with the 95 % interval of the mean over the runs."
    )
    columns = ["arm", "runs", *(m.title for m in definition.measures), "paper", "games",
               "decisions", "steps", "minutes"]  # fmt: skip
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


def _table_row(definition: Repeats, row: dict[str, Any]) -> list[Cell]:
    cells: list[Cell] = [row["title"] or row["arm"], row["runs"]]
    for measured in definition.measures:
        found = row["measures"][measured.name]
        text = f"{found['mean']:.2f}"
        if found["low"] is not None:
            text += f" ± {found['high'] - found['mean']:.2f}"
        cells.append(text)
    return [*cells, row["paper"], row["games"], row["decisions"], row["steps"],
            f"{row['seconds'] / 60:.1f}"]  # fmt: skip


def _by_run(
    definition: Repeats, trained: Sequence[Trained], arm: str, measured: Measured
) -> list[float]:
    """The mean over the last games of each run of an arm."""
    return [
        mean(one.games(measured.name)[-definition.window :])
        for one in trained
        if one.arm.name == arm
    ]
