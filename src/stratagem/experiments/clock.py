"""Tracks how long an experiment has taken so far, over all calls on its folder."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stratagem.core.files import write_atomically
from stratagem.core.reading import read_json

_FILE = "spent.json"
_EVERY = 5.0  # seconds between two writes; a kill loses no more than that


def spent_seconds(folder: Path) -> float:
    """Return the wall-clock time spent in this folder so far."""
    try:
        seconds = float(read_json(folder / _FILE)["seconds"])
    except (OSError, ValueError, LookupError, TypeError, OverflowError):
        return 0.0
    return seconds if 0.0 <= seconds < math.inf else 0.0


@contextmanager
def running_clock(folder: Path) -> Iterator[float]:
    """Count time while the block runs; yield what had been spent before."""
    before, began, ended = spent_seconds(folder), time.monotonic(), threading.Event()

    def write() -> None:
        seconds = round(before + time.monotonic() - began, 1)
        write_atomically(folder / _FILE, json.dumps({"seconds": seconds}) + "\n")

    def keep_writing() -> None:
        while not ended.wait(_EVERY):
            write()

    thread = threading.Thread(target=keep_writing, daemon=True)
    thread.start()
    try:
        yield before
    finally:
        ended.set()
        thread.join()
        write()
