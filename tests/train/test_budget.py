"""A budget of time is kept: by the iterations, and by the games against fixed opponents."""

from itertools import count

import pytest

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.train.anchors import meet_anchors, seconds_for_anchors
from stratagem.train.progress import RunProgress
from stratagem.train.settings import check_settings


def settings_of(**values):
    anchors = {"agents": ["random"], "games": 40, "times": 2}
    return check_settings({"game": "connect_four/default", "anchors": anchors, **values}, "test")


def meet(settings, progress, step):
    """The anchors on a clock that goes on by `step` seconds at every look."""
    game = load_game(settings.game)
    ticks = count(0.0, step)
    return meet_anchors(
        game, settings, progress, lambda: make_agent("random", game), lambda: next(ticks)
    )


@pytest.mark.parametrize(("step", "games"), [(0.001, 40), (30.0, 8)])
def test_anchors_play_as_many_games_as_there_is_time_for(step, games):
    settings = settings_of(budget_seconds=100.0)
    progress = RunProgress(iteration=3, seconds=100.0)
    found = meet(settings, progress, step)
    assert found["random"].games == games
    assert progress.anchor_seconds > 0 and progress.anchor_rates["random"] > 0


def test_a_meeting_without_time_is_left_out_but_never_the_last():
    settings = settings_of(budget_seconds=100.0)
    progress = RunProgress(seconds=50.0, anchor_seconds=9.0, anchor_rates={"random": 1.0})
    assert meet(settings, progress, 0.1) == {} and progress.anchors_played == 1
    progress.seconds = 100.0
    assert meet(settings, progress, 30.0)["random"].games == 8


def test_a_run_by_iterations_plays_all_its_games():
    assert meet(settings_of(iterations=1), RunProgress(iteration=1), 30.0)["random"].games == 40


def test_time_is_kept_for_the_last_meeting():
    settings = settings_of(budget_seconds=100.0)
    assert seconds_for_anchors(settings, RunProgress()) == pytest.approx(15.0)
    known = RunProgress(anchor_rates={"random": 0.1}, anchor_seconds=2.0)
    assert seconds_for_anchors(settings, known) == pytest.approx(4.0)


def test_a_run_that_fits_no_other_iteration_is_over_until_its_budget_grows():
    ended = RunProgress(seconds=93.0, ended_budget=100.0)
    assert ended.share(settings_of(budget_seconds=100.0)) == 1.0
    assert ended.share(settings_of(budget_seconds=200.0)) == pytest.approx(0.465)
