"""The seam between what is computed and where.

Whatever crosses it can travel: functions and factories of a module's own, arguments and results
that are plain data (numbers, text, arrays, dataclasses of them). So the same work runs in threads
of this process, in other processes or on other machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Crew(Protocol):
    """Workers that live as long as the crew; each owns its state."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """`worker.method(*arguments[k])` of the k-th worker, all side by side.

        The results in the order of the workers; the first error is raised here.
        """
        ...

    def prepare(self, *arguments: Any) -> Any:
        """Arguments for `submit`, packed once for however many calls; free them by letting go."""
        ...

    def submit(self, worker: int, method: str, prepared: Any, *own: Any) -> Future[Any]:
        """`worker.method(*prepared, *own)` of one worker; returns at once.

        The calls of one worker run one after the other, in the order in which they were submitted.
        """
        ...


class Backend(Protocol):
    """Runs independent work side by side."""

    @property
    def cores(self) -> int:
        """How many pieces of work can run side by side now."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether workers share the caller's cores."""
        ...

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        """`function(item)` of every item, in the order of the items; the first error is raised.

        `on_result` is called with each result, in the same order and in the caller's thread.
        """
        ...

    def start_workers(self, factory: Callable[[Any], object], specs: Sequence[Any]) -> Crew:
        """One worker `factory(spec)` for each spec."""
        ...

    def close(self) -> None:
        """End all that still runs."""
        ...
