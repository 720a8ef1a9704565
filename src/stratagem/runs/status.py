"""Whether a run is being trained, is finished or was stopped, and how much time it needs.

Nothing is guessed from the age of a file: a run is running while a process holds its lock.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from stratagem.core.errors import StratagemError
from stratagem.core.manifest import read_manifest
from stratagem.core.reading import open_regular
from stratagem.core.registry import GameSpec
from stratagem.runs.folder import RunFolder
from stratagem.runs.lock import LOCK_FILE, holder_of
from stratagem.runs.metrics import IterationMetrics

Status = Literal["running", "finished", "stopped"]

_RECENT = 5  # iterations from which the duration of the next ones is estimated


def is_running(folder: RunFolder) -> bool:
    """Whether a process holds the run's lock."""
    try:
        with open_regular(folder.path / LOCK_FILE) as lock:
            if not os.read(lock, 1):  # releasing the lock empties the file
                return False
            # Only a killed holder leaves text without a lock; this keeps nobody out for long.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def memory_bytes(folder: RunFolder) -> int | None:
    """Return how much memory the process that trains a run uses; None if unknown."""
    held = holder_of(folder.path)
    if held.get("host") != socket.gethostname() or not isinstance(held.get("pid"), int):
        return None
    try:
        pages = int(Path(f"/proc/{held['pid']}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def status_of(folder: RunFolder, rows: Sequence[IterationMetrics]) -> Status:
    """Return the run's current status; `rows` are its metrics."""
    if is_running(folder):
        return "running"
    return "finished" if rows and rows[-1].progress >= 1.0 else "stopped"


def seconds_left(
    rows: Sequence[IterationMetrics],
    budget_seconds: float,
    iterations: int,
    since_last: float = 0.0,
) -> float | None:
    """Estimate the seconds that a running run still needs, `since_last` s after its last row."""
    last = rows[-1] if rows else None
    if last is not None and last.progress >= 1.0:
        return 0.0
    limits = []
    if budget_seconds:
        limits.append(budget_seconds - (last.seconds if last else 0.0) - since_last)
    if iterations and last is not None:
        before = rows[max(0, len(rows) - 1 - _RECENT)] if len(rows) > 1 else None
        done = last.iteration - (before.iteration if before else 0)
        seconds = last.seconds - (before.seconds if before else 0.0)
        limits.append((iterations - last.iteration) * seconds / max(done, 1) - since_last)
    return max(0.0, min(limits)) if limits else None


def find_damage(folder: RunFolder, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return (why the run cannot be played against, what is wrong with its files), or "", "".

    A run that cannot be played is damaged, too.
    """
    unplayable = ""
    try:
        GameSpec.parse(str(settings.get("game", "")))
        best = folder.best()
        if best:
            read_manifest(folder.step_folder(best))
    except (StratagemError, OSError) as error:
        unplayable = str(error)
    try:
        return unplayable, unplayable or "; ".join(folder.damage())
    except StratagemError as error:
        return unplayable, str(error)
