"""Runs small enough for tests: three in a row on a 4x4 board, a network of a few thousand weights.

The games of these runs last five to sixteen plies, so every iteration ends some of them.
"""

import dataclasses
import hashlib
from pathlib import Path

from stratagem.backend import Backend
from stratagem.core.game import Game
from stratagem.core.seeding import derive_generator
from stratagem.runs.folder import RunFolder
from stratagem.search import Evaluator, PlayoutEvaluator
from stratagem.train.alphazero.replay import Samples
from stratagem.train.alphazero.results import SelfPlayResult
from stratagem.train.alphazero.rounds import Round, RoundStream
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import Settings
from stratagem.train.alphazero.trainer import Trainer
from stratagem.train.settings import check_settings, read_settings

TINY = "connect_four/default?columns=4&connect=3&rows=4"
CLOCKED = ("seconds", "_per_s", "network_share")  # ends of the names of metrics that vary

_VALUES = {
    "game": TINY,
    "iterations": 2,
    "network": {"settings": {"filters": 8, "blocks": 1}},
    "search": {"sims": 8},
    "selfplay": {"slots": 8, "workers": 2, "positions": 64, "precision": "float32"},
    "replay": {"minimum": 32, "growth": 1.0},
    "learning": {"batch_size": 16, "replay_ratio": 2.0, "threads": 1},
    "gate": {"games": 4, "sims": 2},
    "anchors": {"agents": ["random"], "games": 4, "sims": 2, "times": 1},
}


def tiny_settings(**changes) -> Settings:
    """Settings of a tiny run; a section is changed key by key: `selfplay={"slots": 4}`."""
    values = dict(_VALUES)
    for key, change in changes.items():
        values[key] = {**values.get(key, {}), **change} if isinstance(change, dict) else change
    return check_settings(values, "tiny")


def start_run(path: Path, backend: Backend | None = None, **changes) -> Trainer:
    """A trainer in a new run folder."""
    settings = tiny_settings(**changes)
    return Trainer(settings, RunFolder.create(path, settings), backend)


def take_up(path: Path, backend: Backend | None = None) -> Trainer:
    """A trainer that goes on with the run in a folder."""
    folder = RunFolder.open(path)
    trainer = Trainer(read_settings(folder), folder, backend)
    trainer.resume()
    return trainer


def contents(path: Path) -> dict[str, str]:
    """Every file below a folder with a hash of what it holds."""
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


def left_over(path: Path) -> list[str]:
    """Files and folders that an interrupted write left behind."""
    return [str(one.relative_to(path)) for one in path.rglob("*") if one.name.startswith(".")]


def self_play(
    game: Game, positions: int, evaluator: Evaluator | None = None, seed: int = 1, **sections
) -> SelfPlayResult:
    """One round of self-play without a network; sections as in the settings."""
    return make_group(game, **sections).play(
        positions,
        evaluator or PlayoutEvaluator(game, 0),
        derive_generator(seed),
        tiny_settings(**sections).search.sims,
    )


def make_group(game: Game, **sections) -> SelfPlay:
    """Slots of a game, as a run with these sections would have them."""
    settings = tiny_settings(**sections)
    return SelfPlay(
        game, settings.selfplay, settings.search, settings.shaping, settings.selfplay.slots
    )


def same(one: Samples, other: Samples) -> bool:
    """Are all arrays equal, bit for bit?"""
    return all(
        getattr(one, field.name).tobytes() == getattr(other, field.name).tobytes()
        for field in dataclasses.fields(Samples)
    )


def outcome(path: Path) -> dict[str, object]:
    """All that a run has learned and written, except what the clock decides."""
    found: dict[str, object] = {
        name: digest
        for name, digest in contents(path).items()
        if name.endswith((".safetensors", "latest", "best")) or name.startswith("games/")
    }
    found["metrics"] = [
        _without_clock(line.model_dump() | line.details) for line in RunFolder(path).metrics()
    ]
    return found


def _without_clock(values):
    return {
        key: value
        for key, value in values.items()
        if not key.endswith(CLOCKED) and key != "details"
    }


def count_rounds(monkeypatch) -> dict[tuple[int, int], int]:
    """Decisions by (worker, number) of every round that is taken from now on; none comes twice."""
    taken: dict[tuple[int, int], int] = {}
    take = RoundStream.take

    def noting(stream: RoundStream) -> tuple[int, Round]:
        worker, found = take(stream)
        assert (worker, found.number) not in taken
        taken[worker, found.number] = sum(one.decisions for one in found.results)
        return worker, found

    monkeypatch.setattr(RoundStream, "take", noting)
    return taken
