"""Asynchronous training on other processes: workers that die lose nothing, nothing counts twice."""

import os
import signal

import pytest

from stratagem.backend.processes import ProcessBackend
from stratagem.runs.folder import RunFolder
from stratagem.train.alphazero.trainer import Trainer
from train.alphazero.tiny import count_rounds, tiny_settings

pytestmark = pytest.mark.slow


def train_counting(path, backend, monkeypatch, on_iteration):
    """Five iterations of three workers' rounds; every round that was begun is taken once."""
    taken = count_rounds(monkeypatch)
    settings = tiny_settings(
        mode="asynchronous", iterations=5, selfplay={"workers": 3}, anchors={"times": 0}
    )
    Trainer(settings, RunFolder.create(path, settings), backend, on_iteration).run()
    rows = RunFolder(path).metrics()
    assert len(rows) == 5 and rows[-1].decisions == sum(taken.values())
    assert max(row.details["staleness"] for row in rows) <= settings.asynchronous.most_stale
    for worker in {worker for worker, _ in taken}:
        numbers = sorted(number for one, number in taken if one == worker)
        assert numbers == list(range(1, len(numbers) + 1))


def test_killed_workers_lose_nothing(tmp_path, monkeypatch):
    backend, killed = ProcessBackend(), []

    def kill(metrics):
        if metrics.iteration in (1, 3):
            (crew,) = backend.crews
            killed.append(crew.links[len(killed)].pid)
            os.kill(killed[-1], signal.SIGKILL)

    try:
        train_counting(tmp_path / "run", backend, monkeypatch, kill)
    finally:
        backend.close()
    assert len(set(killed)) == 2
