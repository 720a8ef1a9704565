"""Measurements measure what they say: real games, real searches, a real second process."""

import time
from pathlib import Path

import numpy as np
import pytest

from stratagem.agents.kinds.random import RandomAgent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.evaluate import bench


@pytest.fixture(params=["connect_four", "battlefield", "dice/three", "cards"])
def game(request):
    return load_game(request.param)


def test_every_repeat_plays_whole_games(game):
    seeds = derive_seeds(1, "test", count=50)
    first = bench.random_steps(game, seeds)
    assert first >= 50  # a repeat on used records would play nothing at all
    assert bench.random_steps(game, seeds) == first


def test_rates_agree_with_each_other(game):
    speed = bench.measure_rules(game, 0.02)
    steps_per_game = speed.steps_per_s / speed.games_per_s
    seeds = derive_seeds(1, "bench", count=1024)
    assert steps_per_game == pytest.approx(bench.random_steps(game, seeds) / 1024)
    assert speed.observe_steps_per_s > 0


def test_stepping_randomly_leaves_finished_games_alone(game):
    agent, seeds = RandomAgent(game), derive_seeds(2, "test", count=8)
    states = game.new_states(seeds)
    for number in range(400):
        before = states.copy()
        bench.step_randomly(game, agent, states, derive_seeds(3, number, count=8))
        over = before["seat"] == OVER
        assert (states[over] == before[over]).all()
        assert all(states[i] != before[i] for i in np.flatnonzero(~over))
        if over.all():
            return
    pytest.fail("random games never ended")


def test_a_seat_decides_in_every_opening(game):
    states = bench.opening_positions(game, 16, 5)
    assert (states["seat"] != CHANCE).all() and (states["seat"] >= 0).all()


def test_search_cost_at_every_count():
    speed = bench.measure_search(load_game("connect_four"), 0.0, trees=2)
    assert tuple(speed.sim_cost_us) == bench.SIM_COUNTS
    assert speed.sims_per_s == pytest.approx(1e6 / speed.sim_cost_us[100])
    assert speed.rollout_sims_per_s > 0


def test_best_seconds_is_the_shortest_of_at_least_two():
    waits = iter([0.03, 0.001, 0.03])
    assert bench.best_seconds(lambda: time.sleep(next(waits)), 0.0) < 0.02


def test_peak_memory_is_in_megabytes():
    assert 20 < bench.peak_memory_mb() < 100_000


def test_compilation_is_timed_twice_with_a_cache_of_its_own(monkeypatch):
    caches = []

    def compile_in_new_process(spec, cache):
        caches.append(cache)
        assert spec == "dice" and len(list(Path(cache).iterdir())) == len(caches) - 1
        (Path(cache) / "compiled").touch()
        return 9.0 / len(caches)

    monkeypatch.setattr(bench, "compile_in_new_process", compile_in_new_process)
    assert bench.measure_compilation("dice") == bench.CompileTime(9.0, 4.5)
    assert caches[0] == caches[1] and not Path(caches[0]).exists()


def test_a_game_that_cannot_be_compiled_is_an_error():
    with pytest.raises(BadSetting, match="nonsense"):
        bench.measure_compilation("nonsense")
