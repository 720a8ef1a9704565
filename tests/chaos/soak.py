"""A soak: training, or the server, for a long time; memory must stay flat after the first minutes.

    python tests/chaos/soak.py [--minutes M] [--warm-up M] [--only train|serve]

The server is used all the time: people play against searching agents, look at positions, ask for
hints, delete their games and send nonsense. Fails if the memory of the last tenth is more than 5 %
above that of the first tenth after the warm-up, or if a request fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

STRATAGEM = [sys.executable, "-c", "from stratagem.cli.main import main; main()"]
TRAIN = ["train", "connect_four", "--set", "search.sims=16", "--set", "selfplay.positions=2048",
         "--set", "anchors.times=0"]  # fmt: skip
PORT = 18431
MOST_GROWTH = 1.05
_PATIENCE = 300  # seconds for an answer: how fast they are is measured by benchmarks/web_load.py


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


class Visitor:
    """Somebody who plays, looks around, asks for hints and sends nonsense, until told to stop."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.done = threading.Event()
        self.games = self.requests = 0
        self.errors: list[str] = []

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        """One request; a refusal (4xx) is an answer too, anything else that fails is noted."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}/api/{path}", data, method=method)
        request.add_header("content-type", "application/json")
        self.requests += 1
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
                found = json.loads(answer.read() or b"{}")
                return found if isinstance(found, dict) else {}
        except urllib.error.HTTPError as error:
            if error.code >= 500:
                self.errors.append(f"{method} {path}: {error.code}")
        except OSError as error:
            if not self.done.is_set():
                self.errors.append(f"{method} {path}: {error}")
        return {}

    def look_around(self) -> None:
        for path in ("info", "games", "runs", "sessions", "setup?game=catan", "sessions/nobody"):
            self.ask("GET", path)
        self.ask("POST", "sessions", {"game": "chess", "seats": ["\u0000"]})
        self.ask("POST", "records", ["no record"])

    def play(self) -> None:
        """One game, or what there is time for."""
        game = self.dice.choice(("connect_four", "connect_four", "battlefield", "catan"))
        seats = ["human", *["mcts:none?sims=20"] * (3 if game == "catan" else 1)]
        session = self.ask("POST", "sessions", {"game": game, "seats": seats}).get("id")
        for _ in range(60):
            state = self.ask("GET", f"sessions/{session}")
            legal = state.get("legal")
            if self.done.is_set() or state.get("status") == "over" or not session:
                break
            if isinstance(legal, list) and legal:
                query = f"ply={state['plies']}&action={self.dice.choice(legal)['action']}"
                self.ask("GET", f"sessions/{session}/preview?{query}")
                move = {"action": self.dice.choice(legal)["action"], "ply": state["plies"]}
                self.ask("POST", f"sessions/{session}/act", move)
            self.done.wait(0.3)
        self.ask("POST", f"sessions/{session}/hint")
        self.ask("GET", f"sessions/{session}/positions?count=100")
        self.ask("DELETE", f"sessions/{session}")
        self.games += 1

    def visit(self) -> None:
        self.done.wait(20)  # until the server is there
        while not self.done.is_set():
            self.look_around()
            self.play()


def watch(process: subprocess.Popen[bytes], minutes: float) -> list[tuple[float, float]]:
    """(minutes since the beginning, megabytes) every few seconds, until time is up or it ends."""
    began, seen = time.monotonic(), []
    while time.monotonic() - began < 60 * minutes and process.poll() is None:
        time.sleep(2)
        seen.append(((time.monotonic() - began) / 60, memory_of(process.pid)))
    return seen


def soak(name: str, words: Sequence[str], minutes: float, warm_up: float) -> bool:
    """Run a command, look at its memory every few seconds, end it."""
    quiet, visitors = subprocess.DEVNULL, [Visitor(seed) for seed in range(3)]
    with subprocess.Popen([*STRATAGEM, *words], stdout=quiet, stderr=quiet) as process:
        threads = [threading.Thread(target=one.visit, daemon=True) for one in visitors]
        for thread in threads if name == "serve" else ():
            thread.start()
        seen = watch(process, minutes)
        ended_early = process.poll() is not None
        for one in visitors:
            one.done.set()
        process.terminate()
        process.wait(60)
    steady = [memory for at, memory in seen if at >= warm_up] or [0.0]
    part = max(1, len(steady) // 10)
    first, last = statistics.median(steady[:part]), statistics.median(steady[-part:])
    errors = [error for one in visitors for error in one.errors]
    fine = 0 < last <= MOST_GROWTH * first and not ended_early and not errors
    games, requests = (sum(getattr(one, key) for one in visitors) for key in ("games", "requests"))
    sys.stdout.write(
        f"{name}: {seen[-1][0]:.0f} minutes, {first:.0f} MB after the warm-up, {last:.0f} MB at "
        f"the end ({100 * (last / max(first, 1) - 1):+.1f} %), {games} games, {requests} requests, "
        f"{len(errors)} errors{'' if fine else ', FAILED'}\n"
    )
    sys.stdout.writelines(f"  {error}\n" for error in errors[:10])
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
