"""The arguments of one call of `run_experiment`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stratagem.backend import Backend

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Call:
    budget_seconds: float  # of wall-clock time, for everything
    began: float  # time.time()
    out: Path
    seed: int
    progress: Progress
    backend: Backend | None = None  # where runs and matches go; None: processes on this machine
