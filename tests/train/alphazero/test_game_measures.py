"""Measures of an iteration's games: the same numbers as replaying the games one by one."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.train.alphazero.game_measures import measure_games
from stratagem.train.alphazero.results import FinishedGame


def random_game(game, seed, scenario_index=0):
    """(a finished game, its positions)."""
    setup = derive_seeds(seed, "setup", count=1)
    states, events = game.new_states(setup), []
    positions, agent = [states.copy()], make_agent("random", game)
    while states["seat"][0] != OVER:
        events.append(int(agent.act(states, derive_seeds(len(events), "act", count=1))[0]))
        game.kernels.step(states, np.array(events[-1:], np.int32))
        positions.append(states.copy())
    return FinishedGame(int(setup[0]), tuple(events), scenario_index), np.concatenate(positions)


def test_means_over_games_and_seats():
    game = load_game("battlefield/duel")
    played = [random_game(game, seed) for seed in range(3)]
    measured = measure_games([game], [finished for finished, _ in played])
    one_by_one = [game.rules.measures(states, one.events) for one, states in played]
    for name, found in measured.items():
        values = [
            value
            for numbers in one_by_one
            for key, value in numbers.items()
            if key.rpartition("/")[2] == name and not np.isnan(value)
        ]
        assert found.mean == pytest.approx(np.mean(values), abs=1e-3)
        assert found.count == len(values)
    assert measured


def test_each_game_is_measured_by_its_own_rules():
    pair = [load_game("battlefield/duel"), load_game("connect_four")]
    played = [
        random_game(pair[1], 1, scenario_index=1)[0],
        random_game(pair[0], 1, scenario_index=0)[0],
    ]
    assert measure_games(pair, played) == measure_games(pair[:1], played[1:])
    assert measure_games(pair[1:], [random_game(pair[1], 1)[0]]) == {}, "it declares none"
