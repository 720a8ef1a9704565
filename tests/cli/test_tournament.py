"""`tournament` writes a report with pictures and its JSON."""

import json


def test_report_pictures_and_json(cli, tmp_path):
    agents = ("random", "scripted", "mcts:none?sims=8")
    answer = cli("tournament", "connect_four", *agents, "--games", "4", "--out", "t", "--json")
    assert answer.code == 0
    result = json.loads(answer.out)
    assert [agent["spec"] for agent in result["agents"]] == list(agents)
    assert len(result["pairs"]) == 3
    assert json.loads((tmp_path / "t" / "tournament.json").read_text()) == result
    page = (tmp_path / "t" / "report.md").read_text()
    for picture in ("ratings.png", "pairs.png"):
        assert picture in page
        assert (tmp_path / "t" / picture).read_bytes().startswith(b"\x89PNG")


def test_table_names_every_agent(cli):
    answer = cli("tournament", "connect_four", "random", "scripted", "--games", "2", "--out", "t")
    assert "scripted" in answer.out and "rating" in answer.out and "report.md" in answer.out
