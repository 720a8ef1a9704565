"""A backend whose work runs in a spawned process: everything that crosses over is pickled."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

_workers: list[Any] = []  # of the spawned process


def _start(factory: Callable[[Any], object], spec: Any) -> int:
    _workers.append(factory(spec))
    return len(_workers) - 1


def _call(number: int, method: str, arguments: tuple[Any, ...]) -> Any:
    return getattr(_workers[number], method)(*arguments)


class SpawnedBackend:
    """One process, so that its workers are where they were made."""

    cores, is_local = 1, True

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self.calls: list[str] = []  # what was run over there

    def __enter__(self) -> "SpawnedBackend":
        return self

    def __exit__(self, *failure: object) -> None:
        self._pool.shutdown()

    def map(self, function, items, on_result=None):
        self.calls.append(function.__name__)
        results = list(self._pool.map(function, items))
        for result in results:
            if on_result is not None:
                on_result(result)
        return results

    def start_workers(self, factory, specs):
        numbers = [self._pool.submit(_start, factory, spec).result() for spec in specs]
        return _SpawnedCrew(self, numbers)

    def call(self, number: int, method: str, arguments: tuple[Any, ...]) -> Any:
        self.calls.append(method)
        return self._pool.submit(_call, number, method, arguments).result()


class _SpawnedCrew:
    def __init__(self, backend: SpawnedBackend, numbers: Sequence[int]) -> None:
        self._backend, self._numbers = backend, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        pairs = zip(self._numbers, arguments, strict=True)
        return [self._backend.call(number, method, own) for number, own in pairs]
