"""Writes files so that a kill at any moment leaves the old content or the new, never half."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE = 0o600  # files that only the owner may read
SHARED = 0o644


def write_fully(descriptor: int, data: bytes) -> None:
    """Write everything, however many system calls it takes, and wait until it is on disk."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def write_new(file: Path, data: bytes) -> None:
    """Write a file into a folder that nobody else uses yet."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, SHARED)
    try:
        write_fully(descriptor, data)
    finally:
        os.close(descriptor)


def append_fully(file: Path, text: str, mode: int = SHARED, create: bool = True) -> None:
    """Append text, on a new line even if the last one was cut off.

    The text is on disk when this returns. On failure the file keeps its old length. Links are
    refused: in somebody else's folder they may lead to your files.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    descriptor = os.open(file, flags, mode)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            text = "\n" + text
        try:
            write_fully(descriptor, text.encode())
        except BaseException:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written to, before hours of work rather than after."""
    place = folder
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    if not os.access(place, os.W_OK | os.X_OK):
        reading = os.statvfs(place).f_flag & os.ST_RDONLY
        reason = errno.EROFS if reading else errno.EACCES
        raise OSError(reason, os.strerror(reason), str(place))


def check_file(file: Path) -> None:
    """Do the same for a file; an existing one may be replaced."""
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    check_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(file: Path, content: str | bytes, mode: int = SHARED) -> None:
    """Replace a file's content in one step. Pipes and devices are refused: they would be lost."""
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    if file.exists() and not file.is_file():
        error = OSError(errno.EINVAL, "it is not a regular file", str(file))
        error.add_note("give the path of a regular file")
        raise error
    data = content.encode() if isinstance(content, str) else content
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        error.filename = str(file)  # nobody knows the temporary one
        raise
    temporary = Path(name)
    try:
        try:
            write_fully(descriptor, data)
        finally:
            os.close(descriptor)
        temporary.chmod(mode)
        temporary.replace(file)
        sync_folder(file.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that becomes `folder` in one step if the block succeeds."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        yield temporary
        sync_folder(temporary)
        temporary.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
