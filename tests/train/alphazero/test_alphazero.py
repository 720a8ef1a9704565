"""AlphaZero from end to end on a tiny game: files, agents, gates, repeatability, learning."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from stratagem.agents.spec import make_agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.manifest import read_manifest, seal
from stratagem.core.record import read_record, replay
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match
from stratagem.nets.model_file import read_card
from stratagem.runs.folder import RunFolder
from stratagem.train.alphazero.replay import load_samples
from stratagem.train.alphazero.results import FinishedGame, SelfPlayResult, no_samples
from train.alphazero.tiny import TINY, contents, left_over, outcome, start_run, take_up


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run of two iterations."""
    path = tmp_path_factory.mktemp("runs") / "run"
    start_run(path).run()
    return path


@pytest.fixture
def copy(run, tmp_path):
    return shutil.copytree(run, tmp_path / "run")


def test_a_run_leaves_all_its_files(run):
    names = set(contents(run))
    step = {"model.json", "model.safetensors", "slots.safetensors", "train_state.json"}
    step |= {"train_state.safetensors", "manifest.json"}
    assert names == {
        "config.toml", "meta.json", "metrics.jsonl", "ckpt/latest", "ckpt/best",
        "games/000001.jsonl", "games/000002.jsonl",
        "buffer/000001.safetensors", "buffer/000002.safetensors",
        *(f"ckpt/step_{number:06d}/{file}" for number in (1, 2) for file in step),
    }  # fmt: skip
    assert left_over(run) == []
    card = read_card(run / "ckpt" / "step_000002")
    assert card.game == TINY
    assert card.training["progress"] == 1.0
    for file in (run / "games").iterdir():
        replay(read_record(file))


def test_metrics_tell_of_every_iteration(run):
    first, last = RunFolder(run).metrics()
    assert (first.iteration, last.iteration) == (1, 2)
    assert (first.progress, last.progress) == (0.5, 1.0)
    assert last.decisions > first.decisions >= 64
    assert last.games > first.games > 0
    assert last.steps > 0 and last.losses.keys() == {"total", "policy", "value"}
    assert last.loss == pytest.approx(last.losses["policy"] + last.losses["value"], abs=1e-4)
    assert last.accepted and last.gate is None  # every network is accepted, without a test
    assert first.anchors == {}
    assert last.anchors.keys() == {"random"}
    assert 0 < last.details["network_share"] < 1


@pytest.mark.parametrize("spec", ["mcts:{run}?sims=8", "policy:{run}", "policy:{run}@50%"])
def test_what_was_trained_can_play(run, spec):
    game = load_game(TINY)
    agent = make_agent(spec.format(run=run), game)
    states = game.new_states(np.arange(1, 4, dtype=np.uint64))
    actions = agent.act(states, np.arange(3, dtype=np.uint64))
    assert ((actions >= 0) & (actions < 4)).all()


def test_a_share_of_the_run_finds_its_checkpoint(run):
    from stratagem.runs.checkpoints import find_checkpoint

    assert find_checkpoint(f"{run}@50%").name == "step_000001"
    assert find_checkpoint(f"{run}@100%").name == "step_000002"
    assert find_checkpoint(str(run)).name == "step_000002"


def test_a_seed_repeats_the_run_and_another_does_not(run, tmp_path):
    start_run(tmp_path / "same").run()
    assert outcome(tmp_path / "same") == outcome(run)
    start_run(tmp_path / "other", seed=1).run()
    assert outcome(tmp_path / "other") != outcome(run)


def test_a_finished_run_can_be_taken_up_without_any_change(run, copy):
    trainer = take_up(copy)
    trainer.run()
    assert trainer.progress.iteration == 2
    assert outcome(copy) == outcome(run)
    assert contents(copy) == contents(run)


