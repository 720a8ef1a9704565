"""Locks a folder for one process at a time; the system frees it when that process ends."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from stratagem.core.errors import BadSetting
from stratagem.core.files import SHARED
from stratagem.core.reading import read_json

LOCK_FILE = "lock"  # in a run folder; contains the name of the holder
_MOST_LETTERS = 1000


@contextmanager
def hold_run(path: Path, use: str = "being trained") -> Iterator[None]:
    """Keep other processes out of a folder until the block ends; `use` names the activity."""
    path.mkdir(parents=True, exist_ok=True)
    with _own_file(path / LOCK_FILE) as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadSetting(
                f"{path} is {use} by {_holder(stream)}: wait until it ends, or stop it"
            ) from None
        stream.truncate(0)
        json.dump(
            {
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "since": datetime.now().isoformat(timespec="seconds"),
            },
            stream,
        )
        stream.flush()
        try:
            yield
        finally:
            stream.truncate(0)


def holder_of(path: Path) -> dict[str, Any]:
    """Read who wrote its name into a folder's lock; empty if nobody did, or it is unreadable."""
    try:
        held = read_json(path / LOCK_FILE)
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def _own_file(file: Path) -> TextIO:
    """Open a file for writing; a link is refused, because its target would be emptied."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(file, flags, SHARED)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadSetting(f"{file} is not a regular file: remove it")
    return os.fdopen(descriptor, "a+")


def _holder(stream: TextIO) -> str:
    stream.seek(0)
    try:
        held = json.loads(stream.read(_MOST_LETTERS))
        return f"process {held['pid']} on {held['host']} since {held['since']}"
    except (ValueError, LookupError, TypeError, RecursionError):
        # It has the lock but has not written its name yet.
        return "another process"
