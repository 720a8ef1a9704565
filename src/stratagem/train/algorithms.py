"""Algorithms by name: each is a package of `train`, there is no list to keep.

`train/<name>/settings.py` offers `Settings`, a RunSettings with the algorithm's own settings, and
`train/<name>/trainer.py` offers `Trainer`, which fills in the template of `train/trainer.py`.
Settings load without torch; a trainer does not.
"""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stratagem.backend import Backend
    from stratagem.runs.folder import RunFolder
    from stratagem.train.settings import RunSettings
    from stratagem.train.trainer import OnIteration, Trainer

DEFAULT = "alphazero"


@functools.cache
def algorithm_names() -> tuple[str, ...]:
    """The default first."""
    folder = Path(__file__).resolve().parent
    found = {file.parent.name for file in folder.glob("*/trainer.py")}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def load_settings_model(name: str) -> type[RunSettings]:
    """The class `Settings` of an algorithm."""
    module = importlib.import_module(f"stratagem.train.{name}.settings")
    model: type[RunSettings] = module.Settings
    return model


def make_trainer(
    settings: RunSettings,
    folder: RunFolder,
    on_iteration: OnIteration | None = None,
    backend: Backend | None = None,
) -> Trainer[Any, Any]:
    """The trainer that the settings' algorithm names."""
    module = importlib.import_module(f"stratagem.train.{settings.algorithm}.trainer")
    trainer: Trainer[Any, Any] = module.Trainer(settings, folder, backend, on_iteration)
    return trainer
