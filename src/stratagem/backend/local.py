"""Tasks in threads of this process: kernels and networks both release Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from stratagem.backend.protocol import Result


class LocalBackend:
    """One thread per task; a single task runs right here."""

    def run(self, tasks: Sequence[Callable[[], Result]]) -> list[Result]:
        if len(tasks) <= 1:
            return [task() for task in tasks]
        with ThreadPoolExecutor(len(tasks)) as pool:
            return [future.result() for future in [pool.submit(task) for task in tasks]]
