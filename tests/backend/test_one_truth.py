"""The same seed and number of workers give the same checkpoint, wherever the work runs."""

import os
import signal

import pytest

from stratagem.backend import ThreadBackend
from stratagem.backend.processes import ProcessBackend
from stratagem.runs.folder import RunFolder
from stratagem.train.alphazero.trainer import Trainer
from stratagem.train.settings import check_settings
from train.alphazero.tiny import contents

pytestmark = pytest.mark.slow  # three iterations for each backend

_VALUES = {
    "game": "battlefield",
    "seed": 3,
    "iterations": 3,
    "network": {"settings": {"filters": 8, "blocks": 1}},
    "search": {"sims": 8},
    "selfplay": {"slots": 8, "workers": 2, "positions": 128},
    "imitation": {"teacher": "random", "iterations": 1, "positions": 64},
    "replay": {"minimum": 32, "growth": 1.0},
    "learning": {"batch_size": 16, "replay_ratio": 1.0, "threads": 2},
    "gate": {"games": 4, "sims": 2},
    "anchors": {"times": 0},
}


def train(path, backend, on_iteration=None):
    """Hashes of all networks, learner's states and games in progress of three iterations."""
    settings = check_settings(_VALUES, "one truth")
    Trainer(settings, RunFolder.create(path, settings), backend, on_iteration).run()
    found = {
        name: digest for name, digest in contents(path).items() if name.endswith(".safetensors")
    }
    assert sum(name.endswith("model.safetensors") for name in found) == 3
    return found


@pytest.fixture(scope="module")
def threads(tmp_path_factory):
    return train(tmp_path_factory.mktemp("threads") / "run", ThreadBackend())


def test_processes(threads, tmp_path):
    backend = ProcessBackend()
    try:
        assert train(tmp_path / "run", backend) == threads
    finally:
        backend.close()


def test_a_killed_worker_changes_nothing(threads, tmp_path):
    backend, killed = ProcessBackend(), []

    def kill(metrics):
        (crew,) = backend.crews
        killed.append(crew.links[len(killed) % 2].pid)
        os.kill(killed[-1], signal.SIGKILL)

    try:
        assert train(tmp_path / "run", backend, kill) == threads
    finally:
        backend.close()
    assert len(set(killed)) == 3
