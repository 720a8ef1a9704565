"""The run folder: refuses, sweeps, keeps what is needed."""

import json

import pytest
import torch

from stratagem.core.errors import BadCheckpoint, BadSetting, StratagemError
from stratagem.core.registry import load_game
from stratagem.train.alphazero.learner import Learner
from stratagem.train.run_folder import RunFolder, new_run_path
from train.alphazero.tiny import contents, tiny_settings


@pytest.fixture(scope="module")
def learner():
    settings = tiny_settings()
    return Learner([load_game(settings.game)], settings.network, settings.learn, 1)


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(tmp_path / "run", tiny_settings())


@pytest.fixture
def save(folder, learner):
    def save(iteration, accepted=True):
        """What an iteration leaves behind, in the order of a run."""
        folder.buffer.mkdir(exist_ok=True)
        (folder.buffer / f"{iteration:06d}.safetensors").write_bytes(b"replay")
        folder.games.mkdir(exist_ok=True)
        (folder.games / f"{iteration:06d}.jsonl").write_text("game\n")
        card = learner.card({"iteration": iteration})
        tensors, state = {"steps": torch.tensor(iteration)}, {"iteration": iteration}
        folder.save_checkpoint(iteration, learner.playing, card, tensors, state, b"slots", accepted)
        folder.add_metrics({"iteration": iteration, "loss": 0.5})

    return save


def numbers(paths):
    return sorted(int("".join(filter(str.isdigit, path.stem))) for path in paths)


def test_a_new_run_can_be_opened_again(folder):
    again, settings = RunFolder.open(folder.path)
    assert again.path == folder.path
    assert settings == tiny_settings()
    meta = json.loads((folder.path / "meta.json").read_text())
    assert meta.keys() >= {"stratagem", "commit", "python", "torch", "machine", "started"}
    assert folder.latest() == 0
    assert folder.metrics() == []


def test_a_folder_with_a_run_is_not_overwritten(folder):
    before = contents(folder.path)
    with pytest.raises(BadSetting, match="already holds a run: go on with --resume"):
        RunFolder.create(folder.path, tiny_settings(seed=2))
    assert contents(folder.path) == before


def test_an_empty_folder_is_no_run(tmp_path):
    with pytest.raises(BadSetting, match="holds no run to resume"):
        RunFolder.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_config_is_refused_by_name(folder):
    file = folder.path / "config.toml"
    text = file.read_text()
    for damaged in (text.replace("sims = 8", "simulations = 8"), text[:40], "seed = [", ""):
        file.write_text(damaged)
        with pytest.raises(StratagemError, match=r"config\.toml") as caught:
            RunFolder.open(folder.path)
        assert "\n" not in str(caught.value)


def test_pointers(folder, save):
    save(1)
    save(2, accepted=False)
    assert folder.latest() == 2
    assert (folder.checkpoints / "best").read_text() == "step_000001\n"
    folder.point_best(2)
    assert (folder.checkpoints / "best").read_text() == "step_000002\n"
    folder.point_best(0)
    assert not (folder.checkpoints / "best").exists()


@pytest.mark.parametrize("text", ["", "step_", "step_0", "step_000002", "twelve"])
def test_a_damaged_pointer_is_refused(folder, save, text):
    save(1)
    (folder.checkpoints / "latest").write_text(text)
    with pytest.raises(BadCheckpoint, match="latest names no step folder"):
        folder.latest()


def test_a_lost_pointer_is_refused_once_it_must_have_been_written(folder, save):
    save(1)
    (folder.checkpoints / "latest").unlink()
    assert folder.latest() == 0
    save(2)
    (folder.checkpoints / "latest").unlink()
    with pytest.raises(BadCheckpoint, match="latest names no step folder"):
        folder.latest()


def test_the_training_state_comes_back(folder, save):
    save(3)
    tensors, state = folder.load_training_state(3)
    assert tensors["steps"] == 3
    assert state == {"iteration": 3}
    with pytest.raises(BadCheckpoint, match="step_000004: damaged training state"):
        folder.load_training_state(4)


def test_forgetting_sweeps_up_what_came_after(folder, save):
    save(1)
    save(2)
    kept = contents(folder.path)
    save(3)
    (folder.checkpoints / ".step_000004.abc").mkdir()
    (folder.checkpoints / ".step_000004.abc" / "model.json").write_text("{")
    for stale in (
        folder.checkpoints / ".latest.abc",
        folder.buffer / ".000004.safetensors.abc",
        folder.games / ".000004.jsonl.abc",
        folder.path / ".metrics.jsonl.abc",
    ):
        stale.write_text("half")
    folder.forget_after(2)
    assert {**contents(folder.path), "ckpt/latest": "", "ckpt/best": ""} == {
        **kept,
        "ckpt/latest": "",
        "ckpt/best": "",
    }
    assert not (folder.checkpoints / ".step_000004.abc").exists()


def test_a_torn_line_of_metrics_is_ignored_and_swept(folder, save):
    save(1)
    save(2)
    with folder.metrics_file.open("a") as stream:
        stream.write('{"iteration": 3, "lo')
    assert [line["iteration"] for line in folder.metrics()] == [1, 2]
    folder.forget_after(2)
    folder.add_metrics({"iteration": 3})
    assert [line["iteration"] for line in folder.metrics()] == [1, 2, 3]
    assert len(folder.metrics_file.read_text().splitlines()) == 3


def test_tidying_keeps_what_somebody_can_need(folder, save):
    for iteration in range(1, 11):
        save(iteration)
    folder.tidy(10, keep_every=4, oldest_segment=7, needed={3, 9})
    steps = folder.checkpoints
    assert numbers(steps.glob("step_*")) == [3, 4, 8, 9, 10]
    # Only the last two can be taken up again; the others can still play.
    assert numbers(path.parent for path in steps.glob("*/train_state.safetensors")) == [9, 10]
    assert numbers(path.parent for path in steps.glob("*/slots.safetensors")) == [9, 10]
    assert numbers(path.parent for path in steps.glob("*/model.safetensors")) == [3, 4, 8, 9, 10]
    assert numbers(folder.buffer.iterdir()) == [7, 8, 9, 10]
    assert numbers(folder.games.iterdir()) == list(range(1, 11))


def test_names_of_new_runs_are_free(tmp_path):
    first = new_run_path(tmp_path, "battlefield/duel?height=5", 3)
    assert first.name.endswith("-battlefield-duel-s3")
    first.mkdir()
    second = new_run_path(tmp_path, "battlefield/duel?height=5", 3)
    assert second != first
