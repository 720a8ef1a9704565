"""Starts or resumes a run: the only way in for the command line and experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import BaseModel

from stratagem.core.errors import BadSetting
from stratagem.runs.folder import LIMITS, RunFolder
from stratagem.runs.lock import hold_run


class Resumable(Protocol):
    """A trainer that can resume the run in its folder."""

    def resume(self) -> None: ...


R = TypeVar("R", bound=Resumable)


@contextmanager
def start_or_resume(
    path: Path, settings: BaseModel, make_trainer: Callable[[RunFolder], R]
) -> Iterator[R]:
    """Yield a trainer that is ready to run; other processes are kept out until the block ends.

    An existing run is resumed if its settings differ only in their limits. Nothing is written to
    disk before everything has been checked.
    """
    folder = RunFolder(path)
    if not folder.exists():
        trainer = make_trainer(folder)
        with hold_run(path):
            RunFolder.create(path, settings)
            yield trainer
        return
    with hold_run(path):
        before = check_same_run(folder, settings)
        trainer = make_trainer(folder)
        trainer.resume()
        if before != settings:
            folder.write_settings(settings)
        yield trainer


S = TypeVar("S", bound=BaseModel)


def check_same_run(folder: RunFolder, settings: S) -> S:
    """Return the run's settings; refuse if they differ from these in more than the limits."""
    found = type(settings).model_validate(folder.settings())
    for key in type(settings).model_fields:
        if key not in LIMITS and getattr(found, key) != getattr(settings, key):
            raise BadSetting(
                f"{folder.path} was trained with other settings (see {key}): choose another folder"
            )
    return found
