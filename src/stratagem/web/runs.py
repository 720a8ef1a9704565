"""Training runs as folders: which exist, and what their files say. Trains nothing.

Clients know a run only by its name: its path below the runs folder with `~` for `/`. Names are
looked up among the runs found there; no client text becomes part of a path.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from stratagem.core.errors import StratagemError
from stratagem.core.registry import GameSpec
from stratagem.evaluate.intervals import wilson
from stratagem.runs.folder import LIMITS, RunFolder, find_runs
from stratagem.runs.metrics import IterationMetrics, newest_anchors
from stratagem.runs.payoffs import payoffs_of
from stratagem.runs.status import find_damage, memory_bytes, seconds_left, status_of
from stratagem.web.dates import as_date
from stratagem.web.problems import NotFound
from stratagem.web.schema import CheckpointInfo, GateDecision, RunPayoffs, RunSummary

_DEPTH = 3  # how many levels below the runs folder to look
_MOST_RUNS = 500


@dataclass(frozen=True)
class Run:
    """One run folder and its settings."""

    name: str
    folder: RunFolder
    settings: dict[str, Any]
    unreadable: str = ""  # why there are no settings
    begun: float = 0.0  # when its settings were written

    @property
    def game(self) -> str:
        return str(self.settings.get("game", ""))

    @property
    def algorithm(self) -> str:
        return str(self.settings.get("algorithm", "alphazero"))

    @property
    def search_sims(self) -> int:
        search = self.settings.get("search")
        sims = search.get("sims", 64) if isinstance(search, dict) else 64
        return sims if isinstance(sims, int) else 64

    @property
    def has_checkpoint(self) -> bool:
        return not self.unplayable and self.folder.best() > 0

    @property
    def unplayable(self) -> str:
        """Why this run cannot be played against; empty if it can."""
        return self._wrong[0]

    @property
    def damage(self) -> str:
        """What is wrong with the run's files; empty if nothing is."""
        return self._wrong[1]

    @cached_property
    def _wrong(self) -> tuple[str, str]:
        if self.unreadable:
            return self.unreadable, self.unreadable
        return find_damage(self.folder, self.settings)

    def now(self) -> Run:
        """Read the same run again: its damage may have changed."""
        return replace(self)

    def metrics(self) -> list[IterationMetrics]:
        """Return the rows that can be read; none if the metrics are unreadable."""
        try:
            return self.folder.metrics()
        except StratagemError:
            return []

    def checkpoint(self, step: str) -> Path:
        """Return the folder of a step; by default the accepted one, else the latest."""
        steps = {self.folder.step_folder(number).name: number for number in self.folder.steps()}
        best = self.folder.best()
        wanted = step or (self.folder.step_folder(best).name if best else "")
        if wanted not in steps:
            named = f"no checkpoint {wanted!r}" if wanted else "no checkpoint yet"
            raise NotFound(f"run {self.name!r} has {named}: it has {len(steps)} of them")
        return self.folder.step_folder(steps[wanted])

    def checkpoints(self) -> list[CheckpointInfo]:
        best = self.folder.best() if self.has_checkpoint else 0
        return [
            CheckpointInfo(
                name=(name := self.folder.step_folder(number).name),
                spec=f"run:{self.name}@{name}",
                iteration=number,
                best=number == best,
            )
            for number in self.folder.steps()
        ]

    def games(self) -> list[str]:
        """Return the names of the self-play games on disk, newest first."""
        return [file.stem for file in reversed(self.folder.games())]

    def game_file(self, name: str) -> Path:
        files = {file.stem: file for file in self.folder.games()}
        wanted = max(files) if name == "newest" and files else name
        if wanted not in files:
            raise NotFound(f"run {self.name!r} has no game {name!r}: it has {len(files)} of them")
        return files[wanted]

    def _seconds_left(self, rows: Sequence[IterationMetrics], changed: float) -> float | None:
        budget, limit = (self.settings.get(key, 0) for key in LIMITS)
        if not isinstance(budget, int | float) or not isinstance(limit, int):
            return None
        return seconds_left(rows, budget, limit, max(0.0, time.time() - changed))

    def payoffs(self, rows: Sequence[IterationMetrics]) -> RunPayoffs:
        """Return the learner's scores against its population."""
        return RunPayoffs.model_validate(payoffs_of(rows).as_json())

    def summary(self, rows: Sequence[IterationMetrics]) -> RunSummary:
        """Return the run's line in the list."""
        last = rows[-1] if rows else None
        changed = self.folder.changed()
        status = status_of(self.folder, rows)
        seed = self.settings.get("seed")
        return RunSummary(
            name=self.name,
            game=self.game,
            algorithm=self.algorithm,
            preset=str(self.settings.get("preset", "")),
            seed=seed if isinstance(seed, int) else None,
            started=self.folder.provenance().started,
            iterations=last.iteration if last else 0,
            seconds=last.seconds if last else None,
            games=last.games if last else None,
            decisions=last.decisions if last else None,
            games_per_second=last.games_per_s if last else None,
            decisions_per_second=last.decisions_per_s if last else None,
            memory_bytes=memory_bytes(self.folder) if status == "running" else None,
            progress=last.progress if last else 0.0,
            seconds_left=self._seconds_left(rows, changed) if status == "running" else None,
            anchors={spec: one.score for spec, one in newest_anchors(rows).items()},
            status=status,
            changed=as_date(changed),
            damage=self.damage,
        )


class Runs:
    """The runs below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._settings: dict[Path, tuple[float, dict[str, Any]]] = {}

    def all(self) -> list[Run]:
        """Return every run, most recently started first."""
        found: list[tuple[float, Run]] = []
        for folder in find_runs(self.folder, _DEPTH):
            run = self._read(folder)
            if run is not None:
                found.append((run.begun, run))
        found.sort(key=lambda pair: pair[0], reverse=True)
        return [run for _, run in found[:_MOST_RUNS]]

    def find(self, name: str) -> Run:
        """Return the run with this name, as listed."""
        runs = {run.name: run for run in self.all()}
        if name not in runs:
            raise NotFound(f"no run {name[:100]!r}: GET /api/runs lists {len(runs)} of them")
        return runs[name]

    def of_game(self, game: str) -> list[Run]:
        """Return the runs that can play a game."""
        runs = [run for run in self.all() if run.game and not run.unplayable]
        return [run for run in runs if GameSpec.parse(run.game).name == game]

    def _read(self, folder: RunFolder) -> Run | None:
        reason = ""
        try:
            changed = folder.config_file.stat().st_mtime
            kept = self._settings.get(folder.path)
            if kept is None or kept[0] != changed:
                kept = changed, folder.settings()
                self._settings[folder.path] = kept
        except OSError as error:
            kept, reason = (0.0, {}), f"{folder.config_file}: {error.strerror}"
        except StratagemError as error:
            kept, reason = (0.0, {}), str(error)
        name = folder.path.relative_to(self.folder).as_posix().replace("/", "~")
        if any(letter in name for letter in "?@:&"):  # they have a meaning in agent specs
            return None
        return Run(name, folder, kept[1], reason, kept[0])


def gates_of(rows: Sequence[IterationMetrics]) -> list[GateDecision]:
    """Return the acceptance tests in these rows of metrics."""
    gates = []
    for row in rows:
        if row.gate is None:
            continue
        low, high = wilson(row.gate.score, row.gate.games)
        gates.append(
            GateDecision(
                iteration=row.iteration,
                accepted=row.gate.accepted,
                score=row.gate.score,
                low=low,
                high=high,
                games=row.gate.games,
                note=row.gate.reason,
            )
        )
    return gates
