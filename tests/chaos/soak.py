"""A soak: training, or the server, for a long time; memory must stay flat after the first minutes.

    python tests/chaos/soak.py [--minutes M] [--warm-up M] [--only train|serve]

Prints the memory of each minute; fails if the last tenth is more than 5 % above the first one after
the warm-up.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

STRATAGEM = [sys.executable, "-c", "from stratagem.cli.main import main; main()"]
TRAIN = ["train", "connect_four", "--set", "search.sims=16", "--set", "selfplay.positions=2048",
         "--set", "anchors.times=0"]  # fmt: skip
PORT = 18431
MOST_GROWTH = 1.05


def memory_of(process: int) -> float:
    """Megabytes that a process and its children hold."""
    total = 0.0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "status").read_text()
        except OSError:
            continue
        values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if int(entry.name) == process or int(values["PPid"]) == process:
            total += int(values.get("VmRSS", "0 kB").split()[0]) / 1e3
    return total


def ask(path: str) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/{path}", timeout=60) as answer:
        answer.read()


def soak(name: str, words: Sequence[str], minutes: float, warm_up: float) -> bool:
    """Run a command, look at its memory every few seconds, end it."""
    began, seen = time.monotonic(), []
    quiet = subprocess.DEVNULL
    with subprocess.Popen([*STRATAGEM, *words], stdout=quiet, stderr=quiet) as process:
        while time.monotonic() - began < 60 * minutes and process.poll() is None:
            time.sleep(2)
            if name == "serve" and time.monotonic() - began > 20:
                for path in ("info", "games", "runs", "setup?game=catan"):
                    ask(path)
            seen.append(((time.monotonic() - began) / 60, memory_of(process.pid)))
        ended_early = process.poll() is not None and time.monotonic() - began < 60 * minutes - 5
        process.terminate()
        process.wait(60)
    steady = [memory for at, memory in seen if at >= warm_up]
    part = max(1, len(steady) // 10)
    first, last = statistics.median(steady[:part]), statistics.median(steady[-part:])
    fine = last <= MOST_GROWTH * first and not ended_early
    sys.stdout.write(
        f"{name}: {minutes:g} minutes, {first:.0f} MB after the warm-up, {last:.0f} MB at the end "
        f"({100 * (last / first - 1):+.1f} %){'' if fine else ', FAILED'}\n"
    )
    sys.stdout.flush()
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--warm-up", type=float, default=10)
    parser.add_argument("--only", choices=("train", "serve"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        budget = f"{int(60 * given.minutes + 600)}s"
        os.chdir(folder)
        train = [*TRAIN, "--budget", budget, "--run", "run"]
        serve = ["serve", "--port", str(PORT), "--data", folder]
        fine = True
        if given.only != "serve":
            fine &= soak("train", train, given.minutes, given.warm_up)
        if given.only != "train":
            fine &= soak("serve", serve, given.minutes, given.warm_up)
        os.chdir("/")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
