"""`play` with piped input: moves, numbers, undo, hints, and a record at the end."""

import io
import json
import re

import pytest


@pytest.fixture
def play(cli, monkeypatch):
    def talk(lines, *words):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
        return cli("play", *words)

    return talk


GAME = ("connect_four", "--opponent", "mcts:none?sims=16", "--seed", "3")


def test_a_whole_game_is_saved_and_replays(play, cli):
    moves = [str(1 + i % 7) for i in range(60)]
    answer = play(moves, *GAME, "--save", "game.jsonl", "--json")
    assert answer.code == 0
    result = json.loads(answer.out)
    assert result["finished"] is True and len(result["returns"]) == 2
    shown = json.loads(cli("replay", "game.jsonl", "--json").out)
    assert shown["hash"] == result["hash"]
    assert shown["agents"] == ["human", "mcts:none?sims=16"]


def test_notation_goes_before_the_number_in_the_list(play, cli):
    play(["3", "quit"], *GAME, "--save", "a.jsonl")
    play(["#3", "quit"], *GAME, "--save", "b.jsonl")
    for file in ("a.jsonl", "b.jsonl"):
        assert json.loads(cli("replay", file, "--json").out)["events"][0]["text"] == "3"


def test_numbers_stand_for_listed_moves_where_notation_has_none(play, cli):
    answer = play(["2", "quit"], "battlefield", "--opponent", "random", "--save", "a.jsonl")
    listed = answer.out.split(" 2) ")[1].split("  ")[0]
    assert json.loads(cli("replay", "a.jsonl", "--json").out)["events"][0]["text"] == listed


def test_undo_takes_back_my_move_and_the_reply(play, cli):
    play(["4", "undo", "4", "quit"], *GAME, "--save", "undone.jsonl")
    play(["4", "quit"], *GAME, "--save", "plain.jsonl")
    events = [
        json.loads(cli("replay", file, "--json").out)["events"]
        for file in ("undone.jsonl", "plain.jsonl")
    ]
    assert events[0] == events[1] and len(events[0]) == 2
    assert "nothing to take back" in play(["undo", "quit"], *GAME).out


def test_dice_stay_the_same_after_undo(play, cli):
    words = ("dice/three", "--opponent", "random", "--seed", "5")
    play(["#1", "undo", "#1", "quit"], *words, "--save", "undone.jsonl")
    play(["#1", "quit"], *words, "--save", "plain.jsonl")
    hashes = [
        json.loads(cli("replay", file, "--json").out)["hash"]
        for file in ("undone.jsonl", "plain.jsonl")
    ]
    assert hashes[0] == hashes[1]


def test_hint_help_list_and_nonsense_change_nothing(play):
    answer = play(["hint", "help", "list", "", "nonsense", "9", "quit"], *GAME, "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["plies"] == 0
    assert "hint 1:" in answer.err and "undo" in answer.err and "nonsense" in answer.err


def test_end_of_input_is_a_way_to_leave(play):
    answer = play(["4"], *GAME)
    assert answer.code == 0 and "stopped before the end" in answer.out
    assert "stopped before the end" in play(["q"], *GAME).out


def test_events_are_told_in_sentences_with_their_code(play):
    answer = play(["4", "?", "q"], *GAME)
    assert "You drop a disc into column 4, row 1  [4]" in answer.out
    assert "Player 2 drops a disc into column" in answer.out
    assert "   7) 7  Drop a disc into column 7, row 1" in answer.out
    assert "this text" in answer.out  # the help


def test_a_game_without_sentences_says_who_did_what(play):
    said = play(["#1", "q"], "dice", "--opponent", "random").out
    assert re.search(r"^you: [\w ]+$", said, re.MULTILINE)
    assert re.search(r"^player 2: [\w ]+$", said, re.MULTILINE)
    assert re.search(r"^chance: rolled \d$", said, re.MULTILINE)


def test_a_card_of_somebody_else_is_not_told(play):
    moves = ["#1"] * 40
    answer = play([*moves, "q"], "cards", "--opponent", "random")
    assert "(a hidden card)" in answer.out


def test_any_seat_but_not_one_that_is_missing(play):
    answer = play(["4", "quit"], *GAME, "--player", "2", "--json")
    assert json.loads(answer.out)["plies"] == 3  # theirs, mine, theirs
    assert play(["quit"], *GAME, "--player", "3").code == 2


def test_hidden_things_stay_hidden(play):
    answer = play(["quit"], "cards", "--opponent", "random")
    assert answer.code == 0 and "cannot see" in answer.out


def test_a_number_of_thousands_of_digits_is_no_move(play):
    for move in ("9" * 5000, "#" + "9" * 5000):
        answer = play([move, "quit"], *GAME)
        assert answer.code == 0 and "too long" in answer.out


def test_where_nothing_can_be_saved_no_game_begins(play, tmp_path):
    (tmp_path / "file").write_text("x")
    answer = play(["1"], *GAME, "--save", "file/game.jsonl")
    assert answer.code == 2 and "check the path" in answer.err and answer.out == ""


def test_ctrl_c_loses_no_game_that_was_to_be_saved(play, cli, monkeypatch):
    from stratagem.cli.commands import play as module

    read = module._read

    def interrupted(*args):
        word = read(*args)
        if word == "stop":
            raise KeyboardInterrupt
        return word

    monkeypatch.setattr(module, "_read", interrupted)
    answer = play(["4", "stop"], *GAME, "--save", "kept.jsonl")
    assert answer.code == 130
    assert len(json.loads(cli("replay", "kept.jsonl", "--json").out)["events"]) == 2
