"""Run everything that a change must pass: `python scripts/gate.py [--fast]`.

The static checks run first, two at a time. Meanwhile every game is compiled once; otherwise, with
an empty cache, all test processes would compile the same games. Then the tests run. A failed stage
does not stop the next one. The last lines list the stages with their times, followed by pytest's
summary line. `--fast` leaves out slow tests, the compiling and the front end (TypeScript, vitest);
without it, the slowest tests are listed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_FOLDERS = ("src", "tests", "scripts", "benchmarks", "experiments")
BIN = Path(sys.executable).parent
WEB = ROOT / "web"


@dataclass(frozen=True)
class Stage:
    """One command that must end with 0."""

    name: str
    command: tuple[str, ...]
    folder: Path = ROOT
    skipped: str = ""  # why it cannot run here


@dataclass(frozen=True)
class Outcome:
    stage: Stage
    seconds: float
    code: int
    output: str

    @property
    def passed(self) -> bool:
        return self.code == 0

    def line(self) -> str:
        if self.stage.skipped:
            return f"{self.stage.name:<12} skipped: {self.stage.skipped}"
        word = "ok" if self.passed else "failed"
        return f"{self.stage.name:<12} {self.seconds:6.1f} s  {word}"


def first_stages(fast: bool) -> list[Stage]:
    """What comes before the tests; the longest first."""
    stages = [
        Stage("types", (str(BIN / "mypy"),)),
        Stage("format", (str(BIN / "ruff"), "format", "--check", "--quiet", *PYTHON_FOLDERS)),
        Stage("lint", (str(BIN / "ruff"), "check", "--quiet", *PYTHON_FOLDERS)),
        Stage("docs", (sys.executable, "scripts/docs_site.py")),
        Stage("contracts", (str(BIN / "lint-imports"), "--no-logo")),
        Stage("licences", (sys.executable, "scripts/audit.py")),
    ]
    if fast:
        return stages
    missing = _missing_for_web()
    page = [("typescript", ("npx", "tsc", "--noEmit")), ("vitest", ("npx", "vitest", "run"))]
    return [
        stages[0],
        kernel_stage(),
        *stages[1:],
        *(Stage(name, command, WEB, missing) for name, command in page),
    ]


def _missing_for_web() -> str:
    if shutil.which("npx") is None:
        return "no node (Debian: apt-get install nodejs npm)"
    if not (WEB / "node_modules" / ".package-lock.json").is_file():
        return "no packages of the page (npm --prefix web ci)"
    return ""


def kernel_stage() -> Stage:
    """Compile what the tests need; nothing to do where it is compiled already."""
    return Stage("kernels", (str(BIN / "stratagem"), "warm"))


def test_stage(fast: bool) -> Stage:
    """Every test, or those that were measured to be quick (tests/durations.py)."""
    workers = os.environ.get("WORKERS", "2")
    command = [sys.executable, "-m", "pytest", "-n", workers, "--dist", "worksteal"]
    extent = ["--quick"] if fast else ["--durations=30", "--durations-min=5"]
    return Stage("tests", (*command, *extent))


def run_stage(stage: Stage, show: bool = False) -> Outcome:
    """Run a stage to its end and keep its output; `show` also passes it on line by line."""
    if stage.skipped:
        return Outcome(stage, 0.0, 0, "")
    began, lines = time.perf_counter(), []
    with subprocess.Popen(
        stage.command, cwd=stage.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if show:
                _say(line.rstrip())
    return Outcome(stage, time.perf_counter() - began, process.returncode, "".join(lines))


def run_gate(first: Sequence[Stage], tests: Stage) -> int:
    """Run everything and name what failed; 1 if anything did."""
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(run_stage, first))
    for outcome in outcomes:
        _say(outcome.line())
        if not outcome.passed:
            _say(outcome.output.rstrip())
    tested = run_stage(tests, show=True)
    outcomes.append(tested)
    failed = [outcome.stage.name for outcome in outcomes if not outcome.passed]
    _say("")
    for outcome in outcomes:
        _say(outcome.line())
    _say(f"failed: {', '.join(failed)}" if failed else "all stages passed")
    _say(tested.output.rstrip().rpartition("\n")[2])  # pytest's closing line
    return 1 if failed else 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    fast = "--fast" in sys.argv[1:]
    return run_gate(first_stages(fast), test_stage(fast))


if __name__ == "__main__":
    sys.exit(main())
