"""The other process: starts the worker under Catanatron's Python and talks to it in JSON lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from translate import frame

WORKER = Path(__file__).with_name("worker.py")
VARIABLE = "CATANATRON_PYTHON"


class Catanatron:
    """A running worker; use it as a context."""

    def __init__(self, python: str | None = None) -> None:
        chosen = python or os.environ.get(VARIABLE)
        if not chosen or not Path(chosen).exists():
            raise SystemExit(
                f"no Python with Catanatron: name one with --python or {VARIABLE} (see README.md)"
            )
        self._process = subprocess.Popen(
            [chosen, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask({"do": "frame", **frame()})

    def ask(self, request: dict[str, Any]) -> Any:
        """Send one request and wait for its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            sys.exit("the worker has ended: see its message above")
        line = self._process.stdout.readline()
        if not line:
            sys.exit("the worker has ended: see its message above")
        return json.loads(line)

    def __enter__(self) -> Catanatron:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=10)
