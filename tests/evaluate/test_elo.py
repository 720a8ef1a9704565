"""Elo against its formula."""

import pytest

from stratagem.evaluate.elo import RatedGame, elo_ratings, expected_score, rating_difference


def test_expected_score() -> None:
    assert expected_score(1500, 1500) == 0.5
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    assert expected_score(1500, 1650) + expected_score(1650, 1500) == pytest.approx(1.0)


def test_one_win_between_equals_moves_half_of_k() -> None:
    assert elo_ratings([RatedGame(0, 1, 1.0)], 2) == (1516.0, 1484.0)


def test_two_games_by_hand() -> None:
    games = [RatedGame(0, 1, 1.0), RatedGame(1, 2, 0.5)]
    first = 1484.0
    expected = 1 / (1 + 10 ** ((1500 - first) / 400))
    moved = 32 * (0.5 - expected)
    assert elo_ratings(games, 3) == pytest.approx((1516.0, first + moved, 1500 - moved))


def test_order_matters_and_the_sum_stays() -> None:
    games = [RatedGame(0, 1, 1.0)] * 3 + [RatedGame(0, 1, 0.0)] * 3
    forwards, backwards = elo_ratings(games, 2), elo_ratings(games[::-1], 2)
    assert forwards[0] < 1500 < backwards[0]
    assert sum(forwards) == pytest.approx(3000)


def test_difference_is_the_inverse_of_expectation() -> None:
    assert rating_difference(expected_score(1700, 1500)) == pytest.approx(200)
    assert rating_difference(1.0) == 1200
    assert rating_difference(0.0) == -1200
    assert rating_difference(0.9999) == 1200
