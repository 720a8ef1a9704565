"""A search process: receives jobs through a pipe, reports progress, answers.

It lives as long as its pipe: when the server ends, however it ends, so does this process.

    to it:     ("job", number, Job, seconds between reports) · ("stop", number)
    from it:   ("ready",) · ("progress", number, visits, analysis or None) · ("done", number, data)
               · ("refused", number, text) · ("failed", number, text)
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from stratagem.core.errors import StratagemError

_NICENESS = 5  # the server answers first, searches take what is left
_PROGRESS_SECONDS = 0.2  # between reports of visits alone


def work(pipe: Connection) -> None:
    """The whole life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; it closes the pipe
    os.nice(_NICENESS)
    from stratagem.web.engine import Engine

    engine = Engine()
    try:
        pipe.send(("ready",))
        while True:
            message = pipe.recv()
            if message[0] == "job":
                pipe.send(_answer(engine, pipe, *message[1:]))
    except (EOFError, OSError):
        return  # the server is gone


def _answer(
    engine: Any, pipe: Connection, number: int, job: Any, report_every: float
) -> tuple[Any, ...]:
    try:
        return ("done", number, engine.run(job, _Watcher(pipe, number, report_every)))
    except StratagemError as error:
        return ("refused", number, str(error))
    except (EOFError, OSError):
        raise
    except Exception as error:
        traceback.print_exc()
        return ("failed", number, f"{type(error).__name__}: {error}")


class _Watcher:
    """Called between portions of a search: reports, and learns whether to stop."""

    def __init__(self, pipe: Connection, number: int, report_every: float) -> None:
        self._pipe = pipe
        self._number = number
        self._report_every = report_every  # 0: never a whole analysis
        self._told = self._reported = time.monotonic()

    def __call__(self, visits: int, interim: Callable[[], dict[str, Any]]) -> bool:
        now = time.monotonic()
        if self._report_every and now - self._reported >= self._report_every:
            self._pipe.send(("progress", self._number, visits, interim()))
            self._reported = self._told = time.monotonic()  # the report itself takes time
        elif now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            self._pipe.send(("progress", self._number, visits, None))
        stop = False
        while self._pipe.poll():
            message = self._pipe.recv()
            stop = stop or message == ("stop", self._number)
        return stop
