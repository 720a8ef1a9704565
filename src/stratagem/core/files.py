"""Writing files so that a kill at any moment leaves the old content or the new, never half."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE = 0o600  # files that only their owner may read
SHARED = 0o644


def write_fully(descriptor: int, data: bytes) -> None:
    """Write everything, however many steps the system takes, and wait until the disk has it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def write_new(file: Path, data: bytes) -> None:
    """Write a file into a folder that nobody else knows yet."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, SHARED)
    try:
        write_fully(descriptor, data)
    finally:
        os.close(descriptor)


def append_fully(file: Path, text: str, mode: int = SHARED, create: bool = True) -> None:
    """Add text, on a line of its own even after one that was cut off.

    It is on the disk when this returns. Where it fails the file is as long as before. A link is
    refused: in somebody else's folder it may lead to a file of yours.
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
    """Refuse, before hours of work, a folder in which nothing could be written after them."""
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
    """The same for a file; one that is there may be replaced."""
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    check_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the disk knows the names of the files in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(file: Path, content: str | bytes, mode: int = SHARED) -> None:
    """Replace a file's content in one step. A pipe or a device is refused: it would be gone."""
    if file.exists() and not file.is_file() and not file.is_dir():
        error = OSError(errno.EINVAL, "it is not a regular file", str(file))
        error.add_note("name a file")
        raise error
    data = content.encode() if isinstance(content, str) else content
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
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
    """A temporary folder that becomes `folder` in one step when the block ends well."""
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
