"""Training the arms of an experiment, one run folder each; what is finished is not done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.runs.folder import RunFolder
from stratagem.runs.start import check_same_run, start_or_resume
from stratagem.train.algorithms import make_trainer
from stratagem.train.experiments.definition import Arm, Experiment
from stratagem.train.settings import RunSettings, read_settings

Say = Callable[[str], None]


@dataclass(frozen=True)
class TrainedArm:
    """An arm whose budget is used up."""

    arm: Arm
    settings: RunSettings
    folder: RunFolder
    rows: tuple[dict[str, Any], ...]  # metrics, one per iteration

    def summary(self) -> dict[str, Any]:
        """What the result file says about it."""
        last = self.rows[-1]
        tested = [row for row in self.rows if row["gate_games"] > 0]
        accepted = sum(row["accepted"] for row in tested)
        return {
            "name": self.arm.name,
            "title": self.arm.title,
            "run": str(self.folder.path),
            "iterations": last["iteration"],
            "seconds": last["seconds"],
            "games": last["games"],
            "decisions": last["decisions"],
            "loss": last["loss"],
            "policy_loss": last["policy_loss"],
            "value_loss": last["value_loss"],
            "candidates_tested": len(tested),
            "acceptance_rate": accepted / len(tested) if tested else None,
        }


@dataclass(frozen=True)
class Model:
    """A network of an arm that takes part in the tournament."""

    name: str
    arm: str
    share: float  # of the arm's training time that was asked for
    iteration: int
    checkpoint: Path


def train_arms(
    experiment: Experiment, seconds: float, seed: int, path: Path, say: Say
) -> list[TrainedArm]:
    """Train every arm for its part of the time; one that comes after another starts from it."""
    whole = sum(arm.share for arm in experiment.arms)
    trained: dict[str, TrainedArm] = {}
    for number, arm in enumerate(experiment.arms, start=1):
        say(f"arm {number} of {len(experiment.arms)}: {arm.name}")
        settings = experiment.arm_settings(arm, seconds * arm.share / whole, seed)
        if arm.after:
            start = _start_of(path / arm.name, trained[arm.after].folder)
            settings = settings.model_copy(update={"start": start})
        trained[arm.name] = train_arm(arm, settings, path / arm.name, say)
    return list(trained.values())


def _start_of(path: Path, before: RunFolder) -> str:
    """The last network of the arm before, or whatever a run that exists already started from."""
    folder = RunFolder(path)
    if folder.exists():
        return read_settings(folder).start
    return str(before.step_folder(before.latest()))


def train_arm(arm: Arm, settings: RunSettings, path: Path, say: Say) -> TrainedArm:
    """Train an arm to the end of its budget, taking up what lies in `path` already."""
    folder = RunFolder(path)
    if folder.exists():
        # A budget grows, never shrinks: what was trained longer counts as it is.
        budget = max(check_same_run(folder, settings).budget_seconds, settings.budget_seconds)
        settings = settings.model_copy(update={"budget_seconds": budget})
        rows = folder.metrics()
        if rows and rows[-1]["seconds"] >= budget:
            say(f"{arm.name}: trained already, {rows[-1]['iteration']} iterations")
            return TrainedArm(arm, settings, folder, tuple(rows))

    def report(metrics: dict[str, Any]) -> None:
        # The first iterations only fill the replay.
        loss = f"loss {metrics['loss']:.3f}" if metrics["steps"] else "no loss yet"
        done = f"{100 * metrics['progress']:.0f} %, iteration {metrics['iteration']}"
        say(f"{arm.name}: {done}, {loss}")

    with start_or_resume(
        path, settings, lambda folder: make_trainer(settings, folder, report)
    ) as trainer:
        trainer.run()
    return TrainedArm(arm, settings, folder, tuple(folder.metrics()))


def pick_models(experiment: Experiment, trained: Sequence[TrainedArm]) -> list[Model]:
    """Each arm's networks at the experiment's checkpoints."""
    models = []
    for one in trained:
        for checkpoint in experiment.checkpoints:
            iteration = iteration_at(one.rows, checkpoint.share, experiment.models == "accepted")
            models.append(
                Model(
                    name=one.arm.name + checkpoint.label,
                    arm=one.arm.name,
                    share=checkpoint.share,
                    iteration=iteration,
                    checkpoint=one.folder.step_folder(iteration),
                )
            )
    return models


def iteration_at(rows: Sequence[dict[str, Any]], share: float, accepted: bool) -> int:
    """The iteration that ended nearest to this share of the time, or the last accepted by then."""
    wanted = share * rows[-1]["seconds"]
    nearest = min(rows, key=lambda row: abs(row["seconds"] - wanted))
    if not accepted:
        return int(nearest["iteration"])
    taken = [
        r["iteration"] for r in rows if r["accepted"] and r["iteration"] <= nearest["iteration"]
    ]
    return int(taken[-1] if taken else rows[0]["iteration"])
