"""What tables measure with: the trained runs, a store of games already played, a seed.

A module of `tables` offers `Settings` (a `definition.Table`), `measure(tables, bench)` that returns
data for the result file, `report(page, tables, measured, experiment)` that writes the measurements
on a page, and `compared(measured)`, the numbers by which arms are compared.

`measure` is a generator: it yields the games that it wants played, receives their results, and
returns the data. So the games of all tables are played on all cores together, and no table waits
for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.experiments.arms import Arm
from stratagem.experiments.call import Call
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.kept import Job, do_missing, keep, read_kept
from stratagem.experiments.plugins import load_module, module_names
from stratagem.experiments.training import TrainedArm, iteration_at

TABLES = "stratagem.experiments.tables"

Row = dict[str, Any]
Data = TypeVar("Data")

_SIMS = re.compile(r"sims=(\d+)")
_GAMES = re.compile(r"games=(\d+)")
_SHIPPED_SIMS = 400  # for players such as `best`, whose spec does not say


@dataclass(frozen=True)
class Wanted:
    """Games that a table wants played: `work(*job)` for each job, which returns a row."""

    what: str
    work: Callable[..., Row]
    jobs: Sequence[tuple[object, ...]]


@dataclass(frozen=True)
class OwnGames:
    """A player in all seats, as a job."""

    game: str
    agent: str  # agent spec
    games: int
    seed: int


Measuring = Generator[list[Wanted], list[list[Row]], Data]


@dataclass(frozen=True)
class Bench:
    """An experiment after its training."""

    experiment: Experiment
    trained: Sequence[TrainedArm]  # by arm, then by seed
    call: Call

    @property
    def game(self) -> Game:
        return load_game(self.experiment.game_spec)

    def arms(self, table: Table) -> Iterator[tuple[Arm, list[TrainedArm]]]:
        """Yield the arms of a table, each with its runs."""
        for arm in self.experiment.arms:
            runs = [one for one in self.trained if one.arm.name == arm.name]
            if runs and table.has_arm(arm):
                yield arm, runs

    def iteration(self, run: TrainedArm, share: float = 1.0, last: int | None = None) -> int:
        """Return the iteration of a run at a share of its training, as the experiment counts."""
        return iteration_at(run.rows, share, self.experiment.models == "accepted", last)

    def checkpoint(self, run: TrainedArm, share: float = 1.0, last: int | None = None) -> Path:
        """Return the network of that iteration."""
        return run.folder.step_folder(self.iteration(run, share, last))

    def measure(self) -> dict[str, Any]:
        """Measure every table of the experiment; return data by module."""
        tables = self.experiment.tables
        going = {key: load_table(key).measure(each, self) for key, each in tables.items()}
        found: dict[str, Any] = {}
        answers: dict[str, list[list[Row]] | None] = dict.fromkeys(going)
        while answers:
            asked: dict[str, list[Wanted]] = {}
            for key, answer in answers.items():
                try:
                    asked[key] = going[key].send(answer)
                except StopIteration as ended:
                    found[key] = ended.value
            answers = dict(self._play(asked))
        return {key: found[key] for key in tables}

    def _play(self, asked: Mapping[str, Sequence[Wanted]]) -> Mapping[str, list[list[Row]]]:
        """Play what the tables want on all cores, or read what an earlier call played."""
        every = [(each, job) for wanted in asked.values() for each in wanted for job in each.jobs]
        # The longest first, so that no core is idle for long at the end.
        every.sort(key=lambda one: -weight(one[1]))
        jobs = {self._file(each.what, job): Job(each.work, job) for each, job in every}
        do_missing("measuring", jobs, self.call)
        return {
            key: [[read_kept(self._file(w.what, job)) for job in w.jobs] for w in wanted]
            for key, wanted in asked.items()
        }

    def once(self, what: str, key: tuple[object, ...], find: Callable[[], Row]) -> Row:
        """Return the result of `find`, from now or an earlier call with the same key."""
        file = self._file(what, key)
        if not file.is_file():
            keep(find(), file)
        found: Row = read_kept(file)
        return found

    def _file(self, what: str, job: tuple[object, ...]) -> Path:
        return self.call.out / "played" / what / f"{derive_seed(0, *map(str, job)):016x}.json"


def weight(job: tuple[object, ...]) -> int:
    """Estimate a job's relative cost: games times the simulations of its players."""
    text = repr(job)
    sims = sum(map(int, _SIMS.findall(text))) + _SHIPPED_SIMS * text.count("'best")
    return max(1, sims) * max(map(int, _GAMES.findall(text)), default=1)


def table_names() -> tuple[str, ...]:
    return module_names(TABLES)


def load_table(name: str) -> ModuleType:
    """Load the module of a kind of table."""
    return load_module(TABLES, name, "table")
