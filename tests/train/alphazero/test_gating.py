"""Acceptance: with players whose strength is known beforehand."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match
from stratagem.train.alphazero import gating
from stratagem.train.alphazero.gating import duels_of
from stratagem.train.alphazero.settings import GateSection
from train.alphazero.tiny import TINY


class Climber:
    """Stacks three discs in one column: wins unless somebody is faster or in the way."""

    def __init__(self, column):
        self.spec = f"climber{column}"
        self.column = column
        self.asked = 0

    def act(self, states, seeds):
        self.asked += len(states)
        return np.full(len(states), self.column, np.int32)


class Dawdler:
    """Spreads its discs over two columns: loses to any climber, from either seat."""

    spec = "dawdler"

    def act(self, states, seeds):
        return (states["ply"] // 2 % 2).astype(np.int32)


@pytest.fixture(scope="module")
def game():
    return load_game(TINY)


def gate(mode, **options):
    return GateSection(mode=mode, **options)


def test_always_accepts_without_a_game(game):
    assert gating.test_candidate(game, Dawdler(), [Climber(3)], gate("always"), 1) is None


@pytest.mark.parametrize("mode", ["threshold", "sprt"])
def test_the_first_network_has_nobody_to_meet(game, mode):
    assert gating.test_candidate(game, Dawdler(), [], gate(mode), 1) is None


@pytest.mark.parametrize(
    ("candidate", "champion", "score", "accepted"),
    [
        (Climber(3), Dawdler(), 1.0, True),
        (Dawdler(), Climber(3), 0.0, False),
        (Climber(2), Climber(3), 0.5, False),  # whoever begins wins
    ],
)
def test_threshold(game, candidate, champion, score, accepted):
    verdict = gating.test_candidate(game, candidate, [champion], gate("threshold", games=10), 1)
    assert (verdict.score, verdict.games, verdict.accepted) == (score, 10, accepted)


def test_a_score_equal_to_the_threshold_is_enough(game):
    settings = gate("threshold", games=10, threshold=0.5)
    assert gating.test_candidate(game, Climber(2), [Climber(3)], settings, 1).accepted


def test_threshold_meets_the_newest_only(game):
    old = Climber(2)
    assert (
        gating.test_candidate(
            game, Climber(3), [old, Dawdler()], gate("threshold", games=4), 1
        ).score
        == 1.0
    )
    assert old.asked == 0


@pytest.mark.parametrize(
    ("candidate", "champion", "accepted"),
    [(Climber(3), Dawdler(), True), (Dawdler(), Climber(3), False)],
)
def test_sprt_stops_as_soon_as_it_is_clear(game, candidate, champion, accepted):
    verdict = gating.test_candidate(game, candidate, [champion], gate("sprt", games=400), 1)
    # 31 wins or 28 losses in a row cross the bounds of 0.50 against 0.55; rounds have 32 games.
    assert (verdict.accepted, verdict.games) == (accepted, 32)
    assert verdict.reason == ("sprt accept" if accepted else "sprt reject")
    assert verdict.score == float(accepted)


@pytest.mark.parametrize(
    ("champion", "accepted"), [(Dawdler(), True), (Climber(2), False)], ids=["weaker", "equal"]
)
def test_wilson_decides_when_the_games_run_out(game, champion, accepted):
    verdict = gating.test_candidate(game, Climber(3), [champion], gate("sprt", games=20), 1)
    assert (verdict.accepted, verdict.games, verdict.reason) == (accepted, 20, "wilson bound")


def test_the_bar_of_the_wilson_bound_can_be_moved(game):
    # Twenty wins in twenty games: the lower bound is 0.839.
    for bar, accepted in [(0.83, True), (0.85, False)]:
        settings = gate("sprt", games=20, wilson_threshold=bar)
        assert (
            gating.test_candidate(game, Climber(3), [Dawdler()], settings, 1).accepted == accepted
        )


def test_sprt_meets_the_whole_pool(game):
    pool = [Climber(0), Climber(1), Climber(2)]
    verdict = gating.test_candidate(game, Climber(3), pool, gate("sprt", games=60), 1)
    assert (verdict.score, verdict.games, verdict.accepted) == (0.5, 60, False)
    assert len({member.asked for member in pool}) == 1
    assert pool[0].asked > 0


def test_with_three_seats_an_even_score_is_a_half():
    game = load_game("dice/three")
    result = play_match(game, [make_agent("random", game), make_agent("random", game)], 900, 1)
    assert result.agents[0].tally.score < 0.45  # one of three wins
    assert sum(duels_of(result)) / 900 == pytest.approx(0.5, abs=0.05)
