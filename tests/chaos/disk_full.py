"""A disk that fills up: every write of this process fails once so many bytes were written.

    python tests/chaos/disk_full.py [--times N]

A run is stopped at random writes and taken up again; it must end like one that was left alone.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from train.alphazero.tiny import left_over, outcome, start_run, take_up

SHORT = {
    "iterations": 3,
    "selfplay": {"slots": 4, "workers": 1, "positions": 24},
    "search": {"sims": 4},
    "replay": {"minimum": 16, "growth": 0.5},
    "anchors": {"times": 0},
}


class Disk:
    """Counts what is written; fails when `room` bytes are used up, as a full disk does."""

    def __init__(self, room: int | None = None) -> None:
        self.room = room
        self.used = 0
        self._write = os.write

    def write(self, descriptor: int, data: bytes) -> int:
        size = len(data)
        if self.room is not None and self.used + size > self.room:
            fits = self.room - self.used
            if fits > 0:  # a short write first, then none
                self.used += self._write(descriptor, bytes(data)[:fits])
                return fits
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.used += size
        return self._write(descriptor, data)


@contextlib.contextmanager
def disk(room: int | None = None) -> Iterator[Disk]:
    found = Disk(room)
    with mock.patch("os.write", found.write):
        yield found


def survives(path: Path, room: int, expected: dict[str, object]) -> None:
    """Fill the disk, see the one error that may come of it, go on, compare."""
    trainer = start_run(path, **SHORT)
    with disk(room):
        try:
            trainer.run()
        except OSError as error:
            assert error.errno == errno.ENOSPC, error
        else:
            raise AssertionError(f"{room} bytes were enough")
    take_up(path).run()
    assert outcome(path) == expected, f"full after {room} bytes"
    assert left_over(path) == [], f"full after {room} bytes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        with disk() as whole:
            start_run(Path(folder) / "whole", **SHORT).run()
        expected = outcome(Path(folder) / "whole")
        for number in range(given.times):
            survives(Path(folder) / str(number), dice.randrange(1, whole.used), expected)
    sys.stdout.write(f"full at {given.times} random writes: nothing lost\n")


if __name__ == "__main__":
    main()
