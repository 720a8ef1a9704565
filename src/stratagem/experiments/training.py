"""Trains the runs of an experiment: starts them, or resumes them where an earlier call stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.experiments.arms import Arm
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import IterationMetrics
from stratagem.runs.start import check_same_run, start_or_resume
from stratagem.train.algorithms import make_trainer
from stratagem.train.progress import RunProgress
from stratagem.train.settings import RunSettings, check_settings, read_settings
from stratagem.train.trainer import OnIteration, Trainer


@dataclass(frozen=True)
class TrainedArm:
    """One run of an arm, with the iterations that it has finished."""

    arm: Arm
    folder: RunFolder
    rows: tuple[IterationMetrics, ...]  # one per iteration
    number: int = 0  # of its seed, among the arm's runs

    @property
    def finished(self) -> bool:
        return bool(self.rows) and self.rows[-1].progress >= 1.0

    def summary(self) -> dict[str, Any]:
        """Return what the result file says about the run."""
        last = self.rows[-1]
        tested = [row.gate for row in self.rows if row.gate is not None]
        accepted = sum(gate.accepted for gate in tested)
        return {
            "name": self.arm.name,
            "title": self.arm.title,
            "seed": self.folder.settings()["seed"],
            "commit": self.folder.provenance().commit,
            "iterations": last.iteration,
            "seconds": last.seconds,
            "games": last.games,
            "decisions": last.decisions,
            "losses": last.losses,
            "candidates_tested": len(tested),
            "acceptance_rate": accepted / len(tested) if tested else None,
            "gate_games": sum(gate.games for gate in tested),
        }


class _TimeIsUp(Exception):
    """Ends a run between two iterations."""


def train_arm(
    arm: Arm,
    settings: RunSettings,
    path: Path,
    on_iteration: OnIteration = lambda metrics: None,
    deadline: float | None = None,
) -> TrainedArm:
    """Train to the end of the budget or the deadline (of `time.time`); only read finished runs."""
    folder = RunFolder(path)
    if folder.exists():
        settings = with_threads_of(folder, settings)
        # A budget grows, never shrinks: a run that was trained longer is used as it is.
        budget = max(check_same_run(folder, settings).budget_seconds, settings.budget_seconds)
        settings = settings.model_copy(update={"budget_seconds": budget})
    if is_finished(folder, settings):
        return read_run(arm, path)

    def report(metrics: IterationMetrics) -> None:
        on_iteration(metrics)
        if deadline is not None and time.time() >= deadline:
            raise _TimeIsUp

    def make(folder: RunFolder) -> Trainer[Any, Any]:
        return make_trainer(settings, folder, report)

    with suppress(_TimeIsUp), start_or_resume(path, settings, make) as trainer:
        trainer.run()
    return read_run(arm, path)


def with_threads_of(folder: RunFolder, settings: RunSettings) -> RunSettings:
    """Return these settings with the numbers of workers and threads that a run was started with.

    They come from the machine, and a run may be resumed with fewer cores.
    """
    values, before = settings.model_dump(mode="json"), folder.settings()
    for name, section in values.items():
        if isinstance(section, dict):
            known = before.get(name, {})
            section |= {key: known[key] for key in ("workers", "threads") if key in known}
    return check_settings(values, str(folder.path))


def read_run(arm: Arm, path: Path, number: int = 0) -> TrainedArm:
    """Read what an earlier call left in this folder, if anything."""
    folder = RunFolder(path)
    return TrainedArm(arm, folder, tuple(folder.metrics()), number)


def is_finished(folder: RunFolder, settings: RunSettings) -> bool:
    """Whether a run has reached the limits of these settings; refuse one with other settings."""
    if not folder.exists():
        return False
    check_same_run(folder, settings)
    rows = folder.metrics()
    if not rows or rows[-1].progress < 1.0:
        return False
    done = RunProgress(
        iteration=rows[-1].iteration,
        seconds=rows[-1].seconds,
        ended_budget=rows[-1].budget_seconds,
    )
    return done.share(settings) >= 1.0


def starting_network(path: Path, before: TrainedArm) -> str:
    """Return the last network of the previous arm, or what an existing run started from."""
    folder = RunFolder(path)
    if folder.exists():
        return read_settings(folder).start
    return str(before.folder.step_folder(before.folder.latest()))


def iteration_at(
    rows: Sequence[IterationMetrics], share: float, accepted: bool, last: int | None = None
) -> int:
    """Return the iteration that ended nearest to this share of the time, or the last accepted one.

    If `last` is given, the share is of that many iterations instead.
    """
    if last is None:
        wanted = share * rows[-1].seconds
        nearest = min(rows, key=lambda row: abs(row.seconds - wanted))
    else:
        nearest = min(rows, key=lambda row: abs(row.iteration - share * last))
    if not accepted:
        return nearest.iteration
    taken = [row.iteration for row in rows if row.accepted and row.iteration <= nearest.iteration]
    return taken[-1] if taken else rows[0].iteration


def agent_spec(run: TrainedArm) -> str:
    """Return the spec of the agent that a run produces."""
    return read_settings(run.folder).agent.replace("{run}", str(run.folder.path))
