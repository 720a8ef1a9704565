"""Kills at random moments, over three algorithms and three backends.

    python tests/chaos/kills.py [--kills N] [--algorithms ppo,hdqn] [--backends threads,ray]

Each run is a process that is killed and started again until it is done; what it leaves behind must
be what an undisturbed run leaves. A run that ends before it was killed often enough is followed by
another one. A kill comes while a run starts, or a random moment after one of its iterations, so it
may hit play, learning, saving or tidying. Nothing may be left of a killed process: no unfinished
file, no worker. Runs on Ray share a small cluster that outlives them.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Any

TESTS = str(Path(__file__).resolve().parents[1])

RUNS = {
    "alphazero": ("connect_four?columns=4&rows=4&connect=3", "default", [
        "selfplay.slots=4", "selfplay.workers=2", "selfplay.positions=64", "search.sims=4",
        "replay.minimum=16", "learning.batch_size=16", "learning.threads=1", "anchors.times=0",
        "network.settings.filters=4", "network.settings.blocks=1"]),
    "ppo": ("hispania/duel8", "default", [
        "play.games=2", "play.decisions=0", "play.workers=2", "opponents.every=1",
        "learning.batch_size=64", "learning.epochs=1", "learning.threads=1", "anchors.times=0",
        "network.settings.width=8", "network.settings.heads=2",
        "network.settings.feed_forward=1"]),
    "hdqn": ("catan/thesis?target=4&turn_limit=80", "hdqn", [
        "episodes.slots=2", "episodes.per_iteration=2", "learning.batch_size=8",
        "network.settings.hidden=[8]", "anchors.times=0"]),
}  # fmt: skip

WHILE_STARTING = 0.2  # of the kills
_STEP = 0.01  # seconds between two looks
_PATIENCE = 60.0  # seconds that workers of a killed process may need to notice it

# A start takes ten seconds, most of it imports: runs are forked from a process that has them.
_FORKS = get_context("forkserver")
_IMPORTED = ["stratagem.cli.training", "stratagem.train.alphazero.trainer",
             "stratagem.train.ppo.trainer", "stratagem.train.hdqn.trainer"]  # fmt: skip


def command(algorithm: str, backend: list[str], iterations: int, path: Path) -> list[str]:
    """The words that start the run, or go on with it."""
    if (path / "config.toml").exists():
        return ["train", "--resume", "--run", str(path), *backend]
    game, preset, changes = RUNS[algorithm]
    words = ["train", game, "--algo", algorithm, "--iterations", str(iterations), "--seed", "5",
             "--preset", preset, "--run", str(path), *backend]  # fmt: skip
    return [*words, *(word for one in changes for word in ("--set", one))]


def live(words: list[str], log: str) -> None:
    """The life of a run, in a session of its own; what it says goes to a file."""
    os.setsid()
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.argv = ["stratagem", *words]
    from stratagem.cli.main import main as stratagem

    stratagem()


class Chaos:
    """Kills of one algorithm on one backend."""

    def __init__(
        self,
        algorithm: str,
        backend: list[str],
        iterations: int,
        folder: Path,
        dice: random.Random,
    ) -> None:
        self.algorithm, self.backend, self.iterations = algorithm, backend, iterations
        self.folder, self.dice = folder, dice
        self.runs = 0
        self.hits: list[int] = []  # finished iterations at each kill
        self._log = folder / "said"
        path = folder / "whole"
        began = time.monotonic()
        process = self._start(path)
        while process.is_alive() and not finished(path):
            time.sleep(_STEP)
        self._first = time.monotonic() - began  # seconds until an iteration is over
        process.join()
        self._check(process.exitcode == 0, path, "does not end")
        self._pace = (time.monotonic() - began - self._first) / max(1, iterations - 1)
        self._expected = outcome(path)

    def kill(self, kills: int) -> None:
        """Kill one run after another until that many processes were hit."""
        while len(self.hits) < kills:
            path, self.runs = self.folder / str(self.runs), self.runs + 1
            while len(self.hits) < kills and self._hit(path):
                pass
            process = self._start(path)
            process.join()
            self._check(process.exitcode == 0, path, "cannot be taken up")
            self._check(outcome(path) == self._expected, path, "ended differently")
            self._check(not left_over(path), path, f"holds {left_over(path)}")

    def _hit(self, path: Path) -> bool:
        """Start or take up a run and kill it; False if it was done before."""
        process = self._start(path)
        if self.dice.random() < WHILE_STARTING:
            process.join(self.dice.uniform(0.0, self._first))
        else:
            wanted = finished(path) + 1
            while process.is_alive() and finished(path) < wanted:
                time.sleep(_STEP)
            process.join(self.dice.uniform(0.0, 1.5 * self._pace))
        process.kill()
        process.join()
        if process.exitcode >= 0:
            self._check(process.exitcode == 0, path, "failed")
            return False
        self.hits.append(finished(path))
        left = time.monotonic() + _PATIENCE
        while workers := session(process.pid):
            self._check(time.monotonic() < left, path, f"left processes {workers}")
            time.sleep(_STEP)
        return True

    def _start(self, path: Path) -> Any:
        words = command(self.algorithm, self.backend, self.iterations, path)
        process = _FORKS.Process(target=live, args=(words, str(self._log)))
        process.start()
        return process

    def _check(self, fine: bool, path: Path, what: str) -> None:
        if not fine:
            said = self._log.read_text(errors="replace")[-2000:]
            sys.exit(f"{self.algorithm} {' '.join(self.backend)}: {path.name} {what}\n{said}")


def finished(path: Path) -> int:
    """The last iteration that a run could be taken up from."""
    try:
        return int((path / "ckpt" / "latest").read_text().split()[0].removeprefix("step_"))
    except (OSError, ValueError, IndexError):
        return 0


def session(leader: int) -> list[int]:
    """Processes that are left of a session, the dead that nobody asked after aside."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, number = place.read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):  # it has ended meanwhile
            continue
        if int(number) == leader and state != "Z":
            found.append(int(place.parent.name))
    return found


@contextmanager
def cluster() -> Iterator[list[str]]:
    """A Ray cluster of this machine alone; the words that lead to it."""
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - others on this machine would starve its workers
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    try:
        yield ["--backend", "ray", "--address", found.address]
    finally:
        found.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=10, help="of each run")
    parser.add_argument("--algorithms", default=",".join(RUNS))
    parser.add_argument("--backends", default="threads,processes,ray")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    algorithms, backends = given.algorithms.split(","), given.backends.split(",")
    _FORKS.set_forkserver_preload(_IMPORTED)
    each = -(-given.kills // (len(algorithms) * len(backends)))
    dice, killed = random.Random(given.seed), 0
    for backend in backends:
        here = cluster() if backend == "ray" else nullcontext(["--backend", backend])
        with here as words, tempfile.TemporaryDirectory() as folder:
            for algorithm in algorithms:
                place = Path(folder) / algorithm
                place.mkdir()
                chaos = Chaos(algorithm, words, given.iterations, place, dice)
                chaos.kill(each)
                killed += len(chaos.hits)
                after = " ".join(map(str, chaos.hits))
                sys.stdout.write(
                    f"{algorithm} on {backend}: {len(chaos.hits)} kills of {chaos.runs} runs, "
                    f"after iterations {after}; each run ended the same\n"
                )
                sys.stdout.flush()
    sys.stdout.write(f"{killed} kills: every run ended like one left alone\n")


if __name__ == "__main__":
    sys.path.insert(0, TESTS)
    from train.alphazero.tiny import left_over, outcome

    main()
