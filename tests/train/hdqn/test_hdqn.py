"""Whole runs: reproducible, resumable after any kill, playable, and they learn."""

import dataclasses

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadCheckpoint, BadSetting, UnknownName
from stratagem.core.registry import load_game
from stratagem.core.specs import ActionGroup
from stratagem.evaluate.matches import play_match
from stratagem.runs.folder import RunFolder
from stratagem.train.hdqn import trainer as trainer_module
from train.alphazero.test_interruption import Killed, Reaper
from train.alphazero.tiny import left_over, outcome
from train.hdqn.small import GAME, small_settings, start_run, take_up


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished run, and the number of steps with which it reached the disk."""
    path = tmp_path_factory.mktemp("whole") / "run"
    trainer = start_run(path)
    with pytest.MonkeyPatch.context() as patch:
        reaper = Reaper(patch, moment=-1)
        trainer.run()
    return path, reaper.count


def test_the_same_seed_gives_the_same_run(whole, tmp_path):
    start_run(tmp_path / "again").run()
    assert outcome(tmp_path / "again") == outcome(whole[0])
    start_run(tmp_path / "other", seed=1).run()
    assert outcome(tmp_path / "other") != outcome(whole[0])


def test_a_crash_at_any_write_loses_nothing(whole, tmp_path):
    path, steps = whole
    expected = outcome(path)
    for moment in range(2, steps, 5):
        folder = tmp_path / str(moment)
        trainer = start_run(folder)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Reaper(patch, moment)
            trainer.run()
        take_up(folder).run()
        assert outcome(folder) == expected, f"killed at step {moment}"
        assert left_over(folder) == []


def test_metrics_tell_what_was_played_and_learned(whole):
    rows = RunFolder(whole[0]).metrics()
    assert [row.iteration for row in rows] == [1, 2, 3]
    for row in rows:
        assert len(row.details["episodes"]["points"]) >= 1
        assert row.games >= 3 * row.iteration
        assert set(row.details["steps_by_network"]) == {"orchestrator", "settlement", "road"}
        assert row.steps == sum(row.details["steps_by_network"].values())
        assert row.details["epsilon"] == pytest.approx(0.996**row.games, abs=1e-4)
    assert sum(len(row.details["episodes"]["points"]) for row in rows) == rows[-1].games
    assert rows[-1].anchors["random"].score >= 0
    assert rows[-1].losses.keys() == {"total", *rows[-1].details["steps_by_network"]}
    assert rows[-1].learning_rate == 1e-3 and rows[-1].gate is None
    assert rows[-1].measures["points"].count == len(rows[-1].details["episodes"]["points"])
    # One step per decision of a network, once its replay holds a batch.
    assert 0 < rows[-1].steps <= 2 * rows[-1].decisions


def test_a_damaged_checkpoint_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "run"
    start_run(path, iterations=1).run()
    file = path / "ckpt" / "step_000001" / "slots.safetensors"
    file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(BadCheckpoint, match=r"slots\.safetensors is truncated or damaged"):
        take_up(path)
    assert file.exists()


def test_the_agent_plays_a_run(whole):
    game = load_game(GAME)
    spec = f"hdqn:{whole[0]}"
    match = play_match(game, [make_agent(spec, game), make_agent("random", game)], 4, 1)
    assert match.agents[0].spec == spec
    states = game.new_states(np.arange(1, 6, dtype=np.uint64))
    seeds = np.arange(5, dtype=np.uint64)
    agent = make_agent(spec, game)
    assert (agent.act(states, seeds) == agent.act(states, seeds)).all()
    # The first settlement is its specialist's: the choice does not hang on the seed.
    assert (agent.act(states, seeds) == agent.act(states, seeds + np.uint64(9))).all()
    always = make_agent(f"{spec}?epsilon=1", game)
    assert (always.act(states, seeds) != always.act(states, seeds + np.uint64(9))).any()


def test_wrong_targets_and_options_name_the_fix(whole):
    game = load_game(GAME)
    with pytest.raises(BadSetting, match=f"write hdqn:{whole[0]}"):
        make_agent(f"policy:{whole[0]}", game)
    with pytest.raises(BadSetting, match="write hdqn:PATH"):
        make_agent("hdqn", game)
    with pytest.raises(BadSetting, match="epsilon must be a number from 0 to 1"):
        make_agent(f"hdqn:{whole[0]}?epsilon=2", game)
    with pytest.raises(BadCheckpoint, match="cannot play connect_four"):
        make_agent(f"hdqn:{whole[0]}", load_game("connect_four"))
    battlefield = load_game("battlefield")
    with pytest.raises(BadCheckpoint, match="decides in one step"):
        make_agent(f"hdqn:{battlefield.rules.folder / 'best' / 'default'}", battlefield)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hierarchy": {"specialists": ["setlement"]}}, UnknownName, "did you mean 'settlement'"),
        ({"hierarchy": {"subgoals": ["trade"]}}, UnknownName, "unknown sub-goal .* of catan"),
        (
            {"hierarchy": {"specialists": ["city"], "subgoals": ["road"]}},
            BadSetting,
            "add it to specialists",
        ),
        ({"game": "connect_four"}, BadSetting, "declares no action groups"),
    ],
)
def test_a_hierarchy_must_fit_the_game(tmp_path, changes, error, message):
    if "game" in changes:
        changes = {**changes, "network": {"encoding": ""}}
    with pytest.raises(error, match=message):
        start_run(tmp_path / "run", **changes)


def test_weights_can_come_from_another_run(whole, tmp_path):
    start = str(whole[0] / "ckpt" / "step_000003")
    trainer = start_run(tmp_path / "run", start=start)
    mine = trainer.hierarchy.network.state_dict()
    theirs = take_up(whole[0]).hierarchy.network.state_dict()
    assert all((mine[name] == theirs[name]).all() for name in theirs)


def test_it_learns_a_toy_game(tmp_path, monkeypatch):
    """Three in a row on a 4x4 board: left or right first, then the column, against random."""
    game = load_game("connect_four/default?columns=4&connect=3&rows=4")
    rules = dataclasses.replace(
        game.rules,
        groups=lambda scenario: (ActionGroup("left", 0, 2), ActionGroup("right", 2, 4)),
    )
    toy = dataclasses.replace(game, rules=rules)
    monkeypatch.setattr(trainer_module, "load_game", lambda spec: toy)
    settings = small_settings(
        game=toy.spec,
        iterations=6,
        network={"settings": {"hidden": [32]}, "encoding": ""},
        hierarchy={"specialists": ["left", "right"], "subgoals": []},
        episodes={"slots": 4, "per_iteration": 90},
        explore={"decay": 0.985, "specialist_decay": 0.985},
        learning={"batch_size": 32, "replay": 1000, "reward": "gain"},
        anchors={"times": 0},
    )
    trainer_module.Trainer(settings, RunFolder.create(tmp_path / "toy", settings)).run()
    rows = RunFolder(tmp_path / "toy").metrics()
    assert rows[0].details["result"] < 0.6
    assert rows[-1].details["result"] > 0.8
