"""`replay` verifies before it shows."""

import json

import pytest


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


def test_names_of_others_are_text_and_stay_in_their_line(cli, record, tmp_path):
    first, *rest = record.read_text().splitlines()
    agents = ["$\\frac$", "random\nverified: 0 events"]  # a broken formula, and a line of ours
    record.write_text(
        "\n".join([json.dumps({**json.loads(first), "agents": agents}), *rest]) + "\n"
    )
    answer = cli("replay", record, "--strip", "strip.png")
    assert answer.code == 0, answer.err
    assert "2 random verified: 0 events\n" in answer.out
    assert (tmp_path / "strip.png").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ("--html", "m/game_0000.jsonl"), ("--html", "m/../m/game_0000.jsonl"), ("--html", ""),
        ("--html", "one.png", "--strip", "one.png"), ("--strip", "strip.jsonl"), ("--strip", ""),
        ("--html", "m"),
    ],
)  # fmt: skip
def test_nothing_is_written_over(cli, record, snapshot, words):
    before = snapshot()
    answer = cli("replay", "m/game_0000.jsonl", *words)
    assert answer.code == 2 and answer.err.count("\n") == 1, answer.err
    assert snapshot() == before
