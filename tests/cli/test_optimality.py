"""`optimality` on a board that is solved at once."""

import json

GAME = "connect_four?rows=4&columns=4&connect=3"


def test_shares_of_every_agent_and_source(cli, tmp_path):
    words = ("optimality", GAME, "random", "scripted", "--positions", "20", "--first-ply", "2")
    answer = cli(*words, "--solved", "solved.json", "--json")
    assert answer.code == 0, answer.err
    result = json.loads(answer.out)
    assert [source["games"] for source in result["sources"]] == ["random", "scripted"]
    for source in result["sources"]:
        assert [row["agent"] for row in source["agents"]] == ["random", "scripted"]
        for row in source["agents"]:
            assert row["holding"]["positions"] == 20
            assert row["best"]["share"] <= row["holding"]["share"]
    assert len(json.loads((tmp_path / "solved.json").read_text())) >= 20
    assert "keeps the result" in cli(*words, "--solved", "solved.json").out


def test_a_game_without_a_solver_is_refused(cli):
    answer = cli("optimality", "battlefield", "random", "--positions", "2")
    assert answer.code == 2
    assert "no solver" in answer.err
