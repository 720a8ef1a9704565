"""`match` prints the JSON that other programs rely on, and writes records that replay."""

import json

COUNTS = {"games", "wins", "draws", "losses", "score", "wilson", "mean_score"}


def test_json_has_the_keys_of_the_contract(cli):
    answer = cli("match", "connect_four", "random", "mcts:none?sims=8", "--games", "6", "--json")
    assert answer.code == 0
    result = json.loads(answer.out)
    assert set(result) >= {"game", "games", "agents"}
    assert result["game"] == "connect_four/default" and result["games"] == 6
    for agent in result["agents"]:
        assert set(agent) >= COUNTS | {"spec", "mean_decision_ms", "by_seat"}
        assert agent["wins"] + agent["draws"] + agent["losses"] == agent["games"] == 6
        assert agent["score"] == (agent["wins"] + agent["draws"] / 2) / 6
        assert [part["seat"] for part in agent["by_seat"]] == [0, 1]
        assert all(set(part) >= COUNTS for part in agent["by_seat"])


def test_fixed_seats_keep_the_first_agent_in_seat_0(cli):
    words = ("match", "connect_four", "random", "scripted", "--games", "4", "--json")
    fixed = json.loads(cli(*words, "--seats", "fixed").out)
    assert [part["seat"] for part in fixed["agents"][0]["by_seat"]] == [0]


def test_the_same_seed_gives_the_same_match(cli):
    def counts(seed):
        words = ("match", "connect_four", "random", "random", "--games", "20", "--json")
        agent = json.loads(cli(*words, "--seed", str(seed)).out)["agents"][0]
        return agent["wins"], agent["draws"], agent["mean_score"]

    assert counts(5) == counts(5)
    assert len({counts(seed) for seed in range(4)}) > 1


def test_out_writes_records_that_replay(cli, tmp_path):
    assert cli("match", "dice/three", "random", "random", "--games", "3", "--out", "m").code == 0
    files = sorted((tmp_path / "m").glob("game_*.jsonl"))
    assert len(files) == 3
    assert all(cli("replay", file).code == 0 for file in files)
    assert json.loads((tmp_path / "m" / "match.json").read_text())["games"] == 3


def test_table_for_people(cli):
    answer = cli("match", "connect_four", "random", "random", "--games", "2")
    assert "95 % interval" in answer.out and "random" in answer.out


def test_measures_of_the_game(cli):
    words = ("match", "battlefield/duel", "random", "random", "--games", "4", "--measures")
    measured = json.loads(cli(*words, "--json").out)["measures"]
    assert measured["random"] and all(one["count"] > 0 for one in measured["random"].values())
    assert "mean (values)" in cli(*words).out
    refused = cli("match", "connect_four", "random", "random", "--games", "2", "--measures")
    assert refused.code == 2 and "leave out --measures" in refused.err
