"""Tells whether kernels are being compiled right now, and how long compiling has taken so far.

Numba reports when it compiles. Kernels loaded from its disk cache are not compiled and not counted.
"""

from __future__ import annotations

import threading
import time

from numba.core import event

_EVENT = "numba:compile"


class CompileWatch(event.Listener):  # type: ignore[misc]
    """Counts the seconds in which at least one kernel is being compiled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0  # kernels compile the kernels that they call
        self._since = 0.0
        self._spent = 0.0

    @property
    def compiling(self) -> bool:
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Seconds spent compiling since this process began."""
        with self._lock:
            return self._spent + (time.perf_counter() - self._since if self._depth else 0.0)

    def on_start(self, event: event.Event) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._since = time.perf_counter()

    def on_end(self, event: event.Event) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._spent += time.perf_counter() - self._since


WATCH = CompileWatch()
event.register(_EVENT, WATCH)
