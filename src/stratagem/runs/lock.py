"""A run belongs to one process at a time; the system frees it when that process ends."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from stratagem.core.errors import BadSetting

LOCK_FILE = "lock"  # in a run folder; it holds the name of who has it


@contextmanager
def hold_run(path: Path) -> Iterator[None]:
    """Keep every other trainer out of a run folder until the block ends."""
    path.mkdir(parents=True, exist_ok=True)
    with (path / LOCK_FILE).open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadSetting(
                f"{path} is being trained by {_holder(stream)}: wait until it ends, or stop it"
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
    """Who wrote its name into the lock of a folder; empty if nobody did, or it cannot be read."""
    try:
        held = json.loads((path / LOCK_FILE).read_text())
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def _holder(stream: TextIO) -> str:
    stream.seek(0)
    try:
        held = json.loads(stream.read())
        return f"process {held['pid']} on {held['host']} since {held['since']}"
    except (ValueError, LookupError, TypeError):  # it has the lock and writes its name next
        return "another process"
