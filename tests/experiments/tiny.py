"""Experiments small enough for tests: settings of runs that take a second, files to be found."""

from pathlib import Path

from stratagem.experiments import files

SETTINGS = """
network = { kind = "cnn", settings = { filters = 4, blocks = 1 } }
search = { sims = 2 }
selfplay = { slots = 8, workers = 1, positions = 64 }
replay = { minimum = 32 }
learning = { batch_size = 16, replay_ratio = 1.0, threads = 1 }
anchors = { times = 0 }
"""


def offer(monkeypatch, folder: Path, experiments: dict[str, str]) -> dict[str, Path]:
    """Write these experiments, by name, and let no other be found."""
    found = {name: folder / f"{name.rpartition('/')[2]}.toml" for name in experiments}
    for name, file in found.items():
        file.write_text(experiments[name])
    monkeypatch.setattr(files, "experiment_files", lambda: found)
    # A second process would import torch again.
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0})
    return found
