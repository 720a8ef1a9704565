"""Form `repeats`: every arm is trained several times, and its games are averaged along the way.

Each arm runs to its own number of iterations, once per seed; the budget only ends it early. Seeds
go round by round, so that a short budget gives every arm fewer seeds and none of them half a curve.
A curve is the mean over a window of games, with the middle half of the seeds as its band.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import game_folders
from stratagem.core.scenario import explain
from stratagem.core.scenario_files import default_scenario
from stratagem.runs.folder import RunFolder
from stratagem.runs.start import check_same_run, start_or_resume
from stratagem.train.experiments.definition import Arm, merge
from stratagem.train.experiments.forms import Say
from stratagem.train.experiments.processes import run_jobs
from stratagem.train.settings import RunSettings, check_settings, resolve_settings


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(_Part):
    """A number of every game that becomes a figure and a column."""

    name: str = Field(description="as the metrics call it")
    title: str = Field(description="what it is, for people")
    figure: str = Field("", description="its number in the paper")


class PaperValue(_Part):
    arm: str
    value: float = Field(description="at the end of the training")


class Repeats(_Part):
    """One file, complete."""

    form: Literal["repeats"]
    title: str
    source: str = Field("", description="what is made again, and where it stands")
    scenario: str = Field("", description="of the game; empty: its default")
    preset: str = "default"
    settings: dict[str, Any] = Field(default_factory=dict, description="changes for every arm")
    arms: tuple[Arm, ...] = Field(min_length=1)
    seeds: int = Field(5, ge=1, description="runs of each arm")
    window: int = Field(100, ge=1, description="games that a point of a curve is the mean of")
    measures: tuple[Measured, ...] = Field(min_length=1)
    baseline: str = Field("", description="arm that the others are compared with")
    paper: tuple[PaperValue, ...] = ()
    name: str = Field(description="game/file")

    @model_validator(mode="after")
    def _arms_hold_together(self) -> Repeats:
        names = [arm.name for arm in self.arms]
        if len(set(names)) < len(names):
            raise ValueError("arms need different names")
        for name in (*(row.arm for row in self.paper), *filter(None, [self.baseline])):
            if name not in names:
                raise ValueError(f"no arm {name!r}")
        return self

    @property
    def game_spec(self) -> str:
        folder = game_folders()[self.name.partition("/")[0]]
        return f"{folder.name}/{self.scenario or default_scenario(folder)}"

    def arm_settings(self, arm: Arm, seed: int) -> RunSettings:
        """The run of one arm: preset, then the experiment's changes, then the arm's."""
        folder = game_folders()[self.name.partition("/")[0]]
        preset = resolve_settings(self.game_spec, folder, arm.preset or self.preset)
        values = merge(merge(preset.model_dump(mode="json"), self.settings), arm.settings)
        values |= {"seed": seed, "budget_seconds": 0.0}
        where = f"experiment {self.name}, arm {arm.name}"
        settings = check_settings(values, where)
        if not settings.iterations:
            raise BadSetting(f"{where}: say how many iterations")
        return settings


@dataclass(frozen=True)
class Trained:
    """One run of an arm, as far as it got."""

    arm: Arm
    path: Path
    rows: tuple[dict[str, Any], ...]
    finished: bool

    def games(self, measure: str) -> list[float]:
        """The measure of every game, in the order in which they ended."""
        return [value for row in self.rows for value in row["episodes"][measure]]


class _TimeIsUp(Exception):
    """Ends a run between two iterations."""


def check(name: str, values: Mapping[str, Any]) -> Repeats:
    """The file as a definition; every arm's settings are checked too."""
    try:
        definition = Repeats.model_validate({**values, "name": name})
    except ValidationError as error:
        raise BadSetting(f"experiment {name}: {explain(error)}") from None
    for arm in definition.arms:
        definition.arm_settings(arm, 0)
    return definition


def run(
    name: str, values: Mapping[str, Any], budget_seconds: float, out: Path, seed: int, progress: Say
) -> dict[str, Any]:
    """Train what is missing, then write result.json, report.md and its pictures."""
    from stratagem.train.experiments.repeats_report import result_of, write_report

    definition = check(name, values)
    began = time.time()
    trained = train_all(definition, out, seed, began + budget_seconds, progress)
    result = result_of(definition, trained)
    result |= {"seed": seed, "seconds": round(time.time() - began, 1)}
    write_report(definition, trained, result, out)
    text = json.dumps(result, indent=2)
    write_atomically(out / "result.json", text + "\n")
    progress(f"report: {out / 'report.md'}")
    written: dict[str, Any] = json.loads(text)
    return written


def train_all(
    definition: Repeats, out: Path, seed: int, deadline: float, say: Say
) -> list[Trained]:
    """Every arm with every seed, a run on each core; what is finished is not done again."""
    jobs = [(arm, number) for number in range(definition.seeds) for arm in definition.arms]
    todo = []
    for arm, number in jobs:
        path = run_path(out, arm.name, number)
        settings = definition.arm_settings(arm, seed + number)
        if not _is_finished(path, settings):
            todo.append((path, settings.model_dump(mode="json"), deadline))
    done = 0

    def tell(job: int, outcome: str | StratagemError) -> None:
        nonlocal done
        done += 1
        path = todo[job][0]
        say(f"{done} of {len(todo)}: {path.parent.name} {path.name}: {outcome}")

    run_jobs(train_one, todo, tell)
    return [found for arm, number in jobs if (found := _trained(out, arm, number)) is not None]


def run_path(out: Path, arm: str, number: int) -> Path:
    return out / "runs" / arm / f"s{number}"


def train_one(path: Path, values: Mapping[str, Any], deadline: float) -> str:
    """Train one run to its end or the deadline, taking up what lies in `path`; says how far."""
    import torch

    from stratagem.train.algorithms import make_trainer

    if time.time() >= deadline:
        return "no time left"
    torch.set_num_threads(1)
    settings = check_settings(values, str(path))

    def stop(metrics: dict[str, Any]) -> None:
        if time.time() >= deadline:
            raise _TimeIsUp

    try:
        with start_or_resume(
            path, settings, lambda folder: make_trainer(settings, folder, stop)
        ) as trainer:
            trainer.run()
    except _TimeIsUp:
        return "stopped early, the budget is used up"
    return "trained"


def _is_finished(path: Path, settings: RunSettings) -> bool:
    folder = RunFolder(path)
    if not folder.exists():
        return False
    check_same_run(folder, settings)
    rows = folder.metrics()
    return bool(rows) and rows[-1]["progress"] >= 1.0


def _trained(out: Path, arm: Arm, number: int) -> Trained | None:
    path = run_path(out, arm.name, number)
    rows = RunFolder(path).metrics()
    return Trained(arm, path, tuple(rows), rows[-1]["progress"] >= 1.0) if rows else None
