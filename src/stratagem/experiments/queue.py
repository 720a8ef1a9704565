"""A queue of experiments: runs what is missing, in order, and resumes where it was stopped.

The queue has no state of its own. An experiment's folder contains its result and the time spent on
it, and `results/` contains what was published, so a fresh clone knows what is missing, too. Results
that were published with a smaller budget are repeated last. Each experiment runs in its own
process, which ends with the queue.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from stratagem.core.errors import BadSetting
from stratagem.core.settings import check_values
from stratagem.core.toml import read_toml
from stratagem.experiments.clock import spent_seconds
from stratagem.experiments.exhibit import Part
from stratagem.experiments.files import experiment_name, experiment_values
from stratagem.experiments.kept import read_result
from stratagem.experiments.results import checkout_root, published_file
from stratagem.experiments.run import RESULT, load_experiment
from stratagem.train.settings import parse_budget

# smaller: published with a smaller budget than requested, or from an older definition
State = Literal["done", "smaller", "started", "waiting"]
Progress = Callable[[str], None]


class Entry(Part):
    """One entry in a queue file."""

    experiment: str = Field(description="game/name")
    budget: str = Field("", description="empty: the one in the experiment's file")
    seed: int = Field(0, ge=0, lt=2**63, description="first seed")


class QueueFile(Part):
    """experiments/queue.toml"""

    out: str = Field("experiments/out", description="folder that contains the experiments' folders")
    run: tuple[Entry, ...] = Field(min_length=1, description="experiments in the order to run them")


@dataclass(frozen=True)
class QueuedExperiment:
    """A queued experiment and its progress."""

    name: str
    title: str
    folder: Path
    budget_seconds: float
    seed: int
    spent_seconds: float
    state: State

    @property
    def left_seconds(self) -> float:
        """Seconds that it still needs, if it keeps to its budget."""
        return 0.0 if self.state == "done" else max(0.0, self.budget_seconds - self.spent_seconds)

    def as_json(self) -> dict[str, Any]:
        values = asdict(self) | {"folder": str(self.folder), "left_seconds": self.left_seconds}
        return {key: round(x, 1) if isinstance(x, float) else x for key, x in values.items()}


def read_queue(file: Path) -> list[QueuedExperiment]:
    """Read every experiment of the queue with its state; refuse unknown names and bad files."""
    queue = check_values(QueueFile, read_toml(file), str(file))
    names = [experiment_name(entry.experiment) for entry in queue.run]
    if len(set(names)) < len(names):
        raise BadSetting(f"{file}: an experiment is listed twice")
    return [
        state_of(name, entry, Path(queue.out)) for name, entry in zip(names, queue.run, strict=True)
    ]


def state_of(name: str, entry: Entry, out: Path) -> QueuedExperiment:
    """Return the state of one experiment."""
    definition = load_experiment(name)
    budget = parse_budget(entry.budget or definition.budget)
    folder = out / name.replace("/", "-")
    published = published_file(checkout_root(), name)
    spent = spent_seconds(folder)
    state: State = "waiting"
    if any(_has_result(file, name, budget) for file in (folder / RESULT, published)):
        state = "done"
    elif spent:
        state = "started"
    elif published.is_file():
        state = "smaller"
    return QueuedExperiment(name, definition.title, folder, budget, entry.seed, spent, state)


def _has_result(file: Path, name: str, budget: float) -> bool:
    """Whether the file has a result of the current definition, with at least this budget."""
    try:
        result = read_result(file)
    except BadSetting:
        return False
    measured = _measured_part(result.get("definition", {}))
    requested = _measured_part(experiment_values(name))
    spent = result.get("budget_seconds", 0.0)
    return isinstance(spent, int | float) and spent >= budget and measured == requested


def _measured_part(values: dict[str, Any]) -> dict[str, Any]:
    """Return the contents of an experiment file without keys that do not affect measurements."""
    about = ("title", "source", "exhibit", "budget")
    return json.loads(json.dumps({k: v for k, v in values.items() if k not in about}))  # type: ignore[no-any-return]


def left_seconds(queue: Sequence[QueuedExperiment]) -> float:
    """Return the seconds that the whole queue still needs."""
    return sum(one.left_seconds for one in queue)


def unfinished(queue: Sequence[QueuedExperiment]) -> list[QueuedExperiment]:
    """Return unfinished experiments in the file's order; those with a smaller result come last."""
    left = [one for one in queue if one.state != "done"]
    return sorted(left, key=lambda one: one.state == "smaller")


def run_queue(
    file: Path, run_one: Callable[[QueuedExperiment], int], progress: Progress
) -> dict[str, Literal["done", "failed"]]:
    """Run unfinished experiments in order, even if some fail; return how each of them ended."""
    ended: dict[str, Literal["done", "failed"]] = {}
    todo = [one.name for one in unfinished(read_queue(file))]
    for number, name in enumerate(todo, start=1):
        queue = read_queue(file)  # the file may have changed, and time has passed
        one = next((one for one in queue if one.name == name), None)
        if one is None or one.state == "done":
            continue
        left = duration(left_seconds(queue))
        progress(
            f"{number} of {len(todo)}: {name}, about {duration(one.left_seconds)}; in all {left}"
        )
        ended[name] = "failed" if run_one(one) else "done"
        progress(f"{name}: {ended[name]}; see {one.folder}")
    return ended


def duration(seconds: float) -> str:
    """Format a duration in hours and minutes."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
