"""PPO from end to end: files, repeatability, resuming, curricula, learning."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest
import torch

from stratagem.agents import make_agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.manifest import read_manifest, seal
from stratagem.core.record import read_record, replay
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match
from stratagem.nets.model_file import load_model
from stratagem.runs.folder import RunFolder
from stratagem.train.algorithms import make_trainer
from stratagem.train.settings import check_settings
from train.alphazero.tiny import contents, left_over, outcome
from train.ppo.tiny import DUEL, TINY, start_run, take_up, tiny_settings

TEACH = {"imitation": {"share": 0.5, "teacher": "random"}}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run: an iteration of imitation, then two of PPO."""
    path = tmp_path_factory.mktemp("runs") / "run"
    start_run(path, iterations=3, **TEACH, reference={"policy": "start"}).run()
    return path


def test_a_run_leaves_all_its_files(run):
    names = set(contents(run))
    assert {"config.toml", "meta.json", "metrics.jsonl", "ckpt/latest", "ckpt/best"} <= names
    assert {f"games/{number:06d}.jsonl" for number in (1, 2, 3)} <= names
    assert left_over(run) == []
    for file in (run / "games").iterdir():
        replay(read_record(file))


def test_metrics_tell_of_every_iteration(run):
    rows = RunFolder(run).metrics()
    assert [row.iteration for row in rows] == [1, 2, 3]
    assert [row.imitation for row in rows] == [True, True, False]
    last = rows[-1]
    assert last.progress == 1.0 and last.steps > 0 and last.games == 48
    assert last.losses.keys() == {"total", "policy", "value"}
    assert last.accepted and last.gate is None
    assert last.anchors.keys() == {"random"}
    assert last.details["reference"] >= 0 and "divergence" in last.details
    assert 0 <= last.details["score"] <= 1


def test_what_was_trained_can_play(run):
    game = load_game(TINY)
    for spec in (f"policy:{run}", f"mcts:{run}?sims=4"):
        play_match(game, [make_agent(spec, game), make_agent("random", game)], 4, 1)


def test_a_seed_repeats_the_run_and_another_does_not(run, tmp_path):
    same = {"iterations": 3, **TEACH, "reference": {"policy": "start"}}
    start_run(tmp_path / "same", **same).run()
    assert outcome(tmp_path / "same") == outcome(run)
    start_run(tmp_path / "other", seed=1, **same).run()
    assert outcome(tmp_path / "other") != outcome(run)


@pytest.mark.parametrize("duel", [False, True])
def test_an_interrupted_run_goes_on_exactly(tmp_path, duel):
    options = {"iterations": 4, "imitation": {"share": 0.25, "teacher": "random"}}
    options |= {"reference": {"policy": "start"}, "keep_every": 4}
    options |= {"opponents": {"past": 1.0, "pool": 2}}
    start_run(tmp_path / "whole", duel, **options).run()
    halted = start_run(tmp_path / "halted", duel, **options)
    for _ in range(2):
        halted._iterate()
    (tmp_path / "halted" / "ckpt" / "step_000003").mkdir()  # what a crash can leave behind
    take_up(tmp_path / "halted").run()
    assert outcome(tmp_path / "halted") == outcome(tmp_path / "whole")


def test_a_finished_run_can_be_taken_up_without_any_change(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "run")
    trainer = take_up(copy)
    trainer.run()
    assert trainer.progress.iteration == 3
    assert contents(copy) == contents(run)


def test_a_damaged_state_is_refused_and_left_alone(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "run")
    file = copy / "ckpt" / "step_000003" / "train_state.json"
    state = json.loads(file.read_text())
    del state["progress"]["games"], state["metrics"]
    state["progress"]["unknown"] = 1
    file.write_text(json.dumps(state))
    seal(file.parent, read_manifest(file.parent).needs)
    before = contents(copy)
    with pytest.raises(BadCheckpoint, match="damaged training state"):
        take_up(copy)
    assert contents(copy) == before


