"""What commands say while they work."""

import time

import numpy as np

from stratagem.cli.progress import ProgressLine, describe_match, time_left
from stratagem.evaluate.match_progress import MatchProgress, share_done


def test_nothing_is_said_by_what_is_quick(capsys):
    with ProgressLine(lambda spent: "working", watched=True):
        pass
    assert capsys.readouterr().err == ""


def test_a_terminal_rewrites_one_line_and_others_get_plain_ones(capsys, monkeypatch):
    monkeypatch.setattr("stratagem.cli.progress.QUIET", 0.0)
    monkeypatch.setattr("stratagem.cli.progress._FIRST_LINE", 0.0)
    monkeypatch.setattr("stratagem.cli.progress.TICK", 0.01)
    with ProgressLine(lambda spent: "working", watched=True) as line:
        time.sleep(0.1)
        line.note("a note")
    watched = capsys.readouterr()
    assert "working" in watched.err and "\r" in watched.err and "a note\n" in watched.err
    assert "working" not in watched.err.rsplit("\x1b[2K", 1)[1] and watched.out == ""
    with ProgressLine(lambda spent: "working", watched=False):
        time.sleep(0.1)
    plain = capsys.readouterr()
    assert "working\n" in plain.err and "\r" not in plain.err and plain.out == ""


def test_a_match_says_its_score_and_how_long_it_takes():
    halfway = MatchProgress(games=100, finished=50, score=0.58, plies=40, share=0.5)
    text = describe_match("best against random", halfway, 30.0)
    assert text == "best against random: 50 of 100 games, score so far 0.580, about 30s left"
    assert "left" not in describe_match("a against b", MatchProgress(4, 0, None, 9, 0.0), 3.0)
    assert time_left(10.0, 0.0) == ""


def test_the_share_of_a_match_comes_from_its_plies():
    plies = np.array([20, 20, 10, 30])
    over = np.array([True, True, False, False])
    assert share_done(plies, np.zeros(4, bool)) == 0.0
    # Two games of 20 plies, one halfway there, one longer than usual and so nearly over.
    assert share_done(plies, over) == 80 / (20 + 20 + 20 + 31)
