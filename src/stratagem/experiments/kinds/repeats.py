"""Kind `repeats`: every arm is trained several times, and the games along the way are averaged.

Each arm runs for its own number of iterations, once per seed; the budget can only end it early.
Seeds are trained in rounds, so that a short budget gives every arm fewer seeds instead of half a
curve. A curve is the mean over a window of games, with the middle half of the seeds as its band.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, Literal

import numpy as np
import torch
from pydantic import Field, model_validator

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.settings import check_values
from stratagem.evaluate.curves import Curve, thinned
from stratagem.evaluate.drawing.charts import Bar, draw_bars, draw_curves
from stratagem.evaluate.intervals import Mean, difference_interval, mean_interval
from stratagem.evaluate.reports import Cell, Report, with_interval
from stratagem.experiments.arms import Arm, WithArms, check_names, run_path
from stratagem.experiments.call import Call
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared
from stratagem.experiments.processes import run_jobs
from stratagem.experiments.training import TrainedArm, is_finished, read_run, train_arm
from stratagem.runs.folder import RunFolder
from stratagem.train.settings import RunSettings, check_settings

_POINTS_PER_WINDOW = 4


class Measured(Part):
    """A number measured in every game, shown as a figure and a column."""

    name: str = Field(description="as the metrics call it")
    title: str = Field(description="what it is, for people")
    figure: str = Field("", description="its number in the paper")


class PaperValue(Part):
    arm: str
    value: float = Field(description="at the end of the training")


class Repeats(WithArms):
    """A complete experiment file."""

    kind: Literal["repeats"]
    arms: tuple[Arm, ...] = Field(min_length=1)
    seeds: int = Field(5, ge=1, description="runs per arm, with consecutive seeds")
    window: int = Field(100, ge=1, description="games that a point of a curve is the mean of")
    measures: tuple[Measured, ...] = Field(min_length=1)
    baseline: str = Field("", description="arm that the others are compared with")
    paper: tuple[PaperValue, ...] = ()

    @model_validator(mode="after")
    def _arms_exist(self) -> Repeats:
        used = [row.arm for row in self.paper]
        check_names(self.arms, [*used, *filter(None, [self.baseline])])
        return self

    def settings_of(self, arm: Arm, seed: int) -> RunSettings:
        """Return the settings of one run of an arm."""
        settings = self.run_settings(arm, seed=seed, budget_seconds=0.0)
        if not settings.iterations:
            raise BadSetting(
                f"experiment {self.name}, arm {arm.name}: set the number of iterations"
            )
        return settings


def read(name: str, values: Mapping[str, Any]) -> Repeats:
    """Parse and check the file, including every arm's settings."""
    definition = check_values(Repeats, {**values, "name": name}, f"experiment {name}")
    for arm in definition.arms:
        definition.settings_of(arm, 0)
    return definition


def run(definition: Repeats, call: Call) -> dict[str, Any]:
    """Train missing runs, then average."""
    return result_of(definition, train_all(definition, call, call.began + call.budget_seconds))


def compared(definition: Repeats, result: Mapping[str, Any]) -> list[Compared]:
    """Return each measure of the arms, over the last games of each run."""
    return [
        Compared(
            measured.title,
            {row["title"] or row["arm"]: row["measures"][measured.name]["by_run"]
             for row in result["arms"]},
        )
        for measured in definition.measures
    ]  # fmt: skip


def train_all(definition: Repeats, call: Call, deadline: float) -> list[TrainedArm]:
    """Train every arm with every seed, one run per core; finished runs are not repeated."""
    runs = [
        (arm, definition.settings_of(arm, call.seed + number), run_path(call.out, arm, number))
        for number in range(definition.seeds)
        for arm in definition.arms
    ]
    todo = [
        (arm, settings.model_dump(mode="json"), path, deadline)
        for arm, settings, path in runs
        if not is_finished(RunFolder(path), settings)
    ]
    done = 0

    def report(job: int, outcome: str | StratagemError) -> None:
        nonlocal done
        done += 1
        path = todo[job][2]
        call.progress(f"{done} of {len(todo)}: {path.parent.name} {path.name}: {outcome}")

    run_jobs(train_one, todo, report, call.backend)
    return [one for arm, _, path in runs if (one := read_run(arm, path)).rows]


def train_one(arm: Arm, values: Mapping[str, Any], path: Path, deadline: float) -> str:
    """Train one run to its end or the deadline; return a description of the outcome."""
    if time.time() >= deadline:
        return "no time left"
    torch.set_num_threads(1)
    trained = train_arm(arm, check_settings(values, str(path)), path, deadline=deadline)
    return "trained" if trained.finished else "stopped early because the budget is used up"


def games_of(run: TrainedArm, measure: str) -> list[float]:
    """Return the measure for every game, in the order in which the games ended."""
    return [value for row in run.rows for value in row.details["episodes"][measure]]


