"""A game's file: what was written whole is read again, whatever happened to the rest."""

import pytest

from stratagem.core.errors import BadRecord
from stratagem.core.journal import Ended, Journal, Resigned, TakenBack
from stratagem.core.record import Event
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.session import GameSession, SessionSetup


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "deep" / "game.jsonl")


def test_what_is_written_is_read(journal):
    changes = [
        Event(0, 3, "4"),
        Event(CHANCE, 2, "rolled", {"more": [1]}),
        TakenBack(1),
        Resigned(1, "gave up"),
        Ended("a draw"),
    ]
    journal.create({"title": "a game"}, changes[:1])
    journal.append(*changes[1:3])
    journal.append(*changes[3:])
    assert journal.read() == ({"title": "a game"}, changes)
    assert journal.header() == {"title": "a game"}


def test_a_torn_line_never_happened(journal):
    game = load_game("connect_four")
    setup = SessionSetup.new(game, ("human", "human"), 7)

    def reopened():
        return GameSession(game, setup, journal, journal.read()[1])

    journal.create({})
    session = reopened()
    session.play(3)
    session.play(4)
    whole = journal.file.read_bytes()
    for cut in range(1, 12):
        journal.file.write_bytes(whole[:-cut])
        torn = reopened()
        assert torn.plies == (2 if cut == 1 else 1)  # the last byte is only the line's end
        torn.play(5)
        assert reopened().events == torn.events


def test_a_damaged_first_line_is_an_error_that_names_the_file(journal):
    journal.file.parent.mkdir()
    for text in ("", "x", "{}", '{"format": 9}', "[]"):
        journal.file.write_text(text + "\n")
        with pytest.raises(BadRecord, match=r"game\.jsonl"):
            journal.read()


@pytest.mark.parametrize(
    "line",
    ['5', '[]', '"action"', '{"action": 1}', '{"seat": 0, "action": "x"}', '{"take_back": -1}',
     '{"take_back": 1.5}', '{"resign": "me"}'],
)  # fmt: skip
def test_a_whole_line_that_makes_no_sense_is_named(journal, line):
    journal.create({})
    with journal.file.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(BadRecord, match=r"game\.jsonl: line 2 is damaged"):
        journal.read()


def test_a_move_that_was_lost_is_noticed(journal):
    """Without it the moves behind it would be played by the wrong players."""
    game = load_game("connect_four")
    setup = SessionSetup.new(game, ("human", "human"), 7)
    journal.create({})
    session = GameSession(game, setup, journal)
    for action in (3, 4, 5):
        session.play(action)
    lines = journal.file.read_text().splitlines(keepends=True)
    lines[2] = "\x00" + lines[2][1:]
    journal.file.write_text("".join(lines))
    with pytest.raises(BadRecord, match="recorded for seat 0, but seat 1"):
        GameSession(game, setup, journal, journal.read()[1])


def test_more_taken_back_than_there_was_is_noticed(journal):
    game = load_game("connect_four")
    journal.create({}, [TakenBack(9)])
    with pytest.raises(BadRecord, match="ply 9 was taken back"):
        GameSession(game, SessionSetup.new(game, ("human", "human"), 7), None, journal.read()[1])


def test_a_game_that_was_deleted_is_not_made_again_by_a_late_move(tmp_path):
    """Its file would begin with a move, and be listed as damaged for ever."""
    journal = Journal(tmp_path / "a.session.jsonl")
    journal.create({"title": "x"})
    journal.file.unlink()
    with pytest.raises(FileNotFoundError):
        journal.append(Event(0, 3))
    assert list(tmp_path.iterdir()) == []
