"""The other process: starts the worker under Catanatron's Python and talks to it in JSON lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from translate import frame

from stratagem.agents.external_process import ExternalProcess, NoAnswer

WORKER = Path(__file__).with_name("worker.py")
VARIABLE = "CATANATRON_PYTHON"
_PATIENCE = 600.0  # seconds for one answer
_LONGEST_ANSWER = 1 << 26  # characters: one answer may hold the tables of hundreds of games


@contextmanager
def start_catanatron(python: str | None = None) -> Iterator[ExternalProcess]:
    """A running worker; it ends with the context."""
    chosen = python or os.environ.get(VARIABLE)
    if not chosen or not Path(chosen).exists():
        print(
            f"no Python with Catanatron: name one with --python or {VARIABLE} (see README.md)",
            file=sys.stderr,
        )
        sys.exit(2)
    worker = ExternalProcess([chosen, str(WORKER)], _PATIENCE, _LONGEST_ANSWER)
    try:
        worker.ask({"do": "frame", **frame()})
        yield worker
    except NoAnswer as error:
        sys.exit(f"the worker of Catanatron failed: {error}")
    finally:
        worker.stop()
