"""A table's file: what was written whole is read again, whatever happened to the rest."""

import pytest

from stratagem.core.errors import BadRecord
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.web.journal import Journal, Line, TableHeader
from stratagem.web.problems import Conflict
from stratagem.web.summary import table_summary
from stratagem.web.table import Table


def header(game, *seats):
    return TableHeader("0" * 12, game.spec, game.version, 7, 99, "title", seats, "now")


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "deep" / "table.jsonl")


def test_what_is_written_is_read(journal):
    game = load_game("connect_four")
    journal.create(header(game, "human", "random"))
    lines = [
        Line("event", 0, 3, {"text": "4"}),
        Line("event", CHANCE, 2, {"text": "rolled", "more": [1]}),
        Line("take_back", number=1),
        Line("resign", seat=1, extra={"text": "gave up"}),
        Line("over", extra={"text": "a draw"}),
    ]
    journal.append(*lines[:2])
    journal.append(*lines[2:])
    found, read = journal.read()
    assert found == header(game, "human", "random") == journal.header()
    assert read == lines


def test_a_torn_line_never_happened(journal):
    game = load_game("connect_four")
    journal.create(header(game, "human", "human"))
    table = Table.open(game, journal)
    table.play(3)
    table.play(4)
    whole = journal.file.read_bytes()
    for cut in range(1, 12):
        journal.file.write_bytes(whole[:-cut])
        torn = Table.open(game, journal)
        assert torn.plies == (2 if cut == 1 else 1)  # the last byte is only the line's end
        torn.play(5)
        assert Table.open(game, journal).events == torn.events


def test_a_table_can_be_opened_after_every_change(journal):
    game = load_game("dice")
    journal.create(header(game, "human", "human"))
    table = Table.open(game, journal)
    while table.seat == CHANCE:
        table.roll()
    table.play(1)
    table.roll()
    table.take_back(None)
    table.play(0)
    again = Table.open(game, journal)
    assert again.events == table.events and again.revision == table.revision
    assert again.state.tobytes() == table.state.tobytes()
    with pytest.raises(Conflict):
        again.play(17)
    assert Table.open(game, journal).events == table.events


def test_the_list_of_tables_needs_no_rules(journal):
    game = load_game("connect_four")
    journal.create(header(game, "human", "human"))
    table = Table.open(game, journal)
    for column in (0, 1, 0, 1, 0, 1, 0):
        table.play(column)
    line = table_summary(journal, "then")
    assert (line.plies, line.status, line.result) == (7, "over", "player 1 wins")
    table.take_back(None)
    line = table_summary(journal, "then")
    assert (line.plies, line.status, line.result) == (6, "running", "")
    table.resign(0)
    assert table_summary(journal, "then").result == "player 2 wins: player 1 resigned"


def test_a_damaged_first_line_is_an_error_that_names_the_file(journal):
    journal.file.parent.mkdir()
    for text in ("", "x", "{}", '{"format": 9}', "[]"):
        journal.file.write_text(text + "\n")
        with pytest.raises(BadRecord, match=r"table\.jsonl"):
            journal.read()
