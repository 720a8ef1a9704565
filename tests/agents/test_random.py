"""The random agent draws uniformly among the legal actions, by its seeds alone."""

import numpy as np

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds

GAME = load_game("connect_four")
AGENT = make_agent("random", GAME)


def test_uniform_over_legal_actions() -> None:
    states = GAME.new_states(derive_seeds(1, count=1))
    for _ in range(6):  # fills column 3, so that six of seven stay legal
        GAME.kernels.step(states, np.array([3], np.int32))
    many = np.repeat(states, 12_000)
    counts = np.bincount(AGENT.act(many, derive_seeds(2, count=12_000)), minlength=7)
    assert counts[3] == 0
    expected = 12_000 / 6
    chi_square = (((counts - expected) ** 2) / expected)[[0, 1, 2, 4, 5, 6]].sum()
    assert chi_square < 20.5  # 0.999 quantile with five degrees of freedom


def test_a_seed_decides_whatever_the_company() -> None:
    states = GAME.new_states(derive_seeds(1, count=64))
    seeds = derive_seeds(3, count=64)
    together = AGENT.act(states, seeds)
    alone = [int(AGENT.act(states[i : i + 1], seeds[i : i + 1])[0]) for i in range(64)]
    assert together.tolist() == alone
    assert together.dtype == np.int32
    assert len(set(alone)) > 1
