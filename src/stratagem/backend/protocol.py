"""The interface between what is computed and where.

Everything that crosses it can be sent elsewhere: module-level functions and factories, and
arguments and results that are plain data (numbers, text, arrays, dataclasses of them). So the same
work runs in threads of this process, in other processes or on other machines.
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
        """The number of workers."""
        ...

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call `worker.method(*arguments[k])` on the k-th worker, all in parallel.

        Results are in the order of the workers; the first error is raised here.
        """
        ...

    def prepare(self, *arguments: Any) -> Any:
        """Pack arguments for `submit` once for any number of calls; drop the result to free it."""
        ...

    def submit(self, worker: int, method: str, prepared: Any, *own: Any) -> Future[Any]:
        """Call `worker.method(*prepared, *own)` on one worker; return at once.

        The calls of one worker run one after another, in the order in which they were submitted.
        """
        ...


class Backend(Protocol):
    """Runs independent work side by side."""

    @property
    def cores(self) -> int:
        """How many pieces of work can run in parallel now."""
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
        """Return `function(item)` for every item, in order; the first error is raised.

        `on_result` is called with each result, in the same order and in the caller's thread.
        """
        ...

    def start_workers(self, factory: Callable[[Any], object], specs: Sequence[Any]) -> Crew:
        """Start one worker `factory(spec)` for each spec."""
        ...

    def close(self) -> None:
        """Stop everything that is still running."""
        ...
