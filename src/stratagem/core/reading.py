"""Reads files that somebody else may have made: only regular files, and none that is too large.

A pipe, a device or a link to one would block or never end, and the size is checked before anything
is read. A refused file raises an OSError whose `strerror` says why, like any unreadable file.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MEGABYTE = 1_000_000
MOST_TEXT = 16 * MEGABYTE  # cards, states in JSON, settings, scenarios
MOST_TENSORS = 64_000 * MEGABYTE  # the manifest has the true size; this only limits nonsense


class Unreadable(OSError):
    """A file that is not read because of what it is, not because the disk refuses."""


def read_regular(file: Path, most: int = MOST_TEXT) -> bytes:
    """Read a regular file of at most this many bytes."""
    with open_regular(file, most) as descriptor, open(descriptor, "rb", closefd=False) as stream:
        # Memory for the whole size is allocated at once, so it must not exceed the file.
        there = os.fstat(descriptor).st_size
        return stream.read(min(most, there)) or b""


def read_json(file: Path, most: int = MOST_TEXT) -> Any:
    """Parse a JSON file; anything wrong with its text is a ValueError, even deep nesting."""
    try:
        return json.loads(read_regular(file, most))
    except RecursionError:
        raise ValueError(f"{file.name} is nested too deeply") from None


def at_home(path: Path) -> Path:
    """Expand `~` and `~NAME` in a path; the home of an unknown user is left as written."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


@contextmanager
def open_regular(file: Path, most: int = MOST_TENSORS) -> Iterator[int]:
    """Open a regular file of at most this many bytes for reading; yield its descriptor."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        _check_regular(file, os.fstat(descriptor), most)
        yield descriptor
    finally:
        os.close(descriptor)


def _check_regular(file: Path, found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(file))
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable(errno.EINVAL, "it is not a regular file", str(file))
    if found.st_size > most:
        text = f"it has {found.st_size:,} bytes, but at most {most:,} are read"
        raise Unreadable(errno.EFBIG, text, str(file))
