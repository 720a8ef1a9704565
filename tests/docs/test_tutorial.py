"""The tutorial's commands and Python run, one after another, at tiny budgets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text()


@pytest.mark.slow
def test_the_tutorial_runs(run_page: Callable[[str], list[str]]) -> None:
    trained, *_, game, analysed, replayed, python = run_page(PAGE)
    assert "stratagem play" in trained  # what to do next
    assert "visits" in analysed
    assert "verified" in replayed and Path("game.html").stat().st_size > 10_000
    assert Path("game.jsonl").is_file() and game
    assert "Tally(" in python
