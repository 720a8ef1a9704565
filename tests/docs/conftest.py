"""Commands of a page, run in this process and in an empty folder, with small budgets."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import uvicorn

from stratagem.cli.main import run

_TINY = (
    "--iterations 1 --set selfplay.slots=8 --set selfplay.positions=128 --set search.sims=4 "
    "--set replay.minimum=16 --set learning.batch_size=16 --set anchors.times=0"
)
# What a page says for people, and what a test can wait for.
QUICK = (
    (r"--budget \w+", _TINY),
    (r"--games \d+", "--games 2"),
    (r"sims=\d+", "sims=8"),
    (r"\bbest\b", "best:?sims=8"),
    (r"^stratagem serve", "stratagem serve --port 0 --data played"),
)


def commands(page: str) -> list[str]:
    """The commands of a page that begin with `stratagem`, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("stratagem ")]


@pytest.fixture
def run_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], list[str]]:
    """run_page(text) runs every command of a page, then its Python; gives what was printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)  # stops at once

    def call(page: str) -> list[str]:
        printed = []
        for command in commands(page):
            quick = command
            for long, short in QUICK:
                quick = re.sub(long, short, quick)
            monkeypatch.setattr("sys.stdin", io.StringIO("hint\n1\nq\n"))
            capsys.readouterr()
            code = run(shlex.split(quick)[1:])
            captured = capsys.readouterr()
            assert code == 0, f"{command}\n{captured.err[-2000:]}"
            assert captured.out.strip(), command
            printed.append(captured.out)
        for code_block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
            exec(compile(code_block, "page", "exec"), {"__name__": "__main__"})
            printed.append(capsys.readouterr().out)
        return printed

    return call
