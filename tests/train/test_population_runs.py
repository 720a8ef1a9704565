"""Runs with a population: exact resume at any number of seats, and what they find."""

import sys

import numpy as np
import pytest
import torch

from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.runs.folder import RunFolder
from stratagem.train.algorithms import make_trainer
from stratagem.train.settings import check_settings, read_settings
from train.alphazero.tiny import outcome

SHIELD = 3  # the sign that nothing beats

OPPONENTS = {
    "self_play": 0.4, "past": 0.8, "agents": {"random": 0.4, "stubborn": 0.4}, "every": 1,
    "pool": 2, "past_at_once": 2,
}  # fmt: skip
COMMON = {
    "iterations": 5,
    "seed": 2,
    "keep_every": 100,
    "network": {"kind": "feedforward", "settings": {"hidden": [4]}},
    "anchors": {"times": 0},
    "opponents": OPPONENTS,
}
ALGORITHMS = {
    "alphazero": {
        "search": {"sims": 4},
        "selfplay": {"slots": 8, "workers": 2, "positions": 60, "precision": "float32"},
        "replay": {"minimum": 16},
        "learning": {"batch_size": 16, "replay_ratio": 1.0, "threads": 1},
    },
    "ppo": {
        "play": {"games": 24, "workers": 2},
        "learning": {"batch_size": 16, "threads": 1},
    },
    "hdqn": {
        "hierarchy": {"specialists": ["sign"]},
        "episodes": {"slots": 6, "per_iteration": 24, "seats": "rotate"},
        "learning": {"batch_size": 8, "replay": 64},
    },
}


def begin(path, algorithm, game, **changes):
    values = {"game": game, "algorithm": algorithm, **COMMON, **ALGORITHMS[algorithm], **changes}
    settings = check_settings(values, "test")
    return make_trainer(settings, RunFolder.create(path, settings))


def take_up(path):
    folder = RunFolder.open(path)
    trainer = make_trainer(read_settings(folder), folder)
    trainer.resume()
    return trainer


def test_the_test_game_keeps_the_contract():
    for players in (2, 3, 5):
        check_game(load_game(f"signs?players={players}"))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_runs_resume_exactly_at_any_number_of_seats(tmp_path, algorithm, players):
    game = f"signs?players={players}"
    whole, parts = (begin(tmp_path / name, algorithm, game) for name in ("whole", "parts"))
    whole.run()
    for _ in range(3):
        parts._iterate()
    take_up(tmp_path / "parts").run()
    assert outcome(tmp_path / "parts") == outcome(tmp_path / "whole")
    met = [name for line in RunFolder(tmp_path / "whole").metrics() for name in line.opponents]
    assert {"random", "stubborn"} < set(met)
    assert len({name for name in met if name.startswith("iteration")}) >= 2
    assert len(whole.progress.pool) == 2 and whole._needed() <= set(whole.folder.steps())


def exploitability_over_time(path, **opponents):
    """What the best answer to the network's favourite sign wins, after each iteration."""
    trainer = begin(
        path, "hdqn", "signs", iterations=36, seed=1,
        hierarchy={"specialists": ["sign"], "orchestrator": False},
        network={"kind": "feedforward", "settings": {"hidden": [8]}},
        episodes={"slots": 32, "per_iteration": 96, "seats": "rotate"},
        explore={"start": 0.4, "end": 0.4},
        learning={
            "batch_size": 32, "replay": 256, "learning_rate": 0.01, "steps_per_decision": 0.5,
            "tau": 0.2, "weight_decay": 0.0,
        },
        opponents={"agents": {}, **opponents},
    )  # fmt: skip
    payoffs = sys.modules[trainer.game.rules.reset.__module__].PAYOFFS
    found, signs = [], []
    while trainer.progress.iteration < trainer.settings.iterations:
        trainer._iterate()
        with torch.no_grad():
            values = trainer.hierarchy.network.specialists["sign"](torch.ones(1, 1)).logits[0]
        signs.append(int(values.argmax()))
        found.append(float(payoffs[:, signs[-1]].max()))
    return np.array(found), signs


@pytest.mark.slow
def test_a_population_finds_what_self_play_goes_round_and_round(tmp_path):
    """Self-play answers its latest self for ever; with its past selves it stays unexploitable."""
    alone, signs = exploitability_over_time(tmp_path / "alone", self_play=1.0)
    assert alone[18:].mean() > 0.5
    assert {0, 1, 2} <= set(signs[18:])  # round the circle
    past = {"past": 1.0, "past_power": 1.0, "past_at_once": 12, "pool": 12, "every": 1}
    together, signs = exploitability_over_time(tmp_path / "together", self_play=0.0, **past)
    assert together[18:].mean() < 0.2
    assert signs[-1] == SHIELD
