"""Algorithms by name: each is a subpackage of `train`, so there is no list to maintain.

`train/<name>/settings.py` offers `Settings`, a RunSettings with the algorithm's own settings, and
`train/<name>/trainer.py` offers `Trainer`, which fills in the template of `train/trainer.py`.
Settings load without torch; a trainer does not. Other packages can add an algorithm, a package with
these two modules, by an entry point in `stratagem.algorithms`.
"""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stratagem.core.errors import BadSetting
from stratagem.core.plugins import plugins

if TYPE_CHECKING:
    from stratagem.backend import Backend
    from stratagem.runs.folder import RunFolder
    from stratagem.train.settings import RunSettings
    from stratagem.train.trainer import OnIteration, Trainer

DEFAULT = "alphazero"


def algorithm_names() -> tuple[str, ...]:
    """Return the default first, then this package's others, then those of other packages."""
    own = _own_algorithms()
    return (*own, *sorted(set(plugins("algorithms")) - set(own)))


@functools.cache
def _own_algorithms() -> tuple[str, ...]:
    folder = Path(__file__).resolve().parent
    found = {file.parent.name for file in folder.glob("*/trainer.py")}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def load_settings_model(name: str) -> type[RunSettings]:
    """Return the class `Settings` of an algorithm."""
    model: type[RunSettings] = _module(name, "settings").Settings
    return model


def make_trainer(
    settings: RunSettings,
    folder: RunFolder,
    on_iteration: OnIteration | None = None,
    backend: Backend | None = None,
) -> Trainer[Any, Any]:
    """Return a trainer for the algorithm that the settings name."""
    module = _module(settings.algorithm, "trainer")
    trainer: Trainer[Any, Any] = module.Trainer(settings, folder, backend, on_iteration)
    return trainer


def _module(name: str, part: str) -> ModuleType:
    if name in _own_algorithms():
        return importlib.import_module(f"stratagem.train.{name}.{part}")
    package = plugins("algorithms")[name].value
    try:
        return importlib.import_module(f"{package}.{part}")
    except ImportError as error:
        raise BadSetting(
            f"algorithm {name!r} cannot be imported ({error}): "
            f"its package {package} needs the modules settings and trainer"
        ) from None
