"""`stratagem queue`: runs experiments one after another until all are done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.backend.cores import available_cores
from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_note, print_table
from stratagem.core.errors import BadSetting
from stratagem.runs.lock import hold_run

if TYPE_CHECKING:
    from stratagem.experiments.queue import QueuedExperiment


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The queue file.")] = Path(
        "experiments/queue.toml"
    ),
    only_list: Annotated[
        bool,
        typer.Option("--list", help="Show what is done, what is left and how long it will take."),
    ] = False,
    cores: Annotated[
        int, typer.Option("--cores", min=0, help="Number of cores to use; 0: all.")
    ] = 0,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Publish every result; requires a clean checkout."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run the unfinished experiments in a queue; resumes after any interruption."""
    from stratagem.experiments.publish import clean_commit
    from stratagem.experiments.queue import read_queue, run_queue

    queue = read_queue(file)
    if only_list:
        _show(queue, as_json)
        return
    if publish:
        clean_commit()  # before a day of training, not after
    if cores:
        _use_cores(cores)
    with hold_run(queue[0].folder.parent):
        ended = run_queue(file, lambda one: _run_one(one, publish), print_note)
    _show(read_queue(file), as_json)
    if "failed" in ended.values():
        raise typer.Exit(1)


def _run_one(one: QueuedExperiment, publish: bool) -> int:
    """Run an experiment in its own process with its output in log.txt; return the exit code."""
    arguments = ["experiment", one.name, "--budget", f"{one.budget_seconds:g}s", "--seed",
                     str(one.seed), "--out", str(one.folder)]  # fmt: skip
    arguments += ["--publish"] if publish else []
    one.folder.mkdir(parents=True, exist_ok=True)
    with (one.folder / "log.txt").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(os.getpid()), *arguments],
            stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    if code:
        last = (one.folder / "log.txt").read_text(errors="replace").strip().splitlines()[-1:]
        print_note(f"{one.name}: {' '.join(last)}")
    return code


# The child exits when the queue does: a killed queue must not leave a running experiment.
_CHILD = """
import os, sys, threading, time
queue = int(sys.argv[1])
def watch():
    while os.getppid() == queue:
        time.sleep(0.5)
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
from stratagem.cli.main import run
sys.exit(run(sys.argv[2:]))
"""


def _use_cores(count: int) -> None:
    if count > available_cores() or not hasattr(os, "sched_setaffinity"):
        raise BadSetting(f"--cores {count}: this process may use {available_cores()}")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


def _show(queue: list[QueuedExperiment], as_json: bool) -> None:
    from stratagem.experiments.queue import duration, left_seconds

    if as_json:
        print_json(
            {
                "experiments": [one.as_json() for one in queue],
                "left_seconds": round(left_seconds(queue), 1),
            }
        )
        return
    print_table(
        ["experiment", "state", "budget", "spent", "left"],
        [
            [one.name, one.state, duration(one.budget_seconds), duration(one.spent_seconds),
             duration(one.left_seconds)]
            for one in queue
        ],
    )  # fmt: skip
    done = sum(one.state == "done" for one in queue)
    smaller = sum(one.state == "smaller" for one in queue)
    published = f", {smaller} published with less time" if smaller else ""
    print_line(
        f"{done} of {len(queue)} done{published}; about {duration(left_seconds(queue))} left"
    )
