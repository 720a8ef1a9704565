"""The run folder: refuses, sweeps, keeps what is needed."""

import os

import numpy as np
import pytest
import torch

from runs.made_up import some_metrics
from stratagem.core.errors import BadCheckpoint, BadSetting, StratagemError
from stratagem.core.manifest import read_manifest
from stratagem.core.registry import load_game
from stratagem.runs.checkpoints import (
    TrainingState,
    check_whole,
    files_of_network,
    find_checkpoint,
    load_training_state,
    save_checkpoint,
)
from stratagem.runs.folder import RunFolder, new_run_path
from stratagem.runs.lock import hold_run
from stratagem.runs.status import is_running, memory_bytes
from stratagem.train.alphazero.learner import Learner
from stratagem.train.settings import read_settings
from train.alphazero.tiny import contents, tiny_settings


@pytest.fixture(scope="module")
def learner():
    settings = tiny_settings()
    return Learner([load_game(settings.game)], settings.network, settings.learning, 1)


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(tmp_path / "run", tiny_settings())


@pytest.fixture
def save(folder, learner):
    def save(iteration, accepted=True, needs=()):
        """What an iteration leaves behind, in the order of a run."""
        folder.segment(iteration).parent.mkdir(exist_ok=True)
        folder.segment(iteration).write_bytes(b"replay")
        (folder.path / "games").mkdir(exist_ok=True)
        (folder.path / "games" / f"{iteration:06d}.jsonl").write_text("game\n")
        card = learner.card({"iteration": iteration})
        state = TrainingState(
            {"steps": torch.tensor(iteration)}, {"iteration": iteration}, {"slots": np.arange(3)}
        )
        save_checkpoint(folder, iteration, learner.playing, card, state, needs)
        if accepted:
            folder.point_best(iteration)
        folder.add_metrics(some_metrics(iteration))

    return save


def numbers(paths):
    return sorted(int("".join(filter(str.isdigit, path.stem))) for path in paths)


def test_a_new_run_can_be_opened_again(folder):
    again = RunFolder.open(folder.path)
    assert again.path == folder.path
    assert read_settings(again) == tiny_settings()
    assert all(again.provenance().model_dump(exclude={"commit"}).values())
    assert folder.latest() == 0
    assert folder.metrics() == []


def test_a_folder_with_a_run_is_not_overwritten(folder):
    before = contents(folder.path)
    with pytest.raises(BadSetting, match="already contains a run: continue with --resume"):
        RunFolder.create(folder.path, tiny_settings(seed=2))
    assert contents(folder.path) == before


def test_a_folder_with_anything_else_in_it_is_refused(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "lock").touch()  # of a start that was killed
    (tmp_path / "run" / ".config.toml.x1y2").touch()
    RunFolder(tmp_path / "run").check_free()
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(BadSetting, match=r"already contains .*: choose an empty or new folder"):
        RunFolder(tmp_path).check_free()


def test_an_empty_folder_is_no_run(tmp_path):
    with pytest.raises(BadSetting, match="does not contain a run"):
        RunFolder.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_config_is_refused_by_name(folder):
    file = folder.path / "config.toml"
    text = file.read_text()
    for damaged in (text.replace("sims = 8", "simulations = 8"), text[:40], "seed = [", ""):
        file.write_text(damaged)
        with pytest.raises(StratagemError, match=r"config\.toml") as caught:
            read_settings(RunFolder.open(folder.path))
        assert "\n" not in str(caught.value)


def test_pointers(folder, save):
    save(1)
    save(2, accepted=False)
    assert folder.latest() == 2
    assert folder.best() == 1
    folder.point_best(2)
    assert folder.best() == 2
    folder.point_best(0)
    assert not ((folder.path / "ckpt") / "best").exists()


@pytest.mark.parametrize(
    "text", ["", "step_", "step_000001", f"step_000001 {'0' * 32}\n", "twelve"]
)
def test_a_damaged_pointer_is_refused(folder, save, text):
    save(1)
    ((folder.path / "ckpt") / "latest").write_text(text)
    with pytest.raises(BadCheckpoint, match="latest is damaged"):
        folder.latest()


def test_a_lost_pointer_is_refused_once_it_must_have_been_written(folder, save):
    save(1)
    ((folder.path / "ckpt") / "latest").unlink()
    assert folder.latest() == 0
    save(2)
    ((folder.path / "ckpt") / "latest").unlink()
    with pytest.raises(BadCheckpoint, match="latest is missing"):
        folder.latest()


def test_the_training_state_comes_back(folder, save):
    save(3)
    state = load_training_state(folder, 3)
    assert state.tensors["steps"] == 3
    assert state.values == {"iteration": 3}
    assert state.arrays["slots"].tolist() == [0, 1, 2]
    with pytest.raises(BadCheckpoint, match=r"no manifest\.json in .*step_000004"):
        load_training_state(folder, 4)


