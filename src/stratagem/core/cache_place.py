"""Find a writable place for compiled code when the usual one is read-only or missing.

Numba looks up the folder when the first kernel is defined, and again in every process that is
started. So the choice is made before that and passed on in `$STRATAGEM_CACHE`.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from stratagem.core.files import check_folder

_VARIABLE = "STRATAGEM_CACHE"


def provide_cache() -> None:
    """Use a private temporary folder if the usual place does not work."""
    try:
        check_folder(_usual_place())
        return
    except (OSError, RuntimeError):  # the latter: a user without a home folder
        pass
    try:
        os.environ[_VARIABLE] = str(_private_folder())
    except OSError:
        return  # compiling will report the error


def _usual_place() -> Path:
    """Return the folder that `compile.cache_root` would use."""
    if chosen := os.environ.get(_VARIABLE):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "stratagem"


def _private_folder() -> Path:
    """Return the same folder at every start. Code is loaded from it, so we must own it."""
    folder = Path(tempfile.gettempdir()) / f"stratagem-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        if not mine or found.st_mode & 0o022:
            return Path(tempfile.mkdtemp(prefix="stratagem-"))
    return folder
