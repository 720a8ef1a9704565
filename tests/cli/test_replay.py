"""`replay` verifies before it shows."""

import json


def test_json_tells_the_whole_game(cli, record):
    answer = cli("replay", record, "--json")
    assert answer.code == 0
    shown = json.loads(answer.out)
    assert shown["verified"] is True
    assert shown["plies"] == len(shown["events"]) == shown["ply"]
    assert shown["agents"] == ["random", "random"]
    assert sorted(shown["returns"]) in ([-1.0, 1.0], [0.0, 0.0])


def test_one_ply_shows_one_position(cli, record):
    first = cli("replay", record, "--ply", "0")
    assert first.out.count(". . . . . . .") == 6  # the empty board
    assert "position 0" in first.out
    assert cli("replay", record, "--ply", "999").code == 2
    last = json.loads(cli("replay", record, "--ply", "-1", "--json").out)
    assert last["ply"] == last["plies"]


def test_boards_shows_every_position(cli, record):
    plies = json.loads(cli("replay", record, "--json").out)["plies"]
    boards = cli("replay", record, "--boards").out.count("1 2 3 4 5 6 7")
    assert boards == plies + 1


def test_strip_is_a_picture(cli, record, tmp_path):
    assert cli("replay", record, "--strip", "strip.png", "--panels", "3").code == 0
    assert (tmp_path / "strip.png").read_bytes().startswith(b"\x89PNG")
