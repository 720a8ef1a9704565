"""The other process: starts Node with the worker, and talks to it in JSON lines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

WORKER = Path(__file__).with_name("worker.js")
VARIABLE = "TMAI_PATH"


def find_tmai(path: str | None) -> Path | None:
    """The folder of tmai that was named, if it is one."""
    named = path or os.environ.get(VARIABLE)
    folder = Path(named) if named else None
    return folder if folder and (folder / "ai_lode.js").exists() else None


class Tmai:
    """A running worker; use it as a context."""

    def __init__(self, path: str | None = None) -> None:
        folder, node = find_tmai(path), shutil.which("node")
        if folder is None:
            _refuse(f"no tmai: name its folder with --tmai or {VARIABLE} (see README.md)")
        if node is None:
            _refuse("no Node: install node, the worker runs in it (see README.md)")
        self._process = subprocess.Popen(
            [str(node), str(WORKER), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

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

    def __enter__(self) -> Tmai:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=30)


def _refuse(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(2)
