"""Commands of a page, run in an empty folder, with small budgets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_RUNNER = Path(__file__).parent / "page_runner.py"


@pytest.fixture
def run_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """run_page(text) runs every command of a page, then its Python; gives what was printed."""

    def call(page: str) -> list[str]:
        file, folder = tmp_path / "page.md", tmp_path / "empty"
        file.write_text(page)
        folder.mkdir()
        monkeypatch.chdir(folder)
        done = subprocess.run(
            [sys.executable, str(_RUNNER), str(file)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        ran = json.loads(done.stdout)
        for one in ran:
            assert one["code"] == 0, f"{one['what']}\n{one['err'][-2000:]}"
            assert one["out"].strip(), one["what"]
        return [one["out"] for one in ran]

    return call
