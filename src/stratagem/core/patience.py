"""A progress line for commands that print nothing for a while: loading, reading, drawing.

In a terminal, if nothing has been printed for two seconds and no progress line is on, a line says
so and counts the seconds. It is erased before anything else is written.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET = 2.0  # seconds without output before the line appears
TICK = 0.5
WIPE = "\r\x1b[2K"


class Patience:
    """The line at the bottom of the terminal while nobody else writes there."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._since = time.monotonic()
        self._describe: Callable[[float], str] = _loading
        self._muted = 0
        self._shown = False
        self._on = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Show the line during this block, if stderr is a terminal."""
        if not is_watched():
            yield
            return
        over = threading.Event()
        thread = threading.Thread(target=self._tick, args=(over,), daemon=True)
        self._since, self._on = time.monotonic(), True
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.clear()
            self._on = False

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Hide the line during this block: somebody else writes, or a person is asked."""
        self.mute()
        try:
            yield
        finally:
            self.unmute()

    def mute(self) -> None:
        with self._lock:
            self.clear()
            self._muted += 1

    def unmute(self) -> None:
        with self._lock:
            self._muted -= 1
            self._since = time.monotonic()

    def clear(self) -> None:
        """Erase the line and restart the count; call this before writing anything."""
        if not self._on:
            return
        with self._lock:
            self._since = time.monotonic()
            if self._describe is _loading:
                self._describe = _working
            if self._shown:
                self._shown = False
                _write(WIPE)

    def explain(self, describe: Callable[[float], str]) -> None:
        """Set the line's text, a function of the seconds since something was written."""
        self._describe = describe

    def _tick(self, over: threading.Event) -> None:
        while not over.wait(TICK):
            with self._lock:
                spent = time.monotonic() - self._since
                if spent >= QUIET and not self._muted:
                    _write(WIPE + self._describe(spent))
                    self._shown = True


def _loading(spent: float) -> str:
    return f"loading: {spent:.0f} s so far"


def _working(spent: float) -> str:
    return f"working: {spent:.0f} s so far"


def is_watched() -> bool:
    """Whether a person sees what is written to stderr."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


PATIENCE = Patience()
