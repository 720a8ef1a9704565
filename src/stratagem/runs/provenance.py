"""Where a result comes from: versions, commit, machine and command."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel, ConfigDict

import stratagem

_PACKAGE = Path(stratagem.__file__).resolve().parent


@dataclass(frozen=True)
class Checkout:
    """The commit that this package runs from; empty outside a checkout."""

    commit: str
    changed: bool  # by an edit of a tracked file, or by a new file in the package

    def __str__(self) -> str:
        return self.commit + ("+" if self.changed else "")


# What publishing writes, from the top of a checkout: numbers and pages, nothing that is run.
PUBLISHED = ("results", "docs/results")


def find_checkout(ignore: Sequence[str] = PUBLISHED) -> Checkout:
    """Commit and state of the checkout; changes below `ignore` (from its top) do not count."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=_PACKAGE, capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    excluded = [f":(top,exclude){path}" for path in ignore]
    try:
        commit = git("rev-parse", "--short", "HEAD")
        edited = git("status", "--porcelain", "--untracked-files=no", "--", ":/", *excluded)
        added = git("ls-files", "--others", "--exclude-standard", ".")
        return Checkout(commit, bool(edited or added))
    except (OSError, subprocess.SubprocessError):
        return Checkout("", False)


class Provenance(BaseModel):
    """What a run was started with."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stratagem: str = ""
    commit: str = ""  # with a + where the checkout was changed
    python: str = ""
    torch: str = ""
    numpy: str = ""
    machine: str = ""
    command: tuple[str, ...] = ()
    started: str = ""


def collect_provenance() -> Provenance:
    """What is true now, on this machine."""
    return Provenance(
        stratagem=stratagem.__version__,
        commit=str(find_checkout()),
        python=platform.python_version(),
        torch=version("torch"),
        numpy=version("numpy"),
        machine=platform.machine(),
        command=(Path(sys.argv[0]).name, *sys.argv[1:]),
        started=datetime.now().isoformat(timespec="seconds"),
    )
