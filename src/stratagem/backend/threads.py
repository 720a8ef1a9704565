"""Work in threads of this process: kernels and networks both release Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from stratagem.backend.cores import available_cores
from stratagem.backend.protocol import Item, Result


class ThreadBackend:
    """As many threads as work is wanted side by side; a single piece of work runs right here."""

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        return _run([partial(function, item) for item in items], available_cores(), on_result)

    def start_workers(self, factory: Callable[[Any], object], specs: Sequence[Any]) -> ThreadCrew:
        return ThreadCrew([factory(spec) for spec in specs])

    def close(self) -> None:
        pass


class ThreadCrew:
    """Objects of this process; every call gives each of them a thread."""

    def __init__(self, workers: Sequence[object]) -> None:
        self._workers = workers

    def __len__(self) -> int:
        return len(self._workers)

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        tasks = [
            partial(getattr(worker, method), *own)
            for worker, own in zip(self._workers, arguments, strict=True)
        ]
        return _run(tasks, len(tasks))


def _run(
    tasks: Sequence[Callable[[], Result]],
    threads: int,
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    hear = on_result or (lambda result: None)
    results = []
    if min(len(tasks), threads) <= 1:
        for task in tasks:
            results.append(task())
            hear(results[-1])
        return results
    with ThreadPoolExecutor(min(len(tasks), threads)) as pool:
        for future in [pool.submit(task) for task in tasks]:
            results.append(future.result())
            hear(results[-1])
    return results
