"""A session's file: opened again as it was, listed without its rules, damaged ones named."""

import json
import os

import pytest

from stratagem.core.errors import BadRecord
from stratagem.core.journal import Journal
from stratagem.core.registry import load_game
from stratagem.core.session import SessionSetup
from stratagem.web.problems import Conflict
from stratagem.web.saved import SessionHeader, open_session, summarise
from stratagem.web.settings import SESSIONS, ServerSettings
from stratagem.web.store import SessionStore


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


@pytest.mark.parametrize(
    "changes",
    [
        {"title": 5},
        {"id": ["x"]},
        {"pace_ms": -1},
        {"created": None},
        {"setup": {"agents": [5, "human"]}},
        {"setup": {"agents": "human"}},
        {"setup": {"setup_seed": 2**64}},
        {"setup": {"seed": -1}},
        {"setup": {"version": "one"}},
    ],
    ids=str,
)
def test_a_first_line_with_a_wrong_type_is_damaged(file, changes):
    """It was believed, and the list of all sessions failed with it."""
    create(file, load_game("connect_four"), "human", "random")
    values = json.loads(file.read_text())
    setup = values["setup"] | changes.get("setup", {})
    file.write_text(json.dumps({**values, **changes, "setup": setup}) + "\n")
    with pytest.raises(BadRecord, match=r"game\.session\.jsonl: damaged first line"):
        summarise(file, "then")


def test_sessions_that_vanish_or_lie_about_their_name_do_not_end_the_list(tmp_path):
    store = SessionStore(ServerSettings(tmp_path, tmp_path), None, None, None)
    folder = tmp_path / SESSIONS
    create(folder / f"{'0' * 12}.session.jsonl", load_game("connect_four"), "human", "random")
    create(folder / f"{'1' * 12}.session.jsonl", load_game("connect_four"), "human", "random")
    (folder / f"{'2' * 12}.session.jsonl").symlink_to("nowhere")
    os.utime(folder / f"{'0' * 12}.session.jsonl", (1e11, 2e11))
    assert [line.id for line in store.summaries()] == ["0" * 12]
