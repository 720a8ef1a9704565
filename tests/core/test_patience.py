"""In a terminal no command is silent: a line counts the seconds, and is wiped before the next."""

import time

import pytest

from stratagem.cli.output import print_line
from stratagem.core import patience
from stratagem.core.patience import WIPE, Patience


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(patience, "is_watched", lambda: True)
    monkeypatch.setattr(patience, "QUIET", 0.0)
    monkeypatch.setattr(patience, "TICK", 0.01)
    speaker = Patience()
    monkeypatch.setattr("stratagem.cli.output.PATIENCE", speaker)
    return speaker


def test_it_counts_while_nothing_is_said_and_leaves_nothing_behind(watched, capsys):
    with watched.watching():
        time.sleep(0.1)
        print_line("a result")
        time.sleep(0.1)
    said = capsys.readouterr()
    assert said.out == "a result\n"
    assert said.err.startswith(f"{WIPE}loading: 0 s so far")
    assert f"{WIPE}working: 0 s so far" in said.err and said.err.endswith(WIPE)


def test_it_keeps_quiet_while_others_write(watched, capsys):
    with watched.watching(), watched.muted():
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_where_nobody_watches_nothing_is_said(monkeypatch, capsys):
    monkeypatch.setattr(patience, "QUIET", 0.0)
    with Patience().watching():
        time.sleep(0.1)
    assert capsys.readouterr().err == ""
