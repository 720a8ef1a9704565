"""Runs small enough for tests: three in a row on a 4x4 board, or a duel with a narrow network."""

from pathlib import Path

from stratagem.backend import Backend
from stratagem.runs.folder import RunFolder
from stratagem.train.ppo.settings import Settings
from stratagem.train.ppo.trainer import Trainer
from stratagem.train.settings import check_settings, read_settings

TINY = "connect_four/default?columns=4&connect=3&rows=4"
DUEL = "hispania/duel8"

_VALUES = {
    "game": TINY,
    "algorithm": "ppo",
    "iterations": 2,
    "network": {"settings": {"filters": 8, "blocks": 1}},
    "play": {"games": 16, "workers": 2},
    "opponents": {"agents": {"random": 0.5}, "every": 1},
    "learning": {"batch_size": 32, "epochs": 2, "threads": 1},
    "anchors": {"agents": ["random"], "games": 4, "times": 1},
}
_DUEL = {
    "game": DUEL,
    "network": {
        "kind": "regions",
        "encoding": "wide",
        "settings": {"width": 8, "heads": 2, "feed_forward": 1},
    },
    "play": {"games": 4, "workers": 2, "sequence": 4, "renew": 0.2},
    "opponents": {"agents": {"scripted": 1.0}, "every": 1},
}


def tiny_settings(duel: bool = False, **changes) -> Settings:
    """Settings of a tiny run; a section is changed key by key: `play={"games": 4}`."""
    values = {**_VALUES, **_DUEL} if duel else dict(_VALUES)
    for key, change in changes.items():
        values[key] = {**values.get(key, {}), **change} if isinstance(change, dict) else change
    return check_settings(values, "tiny")


def start_run(path: Path, duel: bool = False, backend: Backend | None = None, **changes) -> Trainer:
    """A trainer in a new run folder."""
    settings = tiny_settings(duel, **changes)
    return Trainer(settings, RunFolder.create(path, settings), backend)


def take_up(path: Path) -> Trainer:
    """A trainer that goes on with the run in a folder."""
    folder = RunFolder.open(path)
    trainer = Trainer(read_settings(folder), folder)
    trainer.resume()
    return trainer
