"""Run the commands of a page, then its Python, in one process; what they printed comes out as JSON.

    python tests/docs/page_runner.py PAGE.md

A process of its own: commands start threads, open sockets and keep streams, which would otherwise
outlive them inside the process that runs the tests.
"""

import contextlib
import io
import json
import re
import shlex
import sys
from pathlib import Path

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


def run_command(command: str) -> dict[str, object]:
    for long, short in QUICK:
        command = re.sub(long, short, command)
    out, err = io.StringIO(), io.StringIO()
    sys.stdin = io.StringIO("hint\n1\nq\n")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(shlex.split(command)[1:])
    return {"what": command, "code": code, "out": out.getvalue(), "err": err.getvalue()}


def run_python(source: str) -> dict[str, object]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "page", "exec"), {"__name__": "__main__"})
    return {"what": source, "code": 0, "out": out.getvalue(), "err": ""}


def main() -> None:
    page = Path(sys.argv[1]).read_text()
    uvicorn.Server.run = lambda self, sockets: None  # type: ignore[method-assign]  # stops at once
    ran = [run_command(command) for command in commands(page)]
    ran += [run_python(text) for text in re.findall(r"```python\n(.*?)```", page, re.DOTALL)]
    json.dump(ran, sys.stdout)


if __name__ == "__main__":
    main()
