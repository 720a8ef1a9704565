"""`demo`: from nothing to a measured agent and a page with pictures."""

import json

import pytest


@pytest.mark.slow
def test_demo_trains_measures_and_reports(cli, tmp_path):
    answer = cli("demo", "--budget", "5s", "--games", "4", "--out", "demo", "--json")
    assert answer.code == 0, answer.err
    result = json.loads(answer.out)
    assert [match["agents"][1]["spec"] for match in result["matches"]] == [
        "random", "mcts:none?sims=200",
    ]  # fmt: skip
    assert result["iterations"] >= 1
    page = (tmp_path / "demo" / "report.md").read_text()
    for part in ("Strength", "Losses", "Tactics", "game.png", "tactics.png"):
        assert part in page
    assert (tmp_path / "demo" / "game.png").is_file()
