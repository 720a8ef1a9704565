"""Tasks can travel: the same work in a spawned process gives the same results, bit for bit."""

import pytest

from backend.spawned import SpawnedBackend
from stratagem.core.registry import load_game
from stratagem.evaluate.tournaments import play_tournament
from train.alphazero import tiny as alphazero
from train.ppo import tiny as ppo


@pytest.fixture(scope="module")
def spawned():
    with SpawnedBackend() as backend:
        yield backend


def test_an_alphazero_run(tmp_path, spawned):
    changes = {
        "iterations": 3,
        "extra_scenarios": ["connect_four/default?columns=4&connect=4&rows=4"],
        "imitation": {"teacher": "scripted", "iterations": 1, "positions": 100},
        "opponents": {"self_play": 0.5, "past": 1.0, "agents": {"random": 0.5}, "every": 1},
    }
    alphazero.start_run(tmp_path / "here", **changes).run()
    alphazero.start_run(tmp_path / "there", spawned, **changes).run()
    assert {"play", "players", "export", "play_demonstration"} <= set(spawned.calls)
    assert alphazero.outcome(tmp_path / "here") == alphazero.outcome(tmp_path / "there")


def test_an_alphazero_run_that_is_taken_up(tmp_path, spawned):
    alphazero.start_run(tmp_path / "here").run()
    alphazero.start_run(tmp_path / "there", spawned)._iterate()
    alphazero.take_up(tmp_path / "there", spawned).run()
    assert "restore" in spawned.calls
    assert alphazero.outcome(tmp_path / "here") == alphazero.outcome(tmp_path / "there")


def test_a_ppo_run(tmp_path, spawned):
    changes = {
        "iterations": 3,
        "opponents": {"self_play": 1.0, "past": 1.0, "agents": {"random": 0.5}, "every": 1},
        "imitation": {"teacher": "scripted", "iterations": 1},
    }
    ppo.start_run(tmp_path / "here", **changes).run()
    ppo.start_run(tmp_path / "there", backend=spawned, **changes).run()
    assert {"play", "demonstrate"} <= set(spawned.calls)
    assert alphazero.outcome(tmp_path / "here") == alphazero.outcome(tmp_path / "there")


def test_a_tournament(spawned):
    game, specs = load_game(alphazero.TINY), ["random", "scripted", "mcts:none?sims=2"]
    here = play_tournament(game, specs, 4, 1)
    assert here == play_tournament(game, specs, 4, 1, backend=spawned)
    assert "play_pair" in spawned.calls
