"""Kills at random moments, over three algorithms and three backends.

    python tests/chaos/kills.py [--kills N] [--backends threads,processes,ray]

Each run is a process that is killed and started again until it is done; what it leaves behind must
be what an undisturbed run leaves. A run that ends before it was killed often enough is followed by
another one.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from train.alphazero.tiny import left_over, outcome

RUNS = {
    "alphazero": ("connect_four?columns=4&rows=4&connect=3", 6, [
        "selfplay.slots=4", "selfplay.workers=2", "selfplay.positions=64", "search.sims=4",
        "replay.minimum=16", "learning.batch_size=16", "learning.threads=1", "anchors.times=0",
        "network.settings.filters=4", "network.settings.blocks=1"]),
    "ppo": ("hispania/duel8", 4, ["play.games=4", "play.workers=2", "anchors.times=0"]),
    "hdqn": ("catan/thesis?target=4&turn_limit=80", 4, [
        "episodes.slots=2", "episodes.per_iteration=2", "anchors.times=0"]),
}  # fmt: skip

PRESETS = {"hdqn": "hdqn"}  # where the game's default one is of another algorithm


def command(algorithm: str, backend: str, path: Path) -> list[str]:
    """Start the run, or go on with it."""
    stratagem = [sys.executable, "-c", "from stratagem.cli.main import main; main()"]
    if (path / "config.toml").exists():
        return [*stratagem, "train", "--resume", "--run", str(path), "--backend", backend]
    game, iterations, changes = RUNS[algorithm]
    words = ["train", game, "--algo", algorithm, "--iterations", str(iterations), "--seed", "5",
             "--preset", PRESETS.get(algorithm, "default"), "--run", str(path),
             "--backend", backend]  # fmt: skip
    return [*stratagem, *words, *(word for one in changes for word in ("--set", one))]


def start(algorithm: str, backend: str, path: Path) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command(algorithm, backend, path), stdout=quiet, stderr=quiet)


def disturb(
    algorithm: str, backend: str, path: Path, kills: int, dice: random.Random, seconds: float
) -> int:
    """Kill so many times, then let it end; the kills that hit a process that was still running."""
    done = 0
    for _ in range(kills):
        process = start(algorithm, backend, path)
        try:
            process.wait(timeout=dice.uniform(0.3, 1.0) * seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            done += 1
        if process.returncode == 0:
            break
    assert start(algorithm, backend, path).wait() == 0, f"{path}: the run cannot be taken up"
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--algorithms", default=",".join(RUNS))
    parser.add_argument("--backends", default="threads,processes,ray")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice, killed = random.Random(given.seed), 0
    pairs = [(a, b) for a in given.algorithms.split(",") for b in given.backends.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        for algorithm, backend in pairs:
            whole = Path(folder) / f"{algorithm}-{backend}-whole"
            began = time.monotonic()
            assert start(algorithm, backend, whole).wait() == 0, f"{algorithm} on {backend} fails"
            seconds, expected = time.monotonic() - began, outcome(whole)
            each, here, runs = -(-given.kills // len(pairs)), 0, 0
            while here < each:
                path, runs = Path(folder) / f"{algorithm}-{backend}-{runs}", runs + 1
                here += disturb(algorithm, backend, path, each - here, dice, seconds)
                assert outcome(path) == expected, f"{algorithm} on {backend} ended differently"
                assert left_over(path) == []
            killed += here
            sys.stdout.write(
                f"{algorithm} on {backend}: {here} kills of {runs} runs, each ended the same\n"
            )
            sys.stdout.flush()
    sys.stdout.write(f"{killed} kills: every run ended like one left alone\n")


if __name__ == "__main__":
    main()
