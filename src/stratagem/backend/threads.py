"""Work in threads of this process: kernels and networks release Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from stratagem.backend.cores import available_cores
from stratagem.backend.protocol import Item, Result


class ThreadBackend:
    """As many threads as there is parallel work; a single piece of work runs in the caller's."""

    is_local = True

    @property
    def cores(self) -> int:
        return available_cores()

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
    """Objects in this process, each with its own thread."""

    def __init__(self, workers: Sequence[object]) -> None:
        self._workers = workers
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="crew") for _ in workers]

    def __len__(self) -> int:
        return len(self._workers)

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        if len(arguments) != len(self._workers):
            raise ValueError(f"{len(arguments)} calls for {len(self._workers)} workers")
        futures = [self.submit(worker, method, own) for worker, own in enumerate(arguments)]
        wait(futures)
        return [future.result() for future in futures]

    def prepare(self, *arguments: Any) -> tuple[Any, ...]:
        return arguments

    def submit(self, worker: int, method: str, prepared: tuple[Any, ...], *own: Any) -> Future[Any]:
        work = getattr(self._workers[worker], method)
        return self._threads[worker].submit(work, *prepared, *own)


def _run(
    tasks: Sequence[Callable[[], Result]],
    threads: int,
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    report = on_result or (lambda result: None)
    results = []
    if min(len(tasks), threads) <= 1:
        for task in tasks:
            results.append(task())
            report(results[-1])
        return results
    with ThreadPoolExecutor(min(len(tasks), threads)) as pool:
        for future in [pool.submit(task) for task in tasks]:
            results.append(future.result())
            report(results[-1])
    return results
