"""The `kernel` decorator for Numba, and a disk cache that can be trusted.

Two facts about Numba's cache shape this module.

* It does not notice edits to imported files. So each *room* (a game's folder, the search
package, …) caches in a directory named after a hash of its own sources and tables and of
core's kernels: any edit moves the cache, and stale code is never loaded.
* A closure over other compiled functions misses the cache in a new process, because each captured
dispatcher is pickled under a random identity. So every dispatcher gets a stable identity before
anything captures it.

With `NUMBA_DISABLE_JIT=1` a kernel is the plain Python function, so rules can be debugged.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_VERSIONS = 4  # older caches of a room that are kept, for switching branches
# The part of core that ends up in compiled code.
_CORE = (
    "batch.py", "compile.py", "driver/play_on.py", "prefetch.py", "random_kernels.py", "seats.py",
)  # fmt: skip
_COMPILED = (".py", ".csv")  # sources, and tables that they read
_FOR_PEOPLE = ("view", "notation")  # parts of a game (files or folders) without kernels
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy"}

Kernel = Callable[..., Any]


def cache_root() -> Path:
    """Return the folder for compiled code: `$STRATAGEM_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("STRATAGEM_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "stratagem"


def kernel(function: Callable[..., Any]) -> Kernel:
    """Compile a module-level function; its cache is keyed by the sources of its room."""
    module = function.__module__
    return kernel_in(room_of(module), f"{module}.{function.__qualname__}")(function)


def kernel_in(room: Path, identity: str, *captured: Path) -> Callable[[Callable[..., Any]], Kernel]:
    """Compile a function (or closure) into the cache of `room`, under a stable identity.

    `captured` names further rooms whose kernels a closure calls: edits there count too.
    """

    def decorate(function: Callable[..., Any]) -> Kernel:
        with _cache_directory(room, *captured):
            dispatcher = numba.njit(**_OPTIONS)(function)
        if hasattr(dispatcher, "_set_uuid"):  # absent when the JIT is off
            dispatcher._set_uuid(identity)
        compiled: Kernel = dispatcher
        return compiled

    return decorate


def room_of(module_name: str) -> Path:
    """Return the folder (or single file) whose sources decide what a module's kernels do."""
    module = sys.modules[module_name]
    file = Path(inspect.getfile(module)).resolve()
    if not file.is_relative_to(_PACKAGE):
        games = (folder for folder in file.parents if (folder / "game.toml").is_file())
        return next(games, file)
    relative = file.relative_to(_PACKAGE).parts
    depth = 2 if relative[0] == "games" else 1
    return _PACKAGE.joinpath(*relative[:depth])


@functools.cache
def source_key(*rooms: Path) -> str:
    """Hash everything that can end up in compiled code of these rooms."""
    digest = hashlib.blake2b(digest_size=8)
    files = [_PACKAGE / "core" / name for name in _CORE]
    for room in rooms:
        files += compiled_files(room) if room.is_dir() else [room]
    for file in files:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def compiled_files(room: Path) -> list[Path]:
    """Return the files of a room's folder that can affect compiled code."""
    return sorted(
        file
        for file in room.rglob("*")
        if file.suffix in _COMPILED
        and file.relative_to(room).parts[0].removesuffix(".py") not in _FOR_PEOPLE
    )


@contextmanager
def _cache_directory(room: Path, *captured: Path) -> Iterator[None]:
    own = room.is_relative_to(_PACKAGE)
    name = ".".join(room.relative_to(_PACKAGE).parts) if own else room.stem
    directory = cache_root() / "kernels" / name / source_key(room, *captured)
    if not directory.exists():
        forget_old_versions(directory.parent)
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = previous


def forget_old_versions(versions: Path) -> None:
    """Delete all but the newest cache folders of a room."""
    if not versions.is_dir():
        return
    by_age = sorted(versions.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in by_age[_KEPT_VERSIONS:]:
        shutil.rmtree(stale, ignore_errors=True)
