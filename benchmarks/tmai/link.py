"""The other process: starts Node with the worker, and talks to it in JSON lines."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stratagem.agents.external_process import ExternalProcess, NoAnswer

WORKER = Path(__file__).with_name("worker.js")
VARIABLE = "TMAI_PATH"
_PATIENCE = 600.0  # seconds for one answer


def find_tmai(path: str | None) -> Path | None:
    """The folder of tmai that was named, if it is one."""
    named = path or os.environ.get(VARIABLE)
    folder = Path(named) if named else None
    return folder if folder and (folder / "ai_lode.js").exists() else None


@contextmanager
def start_tmai(path: str | None = None) -> Iterator[ExternalProcess]:
    """A running worker; it ends with the context."""
    folder, node = find_tmai(path), shutil.which("node")
    if folder is None:
        _refuse(f"no tmai: name its folder with --tmai or {VARIABLE} (see README.md)")
    if node is None:
        _refuse("no Node: install node, the worker runs in it (see README.md)")
    worker = ExternalProcess([str(node), str(WORKER), str(folder)], _PATIENCE)
    try:
        yield worker
    except NoAnswer as error:
        sys.exit(f"the worker of tmai failed: {error}")
    finally:
        worker.stop()


def _refuse(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(2)