@pytest.mark.parametrize("mode", ["threshold", "sprt"])
def test_gated_runs_go_on_exactly(tmp_path, mode):
    """Rejections, tests that are skipped and checkpoints that are dropped are all resumed."""
    options = {
        "iterations": 4,
        "keep_every": 4,
        "gate": {"mode": mode, "pool": 2, "every": 2, "threshold": 0.9},
        "selfplay": {"slots": 4, "workers": 1, "positions": 24},
    }
    start_run(tmp_path / "whole", **options).run()
    for _ in range(4):
        path = tmp_path / "parts"
        trainer = take_up(path) if path.exists() else start_run(path, **options)
        trainer._iterate()
    assert outcome(tmp_path / "parts") == outcome(tmp_path / "whole")
    rows = RunFolder(tmp_path / "whole").metrics()
    assert [row.gate is None for row in rows] == [True, True, True, False]  # none to meet at first
    assert [row.accepted for row in rows[:3]] == [False, True, False]
    assert rows[3].accepted == rows[3].gate.accepted


def test_shaping_and_playout_caps_run_too(tmp_path):
    trainer = start_run(
        tmp_path / "run",
        game="battlefield/duel",
        iterations=1,
        search={"shaping": 0.5},
        shaping={"target_weight": 0.5},
        selfplay={"full_share": 0.5, "fast_sims": 4, "first_sims_share": 0.5},
    )
    trainer.run()
    assert len(RunFolder(tmp_path / "run").metrics()) == 1


def test_a_run_starts_from_another_runs_weights(run, tmp_path):
    trainer = start_run(tmp_path / "next", start=str(run / "ckpt" / "step_000002"))
    game = load_game(TINY)
    states = game.new_states(np.ones(1, np.uint64))
    expected = make_agent(f"policy:{run}", game)._evaluator.evaluate(states, np.arange(1))
    found = trainer._player()._evaluator.evaluate(states, np.arange(1))
    assert np.array_equal(found.logits, expected.logits)


# -- damage --------------------------------------------------------------------------------------


def cut(file):
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def drop(file):
    file.unlink()


