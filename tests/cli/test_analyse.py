"""`analyse` speaks KataGo's field names and says whose numbers they are."""

import json


def analyse(cli, *words):
    answer = cli("analyse", *words, "--agent", "mcts:none?sims=60", "--json")
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_opening_position(cli):
    result = analyse(cli, "connect_four")
    assert result["turnNumber"] == 0
    assert result["rootInfo"]["visits"] == sum(m["visits"] for m in result["moveInfos"]) == 60
    assert result["rootInfo"]["currentPlayer"] == 0 and "player 1" in result["perspective"]
    moves = result["moveInfos"]
    assert [move["order"] for move in moves] == list(range(7))
    assert {move["move"] for move in moves} == set("1234567")
    assert abs(sum(move["prior"] for move in moves) - 1.0) < 1e-4
    assert moves == sorted(moves, key=lambda move: -move["visits"])
    for move in moves:
        if move["visits"]:
            assert move["winrate"] == (move["value"] + 1.0) / 2.0 and move["loss"] >= 0.0
        else:
            assert move["value"] is None and move["loss"] is None


def test_position_of_a_record_marks_what_was_played(cli, record):
    result = analyse(cli, record, "--ply", "2")
    events = json.loads(cli("replay", record, "--json").out)["events"]
    played = [move for move in result["moveInfos"] if move["played"]]
    assert [move["action"] for move in played] == [events[2]["action"]]


def test_all_decisions(cli, record):
    plies = json.loads(cli("replay", record, "--json").out)["plies"]
    turns = analyse(cli, record, "--all")["turns"]
    assert [turn["turnNumber"] for turn in turns] == list(range(plies))
    assert [turn["rootInfo"]["currentPlayer"] for turn in turns] == [i % 2 for i in range(plies)]


def test_a_game_with_dice_starts_where_a_seat_decides(cli):
    result = analyse(cli, "dice/three", "--ply", "1")
    assert result["rootInfo"]["currentPlayer"] >= 0


def test_tables_for_people(cli, record):
    words = ("--agent", "mcts:none?sims=20")
    assert "visits" in cli("analyse", record, "--top", "2", *words).out
    assert "played" in cli("analyse", record, "--all", *words).out


def test_an_agent_that_does_not_search_is_refused(cli):
    answer = cli("analyse", "connect_four", "--agent", "random")
    assert answer.code == 2 and "does not search" in answer.err


def test_the_end_has_nothing_to_analyse(cli, record):
    plies = json.loads(cli("replay", record, "--json").out)["plies"]
    assert cli("analyse", record, "--ply", str(plies)).code == 2
