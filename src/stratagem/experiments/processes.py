"""The jobs of an experiment on all cores: one process each, which ends with the experiment.

Processes, not threads: networks this small leave Python no time to share.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from stratagem.backend.cores import available_cores
from stratagem.core.errors import StratagemError

Result = TypeVar("Result")


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    report: Callable[[int, Result | StratagemError], None],
) -> None:
    """`work(*job)` for every job; `report` gets its number and outcome when it ends.

    A job that fails does not cost the others: the first failure is raised when all are done.
    """
    failures: list[StratagemError] = []

    def finish(number: int, result: Callable[[], Result]) -> None:
        outcome: Result | StratagemError
        try:
            outcome = result()
        except StratagemError as error:
            failures.append(error)
            outcome = error
        report(number, outcome)

    workers = min(available_cores(), len(jobs))
    if workers > 1:
        with ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=leave_with_parent
        ) as pool:
            numbers = {pool.submit(work, *job): number for number, job in enumerate(jobs)}
            for future in as_completed(numbers):
                finish(numbers[future], future.result)
    else:
        for number, job in enumerate(jobs):
            finish(number, partial(work, *job))
    if failures:
        raise failures[0]


def leave_with_parent() -> None:
    """In a worker: end when the experiment is killed, so that nobody writes to a resumed run."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
