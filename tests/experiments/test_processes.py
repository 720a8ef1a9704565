"""Repeated trainings: one that fails costs no other, nothing goes on after the experiment."""

import os
import subprocess
import sys
import time
from pathlib import Path

PARENT = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from stratagem.backend.worker_process import leave_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=leave_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 60).result()
"""


FAILING = """
from pathlib import Path
from types import SimpleNamespace
from stratagem.core.errors import BadSetting
from stratagem.experiments.call import Call
from stratagem.experiments import processes
from stratagem.experiments.kinds import repeats

def train(arm, values, path, deadline):
    if path.parent.name == "broken":
        raise BadSetting("its state is damaged")
    return "trained"

if __name__ == "__main__":
    repeats.train_one, processes.available_cores = train, lambda: 2
    arms = [SimpleNamespace(name="broken"), SimpleNamespace(name="sound")]
    settings = SimpleNamespace(model_dump=lambda mode: {})
    definition = SimpleNamespace(seeds=2, arms=arms, settings_of=lambda arm, seed: settings)
    try:
        repeats.train_all(definition, Call(0.0, 0.0, Path("nowhere"), 0, print), 0.0)
    except BadSetting as error:
        print("raised:", error)
"""


def test_a_run_that_fails_is_told_and_costs_no_other(tmp_path):
    script = tmp_path / "failing.py"
    script.write_text(FAILING)
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    *told, last = done.stdout.splitlines()
    assert sorted(line.partition(": ")[2] for line in told) == [
        "broken s0: its state is damaged", "broken s1: its state is damaged",
        "sound s0: trained", "sound s1: trained",
    ]  # fmt: skip
    assert last == "raised: its state is damaged"


def test_workers_end_with_a_killed_experiment(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    worker = int(parent.stdout.readline())
    os.kill(worker, 0)  # it is there
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while _is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(worker)


def _is_running(process):
    """Ended processes that nobody has collected yet do not count."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
