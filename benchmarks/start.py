"""Measure how long `stratagem match GAME best random --games 2` takes to its first move.

    python benchmarks/start.py [GAME...] [--cold] [--repeats 3] [--json]

Each start is a separate process in a pseudo-terminal, as a person would run it. The table shows the
seconds until something is on the screen, until an agent has chosen the first move, and until the
command ends (medians of the repeats). Kernels and graphs come from the cache, which a first run
fills without being counted. With `--cold`, every start has its own empty cache.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from stratagem.core.registry import list_games

MOVED = "START_BENCHMARK_MOVED"  # the file that the hook writes
# Runs the command itself; the first answer of an agent leaves the time in a file.
HOOKED = f"""
import os, sys, time
import stratagem.core.driver.batch as batch
ask = batch.GameBatch.ask
def noting(self, *arguments, **options):
    actions = ask(self, *arguments, **options)
    batch.GameBatch.ask = ask
    with open(os.environ["{MOVED}"], "w") as stream:
        stream.write(str(time.monotonic()))
    return actions
batch.GameBatch.ask = noting
from stratagem.cli.main import main
main()
"""
PARTS = ("first_output_s", "first_move_s", "total_s")


def start(game: str, cache: Path | None = None) -> dict[str, float]:
    """The seconds of one start; `cache` replaces the cache folder of this user."""
    with tempfile.TemporaryDirectory() as folder:
        moved = Path(folder) / "moved"
        environment = os.environ | {MOVED: str(moved)}
        if cache is not None:
            environment["STRATAGEM_CACHE"] = str(cache)
        command = [sys.executable, "-c", HOOKED, "match", game, "best", "random", "--games", "2"]
        ours, theirs = pty.openpty()
        began = time.monotonic()
        process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        first, shown = _read_to_the_end(ours)
        code = process.wait()
        ended = time.monotonic()
        if code != 0 or not moved.is_file():
            sys.exit(f"{game}: the command ended with {code}:\n{shown.decode(errors='replace')}")
        times = (first, float(moved.read_text()), ended)
    return {part: at - began for part, at in zip(PARTS, times, strict=True)}


def _read_to_the_end(terminal: int) -> tuple[float, bytes]:
    """When the first byte came, and all of them."""
    first, shown = 0.0, b""
    while True:
        try:
            found = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end was closed
            found = b""
        if not found:
            os.close(terminal)
            return first, shown
        first = first or time.monotonic()
        shown += found


def measure(game: str, cold: bool, repeats: int) -> dict[str, float]:
    """Medians of several starts."""
    if not cold:
        start(game)
    found = []
    for _ in range(repeats):
        if cold:
            with tempfile.TemporaryDirectory() as cache:
                found.append(start(game, Path(cache)))
        else:
            found.append(start(game))
    return {part: statistics.median(one[part] for one in found) for part in PARTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="none: all")
    parser.add_argument("--cold", action="store_true", help="with an empty cache")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    games = arguments.games or [about.name for about, _ in list_games()]
    if not arguments.json:
        kind = "an empty cache" if arguments.cold else "a filled cache"
        print(f"with {kind}: seconds to the first output, to the first move, in all")
    rows = {}
    for game in games:
        rows[game] = measure(game, arguments.cold, arguments.repeats)
        if not arguments.json:
            cells = "".join(f"{rows[game][part]:8.2f}" for part in PARTS)
            print(f"{game:16}{cells}", flush=True)
    if arguments.json:
        print(json.dumps({"cold": arguments.cold, "games": rows}))


if __name__ == "__main__":
    main()
