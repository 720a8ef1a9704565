"""Runs the jobs of an experiment side by side: on all cores, or on a cluster.

It uses processes, not threads: networks this small would spend their time waiting for Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from typing import Any, TypeVar

from stratagem.backend import Backend
from stratagem.backend.cores import available_cores
from stratagem.backend.processes import ProcessBackend
from stratagem.core.errors import StratagemError

Result = TypeVar("Result")


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    report: Callable[[int, Result | StratagemError], None],
    backend: Backend | None = None,
) -> None:
    """Run `work(*job)` for every job; call `report` with number and outcome, in order.

    A job that fails does not stop the others: the first error is raised when all are done.
    """
    failures: list[StratagemError] = []
    numbers = count()

    def on_outcome(outcome: Result | StratagemError) -> None:
        if isinstance(outcome, StratagemError):
            failures.append(outcome)
        report(next(numbers), outcome)

    if len(jobs) < 2:  # a single job may use all cores
        for job in jobs:
            on_outcome(_attempt(work, job))
    elif backend is not None:
        backend.map(partial(_attempt, work), jobs, on_outcome)
    elif available_cores() > 1:
        with closing(ProcessBackend()) as own:
            own.map(partial(_attempt, work), jobs, on_outcome)
    else:
        for job in jobs:
            on_outcome(_attempt(work, job))
    if failures:
        raise failures[0]


def _attempt(work: Callable[..., Result], job: tuple[Any, ...]) -> Result | StratagemError:
    try:
        return work(*job)
    except StratagemError as error:
        return error
