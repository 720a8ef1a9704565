"""Numbers that are not finite end a run, and nothing of them is saved or plays."""

import numpy as np
import pytest
import safetensors.torch
import torch

from stratagem.core.errors import BadCheckpoint, Diverged, StratagemError
from stratagem.core.manifest import seal
from stratagem.runs.folder import RunFolder
from stratagem.train.alphazero.replay import Replay
from train.alphazero.tiny import start_run, take_up, tiny_settings


@pytest.mark.parametrize(
    "changes",
    [
        {"learning": {"learning_rate": float("inf")}},
        {"learning": {"weight_decay": float("nan")}},
        {"search": {"c_init": float("inf")}},
        {"budget_seconds": float("nan")},
    ],
)
def test_settings_that_are_not_finite_are_refused(changes):
    with pytest.raises(StratagemError, match="finite"):
        tiny_settings(**changes)


@pytest.fixture
def run(tmp_path):
    """A run of one iteration that has a second one to go."""
    start_run(tmp_path / "run", anchors={"times": 0})._iterate()
    return tmp_path / "run"


def diverging(path, match):
    """Resume and go on: it stops, names the iteration, and the folder promotes nothing."""
    trainer = take_up(path)
    with pytest.raises(Diverged, match=match) as caught:
        trainer.run()
    assert "iteration 2" in str(caught.value) and "\n" not in str(caught.value)
    folder = RunFolder(path)
    assert (folder.latest(), folder.best()) == (1, 1)
    assert [row.iteration for row in folder.metrics()] == [1]


def test_a_loss_that_is_not_finite_stops_the_run(run, monkeypatch):
    monkeypatch.setattr(
        "stratagem.train.alphazero.learner.alphazero_loss",
        lambda output, targets, **weights: [output.logits.sum() * torch.nan] * 4,
    )
    monkeypatch.setattr(
        "stratagem.train.alphazero.learner.Learner._gradients", lambda *_: np.full(4, np.nan)
    )
    diverging(run, "loss 'total' is nan")


def test_weights_that_are_not_finite_stop_the_run(run, monkeypatch):
    from stratagem.train.alphazero.learner import Learner

    average = Learner._average

    def spoil(self):
        average(self)
        next(iter(self.playing.parameters())).data.flatten()[0] = torch.inf

    monkeypatch.setattr(Learner, "_average", spoil)
    diverging(run, "no longer finite")


def test_inputs_that_are_not_finite_stop_the_run_and_are_named(run, monkeypatch):
    draw = Replay.draw

    def spoil(self, *arguments):
        batch = draw(self, *arguments)
        batch.observations[0, 0] = np.nan
        return batch

    monkeypatch.setattr(Replay, "draw", spoil)
    diverging(run, "observations given to the network are not finite")


def test_weights_that_are_not_finite_are_no_start(run, tmp_path):
    step = run / "ckpt" / "step_000001"
    file = step / "model.safetensors"
    tensors = safetensors.torch.load(file.read_bytes())
    weights = next(one for one in tensors.values() if one.is_floating_point())
    weights.view(-1)[0] = torch.nan
    safetensors.torch.save_file(tensors, file)
    seal(step)
    with pytest.raises(BadCheckpoint, match="is not finite"):
        start_run(tmp_path / "next", start=str(step))
