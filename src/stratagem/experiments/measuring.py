"""What a table has to measure with: the trained runs, a place for games already played, a seed.

A module of `tables` offers `Settings` (a `definition.Table`), `measure(tables, bench)` that gives
data for the result file, `report(page, tables, measured, experiment)` that writes what was measured
on a page, and `compared(measured)`, the numbers by which arms are compared. Only `measure` plays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from stratagem.core.errors import StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.experiments.arms import Arm
from stratagem.experiments.call import Call
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.kept import read_kept
from stratagem.experiments.plugins import load_module, module_names
from stratagem.experiments.processes import run_jobs
from stratagem.experiments.training import TrainedArm, iteration_at

TABLES = "stratagem.experiments.tables"

Row = dict[str, Any]


@dataclass(frozen=True)
class Bench:
    """An experiment after its training."""

    experiment: Experiment
    trained: Sequence[TrainedArm]  # arm by arm, then seed by seed
    call: Call

    @property
    def game(self) -> Game:
        return load_game(self.experiment.game_spec)

    def arms(self, table: Table) -> Iterator[tuple[Arm, list[TrainedArm]]]:
        """The arms of a table, each with its runs."""
        for arm in self.experiment.arms:
            runs = [one for one in self.trained if one.arm.name == arm.name]
            if runs and table.has_arm(arm):
                yield arm, runs

    def iteration(self, run: TrainedArm, share: float = 1.0, last: int | None = None) -> int:
        """Where a run was at a share of its training, as the experiment counts."""
        return iteration_at(run.rows, share, self.experiment.models == "accepted", last)

    def checkpoint(self, run: TrainedArm, share: float = 1.0, last: int | None = None) -> Path:
        """The network of that iteration."""
        return run.folder.step_folder(self.iteration(run, share, last))

    def played(
        self, what: str, work: Callable[..., Row], jobs: Sequence[tuple[object, ...]]
    ) -> list[Row]:
        """`work(*job)` of every job, on all cores; what an earlier call played is read."""
        files = [self._file(what, job) for job in jobs]
        todo = {
            file: job for file, job in zip(files, jobs, strict=True) if not file.is_file()
        }  # equal jobs are played once
        done = 0

        def hear(number: int, outcome: StratagemError | None) -> None:
            nonlocal done
            done += 1
            if outcome is not None or done == len(todo) or done % 10 == 0:
                self.call.progress(f"{what}: {done} of {len(todo)}{f', {outcome}' * bool(outcome)}")

        run_jobs(_keep, [(work, job, file) for file, job in todo.items()], hear, self.call.backend)
        return [read_kept(file) for file in files]

    def once(self, what: str, play: Callable[[], Row]) -> Row:
        """What `play` gave, now or in an earlier call."""
        file = self._file(what, ())
        if not file.is_file():
            write_atomically(file, json.dumps(play()) + "\n")
        found: Row = read_kept(file)
        return found

    def _file(self, what: str, job: tuple[object, ...]) -> Path:
        return self.call.out / "played" / what / f"{derive_seed(0, *map(str, job)):016x}.json"


def _keep(work: Callable[..., Row], job: tuple[object, ...], file: Path) -> None:
    """Do one job and keep what it gave."""
    torch.set_num_threads(1)  # several threads stalled on a busy machine (experiments/LOG.md)
    write_atomically(file, json.dumps(work(*job)) + "\n")


def table_names() -> tuple[str, ...]:
    return module_names(TABLES)


def load_table(name: str) -> ModuleType:
    """The module of a kind of table."""
    return load_module(TABLES, name, "table")
