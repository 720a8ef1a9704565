"""Runs small enough for tests: Catan to four points, networks of a few thousand weights."""

from pathlib import Path

from stratagem.runs.folder import RunFolder
from stratagem.train.hdqn.settings import Settings
from stratagem.train.hdqn.trainer import Trainer
from stratagem.train.settings import check_settings, read_settings

GAME = "catan/thesis?target=4&turn_limit=80"
_VALUES = {
    "game": GAME,
    "algorithm": "hdqn",
    "iterations": 3,
    "network": {"settings": {"hidden": [8]}, "encoding": "thesis"},
    "hierarchy": {"specialists": ["settlement", "road"], "subgoals": ["road"]},
    "episodes": {"slots": 3, "per_iteration": 3},
    "learning": {"batch_size": 8, "replay": 64},
    "anchors": {"agents": ["random"], "games": 4, "times": 1},
}


def small_settings(**changes) -> Settings:
    """Settings of a small run; a section is changed key by key: `learning={"batch_size": 4}`."""
    values = dict(_VALUES)
    for key, change in changes.items():
        values[key] = {**values.get(key, {}), **change} if isinstance(change, dict) else change
    return check_settings(values, "small")


def start_run(path: Path, **changes) -> Trainer:
    """A trainer in a new run folder."""
    settings = small_settings(**changes)
    return Trainer(settings, RunFolder.create(path, settings))


def take_up(path: Path) -> Trainer:
    """A trainer that goes on with the run in a folder."""
    folder = RunFolder.open(path)
    trainer = Trainer(read_settings(folder), folder)
    trainer.resume()
    return trainer
