"""The seam between what is computed and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class Backend(Protocol):
    """Runs independent tasks side by side."""

    def run(self, tasks: Sequence[Callable[[], Result]]) -> list[Result]:
        """The results in the order of the tasks; the first error is raised here."""
        ...