def test_weights_are_carried_to_a_larger_scenario_with_more_seats(tmp_path):
    start_run(tmp_path / "small", duel=True, iterations=1).run()
    larger = start_run(
        tmp_path / "large", duel=True, game="hispania/punic55", start=str(tmp_path / "small")
    )
    small = load_model(tmp_path / "small" / "ckpt" / "step_000001", larger.game)
    assert larger.learner.num_values == 4
    for name, tensor in larger.learner.module.state_dict().items():
        assert torch.equal(tensor, small.module.state_dict()[name])
    game = larger.game
    states = game.new_states(np.arange(1, 4, dtype=np.uint64))
    # In a search over the same network every one of four seats has a value.
    for spec in (f"policy:{tmp_path / 'small'}", f"mcts:{tmp_path / 'small'}?sims=16"):
        actions = make_agent(spec, game).act(states, np.arange(3, dtype=np.uint64))
        assert all(int(a) in game.legal_actions(s) for s, a in zip(states, actions, strict=True))


def test_alphazero_trains_the_same_network(tmp_path):
    start_run(tmp_path / "ppo", duel=True, iterations=1).run()
    settings = check_settings(
        {
            "game": DUEL, "algorithm": "alphazero", "iterations": 1,
            "network": tiny_settings(duel=True).network.model_dump(),
            "start": str(tmp_path / "ppo" / "ckpt" / "step_000001"),
            "search": {"sims": 2},
            "selfplay": {"slots": 4, "workers": 1, "positions": 400, "precision": "float32"},
            "replay": {"minimum": 16, "growth": 1.0},
            "learning": {"batch_size": 64, "replay_ratio": 1.0, "threads": 1},
            "anchors": {"times": 0},
        },
        "test",
    )  # fmt: skip
    trainer = make_trainer(settings, RunFolder.create(tmp_path / "az", settings))
    trainer.run()
    last = RunFolder(tmp_path / "az").metrics()[-1]
    assert last.steps > 0 and last.games > 0
    assert last.losses["policy"] > 0


def test_a_wanted_number_of_decisions_decides_how_many_games_are_played(tmp_path):
    options = {"play": {"games": 8, "decisions": 150}, "iterations": 4}
    start_run(tmp_path / "whole", **options).run()
    rows = RunFolder(tmp_path / "whole").metrics()
    counts = [late.decisions - early.decisions for early, late in pairwise(rows)]
    assert rows[0].games == 8 and all(90 < count < 230 for count in counts)
    halted = start_run(tmp_path / "halted", **options)
    halted._iterate()
    take_up(tmp_path / "halted").run()
    assert outcome(tmp_path / "halted") == outcome(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"play": {"sequence": 0}}, "play.sequence"),
        ({"opponents": {"self_play": 0, "past": 0, "agents": {}}}, "at least one opponent"),
        ({"opponents": {"agents": {"random": -1.0}}}, "negative"),
        ({"reference": {"low": 2.0, "high": 1.0}}, "must not exceed"),
        ({"epochs": 3}, "unknown key 'epochs'"),
    ],
)
def test_bad_settings_name_the_key(changes, message):
    with pytest.raises(BadSetting, match=message):
        tiny_settings(**changes)


def test_every_dial_is_documented():
    settings = tiny_settings()
    for name, field in type(settings).model_fields.items():
        section = getattr(type(getattr(settings, name)), "model_fields", None)
        options = [field] if section is None else section.values()
        assert all(one.description for one in options), name
    assert check_settings(settings.model_dump(mode="json"), "again") == settings


def test_it_learns_three_in_a_row(tmp_path):
    """From nothing to clearly above random in a few seconds."""
    trainer = start_run(
        tmp_path / "run",
        iterations=14,
        play={"games": 192},
        opponents={"agents": {"random": 1.0}, "self_play": 0.3, "past": 0.0},
        outcome={"margin_share": 0.0},
        learning={
            "batch_size": 128,
            "epochs": 3,
            "learning_rate": 5e-3,
            "learning_rate_end": 1e-3,
            "average_decay": 0.5,
        },
        anchors={"agents": ["random"], "games": 200, "times": 1},
        seed=3,
    )
    trainer.run()
    last = RunFolder(tmp_path / "run").metrics()[-1]
    assert last.anchors["random"].score > 0.75
