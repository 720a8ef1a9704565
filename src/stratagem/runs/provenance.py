"""Where a result comes from: versions, commit, machine and command."""

from __future__ import annotations

import os
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
from stratagem.backend.cores import available_cores

_PROCESSOR = Path("/proc/cpuinfo")
_WIDEST = ("sse4_2", "avx", "avx2", "avx512f", "avx512_bf16", "amx_bf16")
_CHOSEN = ("ATEN_CPU_CAPABILITY", "DNNL_MAX_CPU_ISA", "ONEDNN_MAX_CPU_ISA")
_PACKAGE = Path(stratagem.__file__).resolve().parent


@dataclass(frozen=True)
class Checkout:
    """The commit that this package runs from; empty outside a checkout."""

    commit: str
    changed: bool  # whether a tracked file was edited, or a file was added to the package

    def __str__(self) -> str:
        return self.commit + ("+" if self.changed else "")


# Written by publishing, as paths from the top of a checkout: numbers and pages, never code.
PUBLISHED = ("results", "docs/results")


def find_checkout(ignore: Sequence[str] = PUBLISHED) -> Checkout:
    """Return the commit and state of the checkout; ignore changes below `ignore`."""

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


def find_instructions() -> str:
    """Return the widest instruction sets of this processor; libraries choose code by them."""
    try:
        text = _PROCESSOR.read_text()
    except OSError:
        return platform.processor() or platform.machine()
    flags = next((line.split(":")[1].split() for line in text.splitlines() if "flags" in line), [])
    found = [name for name in _WIDEST if name in flags]
    chosen = [f"{name}={os.environ[name]}" for name in _CHOSEN if name in os.environ]
    return " ".join([*found, *chosen]) or platform.machine()


class Provenance(BaseModel):
    """The circumstances in which a run was started."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stratagem: str = ""
    commit: str = ""  # ends with + if the checkout was changed
    python: str = ""
    torch: str = ""
    numpy: str = ""
    machine: str = ""
    instructions: str = ""  # the processor's widest instruction sets: they change the last digits
    cores: int = 0
    command: tuple[str, ...] = ()
    started: str = ""


def collect_provenance() -> Provenance:
    """Collect the current values on this machine."""
    return Provenance(
        stratagem=stratagem.__version__,
        commit=str(find_checkout()),
        python=platform.python_version(),
        torch=version("torch"),
        numpy=version("numpy"),
        machine=platform.machine(),
        instructions=find_instructions(),
        cores=available_cores(),
        command=tuple(map(_as_text, (Path(sys.argv[0]).name, *sys.argv[1:]))),
        started=datetime.now().isoformat(timespec="seconds"),
    )


def _as_text(word: str) -> str:
    """Decode a word of the command line; bytes that are not text, as in a path, are escaped."""
    return word.encode(errors="backslashreplace").decode()


# What changes the last digits of sums, and therefore the course of a run.
_DIGITS = {"instructions": "a processor with", "torch": "torch", "numpy": "numpy"}


def what_changed(before: Provenance, now: Provenance) -> str:
    """Describe how this machine differs from where a run was started; empty: not at all."""
    was, here = [], []
    for key, words in _DIGITS.items():
        old, new = getattr(before, key), getattr(now, key)
        if old and old != new:
            was.append(f"{words} {old}")
            here.append(f"{words} {new}")
    if not was:
        return ""
    return (
        f"the run was started on {' and '.join(was)} and continues with {' and '.join(here)}: "
        "its results will not be bit for bit the same"
    )
