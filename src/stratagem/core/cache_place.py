"""A place for compiled code where the usual one cannot be written: a read-only home, or none.

Compiling asks for its folder when the first kernel is defined, and again in every process that is
started, so the choice is made before that and handed on in `$STRATAGEM_CACHE`.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from stratagem.core.files import check_folder

_VARIABLE = "STRATAGEM_CACHE"


def provide_cache() -> None:
    """Leave everything as it is where it works; else choose a private temporary folder."""
    try:
        check_folder(_usual_place())
        return
    except (OSError, RuntimeError):  # the latter: a user without a home folder
        pass
    try:
        os.environ[_VARIABLE] = str(_private_folder())
    except OSError:
        return  # whoever compiles will be told


def _usual_place() -> Path:
    """As `compile.cache_root` finds it."""
    if chosen := os.environ.get(_VARIABLE):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "stratagem"


def _private_folder() -> Path:
    """The same at every start; code is loaded from it, so nobody else may have made it."""
    folder = Path(tempfile.gettempdir()) / f"stratagem-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        if not mine or found.st_mode & 0o022:
            return Path(tempfile.mkdtemp(prefix="stratagem-"))
    return folder
