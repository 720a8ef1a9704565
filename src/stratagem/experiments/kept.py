"""Stores the results of an experiment's jobs, one JSON file each, so that no job runs twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.reading import MEGABYTE, read_json
from stratagem.experiments.call import Call
from stratagem.experiments.processes import run_jobs

_MOST_BYTES = 256 * MEGABYTE


class Job(NamedTuple):
    """`work(*arguments)` returns plain data that fits into a JSON file."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]


def do_missing(what: str, jobs: Mapping[Path, Job], call: Call) -> None:
    """Run the jobs that have no file yet, in order and on all cores."""
    todo = [(job, file) for file, job in jobs.items() if not file.is_file()]
    done = 0

    def on_outcome(number: int, outcome: StratagemError | None) -> None:
        nonlocal done
        done += 1
        if outcome is not None or done == len(todo) or done % 10 == 0:
            failure = f", {outcome}" if outcome else ""
            call.progress(f"{what}: {done} of {len(todo)}{failure}")

    run_jobs(_do, todo, on_outcome, call.backend)


def _do(job: Job, file: Path) -> None:
    torch.set_num_threads(1)  # several threads stalled on a busy machine (experiments/LOG.md)
    keep(job.work(*job.arguments), file)


def keep(found: Any, file: Path) -> None:
    """Write a result to its file."""
    write_atomically(file, json.dumps(found) + "\n")


def read_kept(file: Path) -> Any:
    """Read a result from its file; refuse a damaged one."""
    try:
        return read_json(file, _MOST_BYTES)
    except OSError as error:
        raise BadSetting(f"cannot read {file}: {error.strerror}: check the path") from None
    except ValueError:
        raise BadSetting(
            f"{file} is damaged: delete it, and the same command creates it again"
        ) from None


def read_result(file: Path) -> dict[str, Any]:
    """Read the result of an experiment."""
    result = read_kept(file)
    if not isinstance(result, dict) or not isinstance(result.get("definition", {}), dict):
        raise BadSetting(
            f"{file} does not contain the result of an experiment: run the experiment again"
        )
    return result
