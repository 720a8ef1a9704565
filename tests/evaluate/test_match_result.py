"""Outcomes count as the contract says: sole first wins, shared first draws, the rest loses."""

import pytest

from stratagem.evaluate.match_result import Outcome, agent_result, elo_difference, tally


def outcome(returns: tuple[float, ...], agents: tuple[int, ...] = (0, 1, 2)) -> Outcome:
    return Outcome(0, agents, returns, tuple(value + 1.0 for value in returns), 10)


def test_places() -> None:
    sole = outcome((0.2, 1.0, -1.0))
    assert [sole.result_of(seat) for seat in range(3)] == [0.0, 1.0, 0.0]
    shared = outcome((0.5, 0.5, -1.0))
    assert [shared.result_of(seat) for seat in range(3)] == [0.5, 0.5, 0.0]


def test_duels_compare_seat_with_seat() -> None:
    one = outcome((0.2, 1.0, -1.0), agents=(0, 1, 1))
    assert one.duel(0, 1) == 0.5  # above one of them, below the other
    assert one.duel(1, 0) == 0.5
    tie = outcome((0.0, 0.0, -1.0), agents=(1, 0, 1))
    assert tie.duel(0, 1) == 0.75


def test_shares_of_points() -> None:
    assert outcome((1.0, 0.0, 0.0)).share_of(0) == 0.5  # two of four points
    nothing = Outcome(0, (0, 1), (0.0, 0.0), (0.0, 0.0), 1)
    assert nothing.share_of(1) == 0.5


def test_tally_by_hand() -> None:
    outcomes = [outcome((1.0, 0.0, -1.0)), outcome((0.5, 0.5, -1.0)), outcome((-1.0, 0.0, 1.0))]
    counts = tally(outcomes, [(0, 0), (1, 0), (2, 0)])
    assert (counts.games, counts.wins, counts.draws, counts.losses) == (3, 1, 1, 1)
    assert counts.score == 0.5
    assert counts.mean_score == pytest.approx((2.0 + 1.5 + 0.0) / 3)
    assert counts.vp_share == pytest.approx((2 / 3 + 1.5 / 3 + 0.0) / 3)


def test_agents_that_change_seats() -> None:
    outcomes = [outcome((1.0, -1.0), (0, 1)), outcome((1.0, -1.0), (1, 0))]
    result = agent_result(1, "second", outcomes, decisions=7, mean_decision_ms=0.5)
    assert [(part.seat, part.tally.wins) for part in result.by_seat] == [(0, 1), (1, 0)]
    assert result.tally.vp_share is None
    assert result.as_json()["decisions"] == 7


def test_elo_difference_of_scores() -> None:
    value = elo_difference([1.0] * 10 + [0.0])
    assert value["difference"] == pytest.approx(400.0)
    assert value["low"] < 400.0 < value["high"]