def test_forgetting_sweeps_up_what_came_after(folder, save):
    save(1)
    save(2)
    kept = contents(folder.path)
    save(3)
    ((folder.path / "ckpt") / ".step_000004.abc").mkdir()
    ((folder.path / "ckpt") / ".step_000004.abc" / "model.json").write_text("{")
    for stale in (
        (folder.path / "ckpt") / ".latest.abc",
        (folder.path / "buffer") / ".000004.safetensors.abc",
        folder.path / "games" / ".000004.jsonl.abc",
        folder.path / ".metrics.jsonl.abc",
    ):
        stale.write_text("half")
    folder.forget_after(2)
    assert {**contents(folder.path), "ckpt/latest": "", "ckpt/best": ""} == {
        **kept,
        "ckpt/latest": "",
        "ckpt/best": "",
    }
    assert not ((folder.path / "ckpt") / ".step_000004.abc").exists()


def test_a_torn_line_of_metrics_is_ignored_and_swept(folder, save):
    save(1)
    save(2)
    with (folder.path / "metrics.jsonl").open("a") as stream:
        stream.write('{"iteration": 3, "lo')
    assert [line.iteration for line in folder.metrics()] == [1, 2]
    folder.forget_after(2)
    folder.add_metrics(some_metrics(3))
    assert [line.iteration for line in folder.metrics()] == [1, 2, 3]
    assert len((folder.path / "metrics.jsonl").read_text().splitlines()) == 3


def test_tidying_keeps_what_somebody_can_need(folder, save):
    for iteration in range(1, 9):
        save(iteration)
    save(9, needs=[folder.segment(6)])
    save(10, needs=[*map(folder.segment, range(7, 11)), *files_of_network(folder, 3)])
    folder.tidy(10, keep_every=4)
    steps = folder.path / "ckpt"
    assert numbers(steps.glob("step_*")) == [3, 4, 8, 9, 10]
    # Only the last two can be taken up again; the others can still play.
    assert numbers(path.parent for path in steps.glob("*/train_state.safetensors")) == [9, 10]
    assert numbers(path.parent for path in steps.glob("*/slots.safetensors")) == [9, 10]
    assert numbers(path.parent for path in steps.glob("*/model.safetensors")) == [3, 4, 8, 9, 10]
    assert numbers((folder.path / "buffer").iterdir()) == [6, 7, 8, 9, 10]
    for number in (3, 4, 8):
        assert set(read_manifest(folder.step_folder(number)).files) == {
            "model.json", "model.safetensors",
        }  # fmt: skip
    for number in (9, 10):
        check_whole(folder, number)
    assert numbers(folder.games()) == list(range(1, 11))


def test_names_of_new_runs_are_free(tmp_path):
    first = new_run_path(tmp_path, "battlefield/duel?height=5", 3)
    assert first.name.endswith("-battlefield-duel-s3")
    first.mkdir()
    second = new_run_path(tmp_path, "battlefield/duel?height=5", 3)
    assert second != first


def test_folders_that_are_no_checkpoints_are_left_alone(folder, save):
    save(1)
    for name in ("step_x", "step_²", "step_0000001", "step_-00001"):
        step = folder.path / "ckpt" / name
        step.mkdir()
        (step / "model.json").write_text("{}")
    assert folder.steps() == [1] and folder.step_numbers() == {1}
    folder.forget_after(0)
    assert folder.steps() == []


def test_links_in_a_run_of_somebody_else_lead_to_no_harm(folder, save, tmp_path):
    save(1)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "train_state.json").write_text("mine")
    (precious / "text").write_text("mine")
    before = contents(precious)
    (folder.path / "ckpt" / "step_000002").symlink_to(precious)
    for name in ("lock", "log.txt"):
        (folder.path / name).unlink(missing_ok=True)
        (folder.path / name).symlink_to(precious / "text")
    with pytest.raises(OSError, match="symbolic links"), hold_run(folder.path):
        pass
    with pytest.raises(OSError, match="symbolic links"):
        folder.log("a line")
    folder.forget_after(1)
    assert not (folder.path / "ckpt" / "step_000002").exists()
    assert contents(precious) == before


@pytest.mark.parametrize("name", ["meta.json", "lock", "log.txt"])
def test_a_pipe_in_a_run_holds_nobody_up(folder, name):
    (folder.path / name).unlink(missing_ok=True)
    os.mkfifo(folder.path / name)
    assert folder.provenance() is not None and folder.log_lines(5) == []
    assert not is_running(folder) and memory_bytes(folder) is None
    if name == "lock":
        with pytest.raises(BadSetting, match="not a regular file"), hold_run(folder.path):
            pass


def test_metrics_of_an_iteration_that_nobody_can_have_reached(folder):
    """Listing all that are missing before it would take all memory."""
    folder.add_metrics(some_metrics(1))
    folder.add_metrics(some_metrics(10**15, progress=0.5))
    assert "iteration 2 is missing" in folder.damaged_metrics()


@pytest.mark.parametrize("progress", ["x", -1, float("nan"), 1e300, None])
def test_a_card_with_a_wrong_progress_is_named(folder, learner, progress):
    state = TrainingState({"steps": torch.tensor(1)}, {"iteration": 1})
    save_checkpoint(folder, 1, learner.playing, learner.card({"progress": progress}), state)
    with pytest.raises(BadCheckpoint, match="invalid progress"):
        find_checkpoint(f"{folder.path}@50%")
