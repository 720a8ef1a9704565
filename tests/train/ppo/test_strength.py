"""One network for the whole range: trained with the strength as an input, it plays any of them."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.agents.model import load_evaluator
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.runs.folder import RunFolder
from stratagem.train.algorithms import make_trainer
from stratagem.train.settings import check_settings

pytestmark = pytest.mark.slow
VALUES = {
    "game": "hispania/duel8",
    "algorithm": "ppo",
    "iterations": 2,
    "network": {"kind": "regions", "encoding": "wide", "settings": {"width": 8},
                "encoding_options": {"strength": 1}},
    "play": {"games": 2, "workers": 1, "sequence": 4},
    "opponents": {"self_play": 1.0, "past": 0.0},
    "learning": {"batch_size": 64, "epochs": 1, "threads": 1},
    "reference": {"policy": "start", "low": 0.01, "high": 1.0},
    "anchors": {"times": 0},
}  # fmt: skip


def test_a_run_learns_with_it_and_a_player_chooses_it(tmp_path):
    settings = check_settings(VALUES, "test")
    folder = RunFolder.create(tmp_path / "run", settings)
    with_input = make_trainer(settings, folder, lambda metrics: None)
    with_input.run()
    assert folder.metrics()[-1].details["reference"] > 0

    game = load_game("hispania/duel8")
    states = game.new_states(np.arange(1, dtype=np.uint64))
    path = str(tmp_path / "run")
    rows = np.arange(len(states))
    seats = np.zeros(len(states), np.int8)
    held, free = (
        load_evaluator(path, game, None, strength).evaluate_for(states, rows, seats).logits
        for strength in (1.0, 0.01)
    )
    usual = load_evaluator(path, game).evaluate_for(states, rows, seats).logits
    assert np.abs(held - free).max() > 0
    np.testing.assert_array_equal(free, usual)
    make_agent(f"policy:{path}?lambda=0.3", game)
    for wrong in ("0", "-1", "much"):
        with pytest.raises(BadSetting, match="lambda as a number above 0"):
            make_agent(f"policy:{path}?lambda={wrong}", game)


def test_other_networks_do_not_take_it():
    with pytest.raises(BadSetting, match="not trained with it as an input"):
        load_evaluator(
            str(load_game("hispania/duel8").rules.folder / "best" / "duel8"),
            load_game("hispania/duel8"), None, 0.1,
        )  # fmt: skip
