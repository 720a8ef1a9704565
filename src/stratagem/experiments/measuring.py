"""What a table has to measure with: the trained arms, a place for games already played, a seed.

A module of `tables` offers `Settings` (a `definition.Table`), `measure(tables, bench)` that gives
data for the result file, and `report(page, tables, measured, bench)` that writes what was measured
on a page. Only `measure` plays games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from stratagem.core.files import write_atomically
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.experiments.call import Call
from stratagem.experiments.definition import Experiment
from stratagem.experiments.plugins import load_module, module_names
from stratagem.experiments.training import TrainedArm, iteration_at

TABLES = "stratagem.experiments.tables"

Row = dict[str, Any]


@dataclass(frozen=True)
class Bench:
    """An experiment after its training."""

    experiment: Experiment
    trained: Sequence[TrainedArm]
    call: Call

    @property
    def game(self) -> Game:
        return load_game(self.experiment.game_spec)

    def iteration(self, arm: TrainedArm, share: float = 1.0) -> int:
        """Where an arm was at a share of its training, as the experiment counts."""
        return iteration_at(arm.rows, share, self.experiment.models == "accepted")

    def checkpoint(self, arm: TrainedArm, share: float = 1.0) -> Path:
        """The network of that iteration."""
        return arm.folder.step_folder(self.iteration(arm, share))

    def once(self, folder: str, key: tuple[object, ...], play: Callable[[Path], Row]) -> Row:
        """What `play` gave for this key, now or in an earlier call; `play` gets its file."""
        name = derive_seed(0, *(str(part) for part in key))
        file = self.call.out / folder / f"{name:016x}.json"
        if not file.is_file():
            write_atomically(file, json.dumps(play(file)) + "\n")
        found: Row = json.loads(file.read_text())
        return found


def table_names() -> tuple[str, ...]:
    return module_names(TABLES)


def load_table(name: str) -> ModuleType:
    """The module of a kind of table."""
    return load_module(TABLES, name, "table")