def windowed(values: Sequence[float], window: int) -> tuple[list[int], list[float]]:
    """Return (games so far, mean of the last `window` of them), four points per window."""
    step = max(window // _POINTS_PER_WINDOW, 1)
    ends = list(range(window, len(values) + 1, step)) or [len(values)]
    return ends, [mean(values[max(0, end - window) : end]) for end in ends]


def band_curve(label: str, runs: Sequence[Sequence[float]], window: int) -> Curve:
    """Average runs, with quartiles, as far as all of them got."""
    length = min(len(run) for run in runs)
    ends, _ = windowed(runs[0][:length], window)
    lines = np.array([windowed(run[:length], window)[1] for run in runs])  # [runs, points]
    x = tuple(float(end) for end in ends)
    y = tuple(lines.mean(0).tolist())
    if len(runs) == 1:
        return Curve(label, x, y)
    low, high = np.quantile(lines, [0.25, 0.75], axis=0).tolist()
    return Curve(label, x, y, tuple(low), tuple(high))


def result_of(definition: Repeats, trained: Sequence[TrainedArm]) -> dict[str, Any]:
    """Return everything that was measured, ready for JSON."""
    if not trained:
        raise BadSetting(
            f"experiment {definition.name}: no run finished an iteration in time: use a larger "
            f"--budget"
        )
    by_arm = {
        arm.name: runs
        for arm in definition.arms
        if (runs := [one for one in trained if one.arm.name == arm.name])
    }
    baseline = by_arm.get(definition.baseline, [])
    return {
        "game": definition.game_spec,
        "seeds": definition.seeds,
        "window": definition.window,
        "baseline": definition.baseline,
        "arms": [_arm_result(definition, runs, baseline) for runs in by_arm.values()],
        "curves": {
            measured.name: [
                asdict(
                    thinned(
                        band_curve(
                            runs[0].arm.title or name,
                            [games_of(one, measured.name) for one in runs],
                            definition.window,
                        )
                    )
                )
                for name, runs in by_arm.items()
            ]
            for measured in definition.measures
        },
    }


def _arm_result(
    definition: Repeats, runs: Sequence[TrainedArm], baseline: Sequence[TrainedArm]
) -> dict[str, Any]:
    arm = runs[0].arm
    last = [one.rows[-1] for one in runs]
    row: dict[str, Any] = {
        "arm": arm.name,
        "title": arm.title,
        "runs": len(runs),
        "unfinished": sum(not one.finished for one in runs),
        "games": round(mean(one.games for one in last)),
        "decisions": round(mean(one.decisions for one in last)),
        "steps": round(mean(sum(r.steps for r in one.rows) for one in runs)),
        "seconds": round(mean(one.seconds for one in last), 1),
        "paper": next((one.value for one in definition.paper if one.arm == arm.name), None),
        "measures": {},
    }
    for measured in definition.measures:
        by_run = _by_run(definition, runs, measured)
        # Over runs, not games: those of one run share its weights and its luck.
        base = [] if arm.name == definition.baseline else _by_run(definition, baseline, measured)
        row["measures"][measured.name] = {
            **_rounded(mean_interval(by_run)),
            "by_run": [round(value, 3) for value in by_run],
            "above_baseline": _rounded(difference_interval(by_run, base)) if base else None,
        }
    return row


def _by_run(definition: Repeats, runs: Sequence[TrainedArm], measured: Measured) -> list[float]:
    """Return the mean over the last games of each run."""
    return [mean(games_of(one, measured.name)[-definition.window :]) for one in runs]


def write(definition: Repeats, result: Mapping[str, Any], page: Report) -> None:
    """Write the final table, then a figure for each measure."""
    page.paragraph(
        f"Points are means over the last {definition.window} games of each run, with 95 % "
        f"intervals over runs."
    )
    measures = [column for m in definition.measures for column in _columns(definition, m)]
    columns = ["arm", "runs", *measures, "paper", "games", "decisions", "steps", "minutes"]
    page.table(columns, [_table_row(definition, row) for row in result["arms"]])
    for measured in definition.measures:
        number = f" (the paper's {measured.figure})" if measured.figure else ""
        page.heading(f"{measured.title[:1].upper()}{measured.title[1:]}{number}")
        bars = partial(_draw_bars, rows=result["arms"], measured=measured)
        page.figure(f"{measured.name}_bars", "Means over runs with 95 % intervals", bars)
        curves = [Curve(**curve) for curve in result.get("curves", {}).get(measured.name, ())]
        if curves:  # older results have no curves
            page.figure(
                measured.name,
                f"Mean over {definition.window} games; the band shows the middle half of the runs",
                partial(_draw, curves=curves, title=measured.title),
            )
    short = [row["title"] or row["arm"] for row in result["arms"] if row["unfinished"]]
    if short:
        page.paragraph(f"Not fully trained within the budget: {', '.join(short)}.")


def _draw(file: Path, curves: Sequence[Curve], title: str) -> None:
    draw_curves(curves, file, title, "games", title)


def _draw_bars(file: Path, rows: Sequence[dict[str, Any]], measured: Measured) -> None:
    bars = []
    for row in rows:
        found = row["measures"][measured.name]
        paper = row["paper"] if measured.figure else None
        label = row["title"] or row["arm"]
        bars.append(Bar(label, found["mean"], found["low"], found["high"], paper))
    draw_bars(bars, file, measured.title)


def _columns(definition: Repeats, measured: Measured) -> list[str]:
    if not definition.baseline:
        return [measured.title]
    titles = {arm.name: arm.title or arm.name for arm in definition.arms}
    return [measured.title, f"above {titles[definition.baseline]}"]


def _table_row(definition: Repeats, row: dict[str, Any]) -> list[Cell]:
    cells: list[Cell] = [row["title"] or row["arm"], row["runs"]]
    for measured in definition.measures:
        found = row["measures"][measured.name]
        cells.append(with_interval(found["mean"], found["high"], 2))
        if definition.baseline:
            above = found["above_baseline"]
            cells.append(with_interval(above["mean"], above["high"], 2) if above else None)
    return [*cells, row["paper"], row["games"], row["decisions"], row["steps"],
            f"{row['seconds'] / 60:.1f}"]  # fmt: skip


def _rounded(found: Mean) -> dict[str, float | None]:
    return {
        key: None if value is None else round(value, 3)
        for key, value in (("mean", found.mean), ("low", found.low), ("high", found.high))
    }