def flip(file):
    """Change one byte in the middle: the length stays."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x40
    file.write_bytes(data)


def rename_game(file):
    """What somebody changed on purpose has checksums of its own."""
    file.write_text(file.read_text().replace("connect_four", "battlefield"))
    reseal(file.parent)


def another_version(file):
    file.write_text(file.read_text().replace('"game_version": 1', '"game_version": 99'))
    reseal(file.parent)


def lose_keys(file):
    file.write_text(json.dumps({"progress": json.loads(file.read_text())["progress"]}))
    reseal(file.parent)


def reseal(step):
    seal(step, read_manifest(step).needs)


STEP = "ckpt/step_000002"


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (f"{STEP}/manifest.json", flip),
        (f"{STEP}/model.safetensors", flip),
        (f"{STEP}/model.json", cut),
        (f"{STEP}/train_state.safetensors", flip),
        (f"{STEP}/train_state.safetensors", drop),
        (f"{STEP}/train_state.json", flip),
        (f"{STEP}/slots.safetensors", flip),
        (f"{STEP}/slots.safetensors", drop),
        ("ckpt/latest", flip),
        ("ckpt/latest", cut),
        ("buffer/000002.safetensors", flip),
        ("buffer/000002.safetensors", drop),
    ],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_the_newest_whole_checkpoint_is_taken_up_and_the_run_ends_the_same(run, copy, name, damage):
    damage(copy / name)
    trainer = take_up(copy)
    (note,) = trainer.notes
    assert Path(name).name in note
    # A damaged pointer hides nothing; whatever else is damaged is trained again.
    found = "step_000002" if name == "ckpt/latest" else "step_000001"
    assert f"continuing from {found}" in note
    assert note in (copy / "log.txt").read_text()
    trainer.run()
    assert outcome(copy) == outcome(run)
    assert take_up(copy).notes == []


def test_damaged_metrics_are_told_of_and_left_out(copy):
    file = copy / "metrics.jsonl"
    file.write_text(file.read_text().replace('"decisions"', '"decisionz"', 1))
    assert "line 1 is damaged" in RunFolder(copy).damaged_metrics()
    trainer = take_up(copy)
    assert "metrics.jsonl: line 1 is damaged" in trainer.notes[0]
    assert [row.iteration for row in RunFolder(copy).metrics()] == [2]
    assert "iteration 1 is missing" in RunFolder(copy).damaged_metrics()


def test_a_pointer_to_another_network_is_noticed(copy):
    pointer = copy / "ckpt" / "best"
    pointer.write_text(pointer.read_text().replace("step_000002", "step_000001"))
    with pytest.raises(BadCheckpoint, match="best is damaged: it names step_000001"):
        make_agent(f"policy:{copy}", load_game(TINY))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (f"{STEP}/model.json", rename_game),
        (f"{STEP}/model.json", another_version),
        (f"{STEP}/train_state.json", lose_keys),
        ("buffer/000001.safetensors", cut),
        ("buffer/000001.safetensors", flip),
        ("buffer/000001.safetensors", drop),
    ],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_a_damaged_run_is_refused_and_left_alone(copy, name, damage):
    (copy / "ckpt" / ".step_000003.abc").mkdir()
    (copy / "ckpt" / ".step_000003.abc" / "half").write_text("to be swept up, but not now")
    damage(copy / name)
    before = contents(copy)
    with pytest.raises(BadCheckpoint) as caught:
        take_up(copy)
    assert "\n" not in str(caught.value)
    assert str(copy) in str(caught.value)
    assert contents(copy) == before


def test_other_settings_than_the_checkpoints_are_refused(copy):
    config = copy / "config.toml"
    text = config.read_text()
    for change in ("filters = 8", "filters = 16"), ("slots = 8", "slots = 16"):
        config.write_text(text.replace(*change))
        before = contents(copy)
        with pytest.raises(BadSetting, match=r"config\.toml was changed or damaged") as caught:
            take_up(copy)
        assert "\n" not in str(caught.value)
        assert contents(copy) == before


# -- learning ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_learns_to_beat_random_from_scratch(tmp_path):
    trainer = start_run(
        tmp_path / "run",
        iterations=25,
        network={"settings": {"filters": 16, "blocks": 1}},
        search={"sims": 16},
        selfplay={"slots": 32, "positions": 384},
        replay={"minimum": 256},
        learning={"batch_size": 64, "replay_ratio": 4.0, "learning_rate": 5e-3},
        anchors={"times": 0},
    )
    trainer.run()

    def score(share):
        # Without search: what the network itself has learned.
        policy = make_agent(f"policy:{tmp_path / 'run'}@{share}", trainer.game)
        opponent = make_agent("random", trainer.game)
        return play_match(trainer.game, [policy, opponent], 100, 1).agents[0].tally.score

    assert score("0%") < 0.80
    assert score("100%") >= 0.90


def test_several_scenarios_are_played_and_learned_side_by_side(tmp_path):
    other = "connect_four/default?columns=4&connect=4&rows=4"
    trainer = start_run(tmp_path / "run", extra_scenarios=[other], iterations=2)
    trainer.run()
    samples = load_samples(trainer.folder.segment(2), trainer.games)
    for index, connect in ((0, 3), (1, 4)):
        mine = samples.states[samples.scenario_indices == index]
        assert len(mine) > 8
        assert (mine["connect"] == connect).all()
    assert trainer.folder.metrics()[1].steps > 0


def test_a_game_that_is_kept_names_the_scenario_it_was_played_on(tmp_path):
    other = "connect_four/default?columns=4&connect=4&rows=4"
    trainer = start_run(tmp_path / "run", extra_scenarios=[other], iterations=1)
    ended_first = FinishedGame(1, (0, 1), scenario_index=1)
    record = trainer._record(
        SelfPlayResult(no_samples(trainer.game), (ended_first,), 2, 0, 2.0, 0.0)
    )
    assert record.game == trainer.games[1].spec
    assert replay(record)[-1]["connect"] == 4


def test_scenarios_of_one_run_are_of_one_game(tmp_path):
    with pytest.raises(BadSetting, match="choose scenarios of connect_four"):
        start_run(tmp_path / "run", extra_scenarios=["battlefield"])
    with pytest.raises(BadSetting, match="works for one board size only"):
        start_run(
            tmp_path / "wide", extra_scenarios=["connect_four/default?columns=5&connect=3&rows=4"]
        )
