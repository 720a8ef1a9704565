"""Bradley-Terry finds known strengths, agrees with an outside fit, and its intervals cover."""

import choix
import numpy as np
import pytest

from stratagem.core.errors import BadSetting
from stratagem.evaluate.bradley_terry import bradley_terry

TRUE = np.array([0.0, 120.0, 250.0, -80.0])  # Elo
CHANCES = 1 / (1 + 10 ** ((TRUE[None, :] - TRUE[:, None]) / 400))


def simulate(generator: np.random.Generator, games: int) -> np.ndarray:
    points = np.zeros((4, 4))
    for i in range(4):
        for j in range(i + 1, 4):
            points[i, j] = generator.binomial(games, CHANCES[i, j])
            points[j, i] = games - points[i, j]
    return points


def test_recovers_ratings_from_exact_scores() -> None:
    ratings = bradley_terry(CHANCES * 1e5, anchor=0)
    assert [one.rating for one in ratings] == pytest.approx(TRUE, abs=0.5)
    assert ratings[0].low == ratings[0].high == 0.0


def test_anchor_and_mean() -> None:
    points = simulate(np.random.default_rng(3), 100)
    at_thousand = bradley_terry(points, anchor=2, anchor_rating=1000.0)
    assert at_thousand[2].rating == 1000.0
    free = bradley_terry(points)
    assert sum(one.rating for one in free) == pytest.approx(0.0, abs=1e-6)
    apart = at_thousand[1].rating - at_thousand[3].rating
    assert free[1].rating - free[3].rating == pytest.approx(apart)


def test_agrees_with_choix() -> None:
    points = simulate(np.random.default_rng(4), 60)
    data = [(i, j) for i in range(4) for j in range(4) for _ in range(int(points[i, j]))]
    theirs = choix.opt_pairwise(4, data, alpha=1e-9) * 400 / np.log(10)
    ours = [one.rating for one in bradley_terry(points, anchor=0, prior_deviation=1e6)]
    assert ours == pytest.approx(theirs - theirs[0], abs=0.1)


def test_intervals_cover_the_truth() -> None:
    generator = np.random.default_rng(5)
    covered = []
    for _ in range(400):
        ratings = bradley_terry(simulate(generator, 80), anchor=0)
        covered += [one.low <= t <= one.high for one, t in zip(ratings[1:], TRUE[1:], strict=True)]
    assert 0.93 < np.mean(covered) < 0.97


def test_two_players_match_the_closed_form() -> None:
    ratings = bradley_terry(np.array([[0, 75], [25, 0]]), anchor=1, prior_deviation=1e6)
    assert ratings[0].rating == pytest.approx(400 * np.log10(3), abs=1e-3)
    # The log-odds of 75 in 100 have variance 1 / (100 * 0.75 * 0.25).
    half = 1.959964 * np.sqrt(1 / 18.75) * 400 / np.log(10)
    assert ratings[0].high - ratings[0].rating == pytest.approx(half, rel=1e-4)


def test_perfect_scores_stay_finite_and_ordered() -> None:
    points = np.array([[0, 50, 50], [0, 0, 50], [0, 0, 0.0]])
    best, middle, worst = bradley_terry(points, anchor=2)
    assert best.rating > middle.rating > worst.rating == 0.0
    assert 300 < middle.rating < 2000
    assert np.isfinite([best.low, best.high]).all()
    more = bradley_terry(points * 10, anchor=2)
    assert more[0].rating > best.rating


def test_a_player_without_games_is_uncertain() -> None:
    known, other, unseen = bradley_terry(np.array([[0, 30, 0], [20, 0, 0], [0, 0, 0.0]]), anchor=0)
    assert unseen.high - unseen.low > 5 * (other.high - other.low)
    assert known.rating == 0.0


def test_bad_matrices() -> None:
    with pytest.raises(BadSetting, match="square"):
        bradley_terry(np.zeros((2, 3)))
    with pytest.raises(BadSetting, match="negative"):
        bradley_terry(np.array([[0, -1], [2, 0]]))
