"""A queue of experiments: runs what is missing, in order, and continues where it was stopped.

The queue keeps no state of its own. An experiment's folder has its result and the time spent on it,
and `results/` has what was published, so a fresh clone knows what is missing too. Results that were
published with a smaller budget come last. Each experiment runs in its own process, which ends with
the queue.
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

# smaller: published, but with less time than is asked for now, or from an older definition
State = Literal["done", "smaller", "started", "waiting"]
Progress = Callable[[str], None]


class Entry(Part):
    """One line of the queue's file."""

    experiment: str = Field(description="game/name")
    budget: str = Field("", description="empty: what the experiment's file asks for")
    seed: int = Field(0, ge=0, lt=2**63, description="first seed")


class QueueFile(Part):
    """experiments/queue.toml"""

    out: str = Field("experiments/out", description="folder of the experiments' folders")
    run: tuple[Entry, ...] = Field(min_length=1, description="in this order")


@dataclass(frozen=True)
class Waiting:
    """An experiment of the queue, and how far it is."""

    name: str
    title: str
    folder: Path
    budget_seconds: float
    seed: int
    spent_seconds: float
    state: State

    @property
    def left_seconds(self) -> float:
        """What it will still take, if it keeps its budget."""
        return 0.0 if self.state == "done" else max(0.0, self.budget_seconds - self.spent_seconds)

    def as_json(self) -> dict[str, Any]:
        values = asdict(self) | {"folder": str(self.folder), "left_seconds": self.left_seconds}
        return {key: round(x, 1) if isinstance(x, float) else x for key, x in values.items()}


def read_queue(file: Path) -> list[Waiting]:
    """Every experiment of the queue with its state; unknown ones and wrong files are refused."""
    queue = check_values(QueueFile, read_toml(file), str(file))
    names = [experiment_name(entry.experiment) for entry in queue.run]
    if len(set(names)) < len(names):
        raise BadSetting(f"{file}: an experiment is listed twice")
    return [
        look(name, entry, Path(queue.out)) for name, entry in zip(names, queue.run, strict=True)
    ]


def look(name: str, entry: Entry, out: Path) -> Waiting:
    """How far one experiment is."""
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
    return Waiting(name, definition.title, folder, budget, entry.seed, spent, state)


def _has_result(file: Path, name: str, budget: float) -> bool:
    """Whether the experiment, as its file is now, was run with this budget or more."""
    try:
        result = read_result(file)
    except BadSetting:
        return False
    measured = _what_is_measured(result.get("definition", {}))
    asked = _what_is_measured(experiment_values(name))
    spent = result.get("budget_seconds", 0.0)
    return isinstance(spent, int | float) and spent >= budget and measured == asked


def _what_is_measured(values: dict[str, Any]) -> dict[str, Any]:
    """An experiment file without the keys that do not affect measurements."""
    said = ("title", "source", "exhibit", "budget")
    return json.loads(json.dumps({k: v for k, v in values.items() if k not in said}))  # type: ignore[no-any-return]


def left_seconds(queue: Sequence[Waiting]) -> float:
    """What the whole queue will still take."""
    return sum(one.left_seconds for one in queue)


def in_turn(queue: Sequence[Waiting]) -> list[Waiting]:
    """What is left, in the order of the file; what has a smaller result already comes last."""
    left = [one for one in queue if one.state != "done"]
    return sorted(left, key=lambda one: one.state == "smaller")


def run_queue(
    file: Path, run_one: Callable[[Waiting], int], progress: Progress
) -> dict[str, Literal["done", "failed"]]:
    """Run what is not done, in order; one that fails costs no other. Says how each ended."""
    ended: dict[str, Literal["done", "failed"]] = {}
    todo = [one.name for one in in_turn(read_queue(file))]
    for number, name in enumerate(todo, start=1):
        queue = read_queue(file)  # the file may have grown, and time has passed
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
    """Hours and minutes for people."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
