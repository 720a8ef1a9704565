"""The matrix of scores against opponents over time."""

import pytest

from stratagem.runs.metrics import IterationMetrics, OpponentScore
from stratagem.runs.payoffs import payoffs_of


def row(iteration, **scores):
    opponents = {
        name: OpponentScore(games=games, score=score, low=0.0, high=1.0)
        for name, (games, score) in scores.items()
    }
    return IterationMetrics(
        iteration=iteration, seconds=1.0, progress=0.1, games=1, decisions=1, games_per_s=1.0,
        decisions_per_s=1.0, play_seconds=1.0, train_seconds=1.0, steps=1, learning_rate=0.1,
        opponents=opponents,
    )  # fmt: skip


def test_spans_add_up_games_and_points():
    rows = [row(1, bot=(10, 0.5)), row(2, bot=(30, 0.9)), row(3), row(4, other=(2, 0.0))]
    found = payoffs_of(rows, most_spans=2)
    assert found.opponents == ("bot", "other") and found.spans == ((1, 2), (3, 4))
    assert found.games == ((40, 0), (0, 2))
    assert found.scores == ((pytest.approx(0.8), None), (None, 0.0))
    assert found.as_json()["spans"] == ((1, 2), (3, 4))


def test_a_long_run_has_no_more_spans_than_asked_for():
    rows = [row(number, bot=(1, 1.0)) for number in range(1, 38)]
    found = payoffs_of(rows)
    assert len(found.spans) <= 12 and found.spans[-1][1] == 37
    assert sum(found.games[0]) == 37


def test_self_play_alone_has_no_matrix():
    assert payoffs_of([row(1)]).opponents == ()
