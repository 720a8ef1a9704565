"""`demo`: from nothing to a measured agent and a page with pictures."""

import json

import pytest

from stratagem.runs.folder import find_runs


@pytest.mark.slow
def test_demo_trains_measures_and_reports(cli, tmp_path):
    changes = (
        "selfplay.slots=16", "selfplay.positions=256", "search.sims=8", "replay.minimum=64",
        "learning.batch_size=32", "network.settings.filters=4", "network.settings.blocks=1",
    )  # fmt: skip
    small = [word for change in changes for word in ("--set", change)]
    answer = cli("demo", "--budget", "3s", "--games", "4", "--json", *small)
    assert answer.code == 0, answer.err
    result = json.loads(answer.out)
    assert [match["agents"][1]["spec"] for match in result["matches"]] == [
        "random", "mcts:none?sims=200", "scripted",
    ]  # fmt: skip
    assert result["iterations"] >= 1
    (found,) = find_runs(tmp_path / "runs", 3)  # where `serve` and `runs` look for it
    assert result["run"] == str(found.path.relative_to(tmp_path))
    folder = tmp_path / "runs" / "demo"
    page = (folder / "report.md").read_text()
    for part in ("Strength", "Losses", "Measures", "game.png", "measures.png"):
        assert part in page
    assert (folder / "game.png").is_file()
