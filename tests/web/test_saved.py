"""A session's file: opened again as it was, listed without its rules, damaged ones named."""

import pytest

from stratagem.core.errors import BadRecord
from stratagem.core.journal import Journal
from stratagem.core.registry import load_game
from stratagem.core.session import SessionSetup
from stratagem.web.problems import Conflict
from stratagem.web.saved import SessionHeader, open_session, summarise


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "game.session.jsonl"


def create(file, game, *agents):
    setup = SessionSetup.new(game, agents, 7)
    header = SessionHeader("0" * 12, "title", "now", setup, pace_ms=30)
    Journal(file).create(header.as_json())
    return header


def test_a_session_is_opened_as_it_was(file):
    game = load_game("connect_four")
    header = create(file, game, "human", "random")
    found, session = open_session(file, load_game)
    assert found == header and session.setup == header.setup
    session.play(3)
    assert open_session(file, load_game)[1].events == session.events


def test_a_session_of_another_version_cannot_go_on(file):
    game = load_game("connect_four")
    create(file, game, "human", "random")
    file.write_text(file.read_text().replace(f'"version": {game.version}', '"version": 0'))
    with pytest.raises(Conflict, match="version 0"):
        open_session(file, load_game)


def test_the_list_of_sessions_needs_no_rules(file):
    create(file, load_game("connect_four"), "human", "human")
    _, session = open_session(file, load_game)
    for column in (0, 1, 0, 1, 0, 1, 0):
        session.play(column)
    line = summarise(file, "then")
    assert (line.plies, line.status, line.result) == (7, "over", "player 1 wins")
    session.take_back()
    line = summarise(file, "then")
    assert (line.plies, line.status, line.result) == (6, "running", "")
    session.resign(0)
    assert summarise(file, "then").result == "player 2 wins: player 1 resigned"


def test_a_damaged_first_line_is_an_error_that_names_the_file(file):
    file.parent.mkdir()
    for text in ("", "{}", '{"format": 1}', '{"format": 1, "setup": {"agents": []}}'):
        file.write_text(text + "\n")
        with pytest.raises(BadRecord, match=r"game\.session\.jsonl"):
            summarise(file, "then")
