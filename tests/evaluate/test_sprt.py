"""The sequential test keeps the error rates it promises, and usually stops early."""

import math

import numpy as np
import pytest

from stratagem.core.errors import BadSetting
from stratagem.evaluate.sprt import Sprt

TEST = Sprt()


def verdicts(chances: list[float], runs: int = 1500, games: int = 4000) -> tuple[float, float]:
    """(share accepted, mean games) of simulated candidates; chances of a win, draw and loss."""
    generator = np.random.default_rng(7)
    results = generator.choice(3, p=chances, size=(runs, games))
    gain, cost = TEST.llr(1, 0, 0), TEST.llr(0, 0, 1)
    steps = np.array([gain, TEST.llr(0, 1, 0), cost])[results]
    path = np.cumsum(steps, axis=1)
    low, high = TEST.bounds
    stopped = (path <= low) | (path >= high)
    assert stopped.any(axis=1).mean() > 0.99
    end = np.argmax(stopped, axis=1)
    return float((path[np.arange(runs), end] >= high).mean()), float(end.mean() + 1)


def test_bounds_and_ratio() -> None:
    low, high = TEST.bounds
    assert high == pytest.approx(math.log(0.95 / 0.05))
    assert low == pytest.approx(math.log(0.05 / 0.95))
    assert TEST.llr(3, 0, 2) == pytest.approx(3 * math.log(1.1) + 2 * math.log(0.9))
    assert TEST.llr(0, 4, 0) == pytest.approx(TEST.llr(2, 0, 2))


def test_decisions() -> None:
    assert TEST.decide(0, 0, 0) is None
    assert TEST.decide(40, 0, 0) == "accept"
    assert TEST.decide(0, 0, 40) == "reject"
    assert TEST.decide(52, 0, 48) is None
    # One game decides exactly where the ratio passes the bound.
    needed = math.ceil(math.log(19) / math.log(1.1))
    assert TEST.decide(needed - 1, 0, 0) is None
    assert TEST.decide(needed, 0, 0) == "accept"


def test_error_rates_without_draws() -> None:
    wrongly_accepted, games = verdicts([0.50, 0.0, 0.50])
    assert 0.02 < wrongly_accepted < 0.065
    assert games < 900
    rightly_accepted, _ = verdicts([0.55, 0.0, 0.45])
    assert rightly_accepted > 0.935


def test_draws_only_lower_the_errors() -> None:
    wrongly_accepted, _ = verdicts([0.30, 0.40, 0.30])
    assert wrongly_accepted < 0.03
    rightly_accepted, _ = verdicts([0.35, 0.40, 0.25])
    assert rightly_accepted > 0.97


def test_a_strong_candidate_is_quick() -> None:
    accepted, games = verdicts([0.75, 0.0, 0.25], games=1000)
    assert accepted > 0.999
    assert games < 100


@pytest.mark.parametrize("wrong", [{"p0": 0.6}, {"p1": 1.0}, {"alpha": 0.0}, {"beta": 0.7}])
def test_impossible_settings(wrong: dict[str, float]) -> None:
    with pytest.raises(BadSetting, match="sprt"):
        Sprt(**wrong)
