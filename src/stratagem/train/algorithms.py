"""Algorithms by name: each is a package of `train`, there is no list to keep.

`train/<name>/settings.py` offers `Settings`, a RunSettings with the algorithm's own dials, and
`train/<name>/trainer.py` offers `Trainer(settings, folder, backend, on_iteration)` with `run` and
`resume`. Settings load without torch; a trainer does not.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

DEFAULT = "alphazero"

OnIteration = Callable[[dict[str, Any]], None]


class Trainer(Protocol):
    """A run bound to its folder. One iteration's metrics are one dictionary.

    Each has `iteration`, `seconds`, `progress` (0 to 1), `games`, `decisions`, `games_per_s`,
    `steps`, `loss` and `anchors` (by agent spec: score, low, high); more is welcome.
    """

    def run(self) -> None:
        """Iterate until the budget is used up."""
        ...

    def resume(self) -> None:
        """Take up the run after its last finished iteration."""
        ...


@functools.cache
def algorithm_names() -> tuple[str, ...]:
    """The default first."""
    folder = Path(__file__).resolve().parent
    found = {file.parent.name for file in folder.glob("*/trainer.py")}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def load_settings_model(name: str) -> Any:
    """The class `Settings` of an algorithm."""
    return importlib.import_module(f"stratagem.train.{name}.settings").Settings


def make_trainer(settings: Any, folder: Any, on_iteration: OnIteration | None = None) -> Trainer:
    """The trainer that the settings' algorithm names."""
    module = importlib.import_module(f"stratagem.train.{settings.algorithm}.trainer")
    trainer: Trainer = module.Trainer(settings, folder, on_iteration=on_iteration)
    return trainer
