"""Every promise names what proves it, and that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reliability.md"


def test_every_promise_names_a_test_that_exists():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    promises = [line for line in rows if not line.startswith("| promise")]
    assert len(promises) > 30
    for line in promises:
        named = re.findall(r"`((?:tests|benchmarks|scripts)/[^`]+)`", line)
        assert named, f"no test: {line}"
        assert [name for name in named if not (ROOT / name).is_file()] == [], line


def test_make_chaos_runs_everything_that_is_there():
    recipe = (ROOT / "Makefile").read_text()
    there = {file.name for file in (ROOT / "tests" / "chaos").glob("*.py")}
    assert [name for name in there - {"test_chaos.py"} if f"chaos/{name}" not in recipe] == []
