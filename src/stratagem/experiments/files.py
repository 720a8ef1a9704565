"""Finds experiment files: `<game's folder>/experiments/<name>.toml` is `<game>/<name>`.

So is `<game>/<name>.toml` in every directory on `$STRATAGEM_EXPERIMENTS`, for your own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.core.errors import UnknownName
from stratagem.core.registry import game_folders
from stratagem.core.toml import read_toml

DEFAULT_KIND = "arms"


@dataclass(frozen=True)
class ExperimentInfo:
    """An entry in the list of experiments."""

    name: str
    title: str
    kind: str  # a module of `kinds`


def experiment_files() -> dict[str, Path]:
    """Return every experiment of every game by its name."""
    places = [Path(p) for p in os.environ.get("STRATAGEM_EXPERIMENTS", "").split(os.pathsep) if p]
    return {
        f"{game}/{file.stem}": file
        for game, folder in sorted(game_folders().items())
        for place in (folder / "experiments", *(own / game for own in places))
        for file in sorted(place.glob("*.toml"))
    }


def list_experiments() -> list[ExperimentInfo]:
    """List every experiment of every game."""
    found = {name: read_toml(file) for name, file in experiment_files().items()}
    return [
        ExperimentInfo(name, str(values.get("title", "")), str(values.get("kind", DEFAULT_KIND)))
        for name, values in found.items()
    ]


def experiment_name(text: str) -> str:
    """Return the name of an experiment; in a game's name, dashes stand for underscores."""
    game, mark, rest = text.partition("/")
    return game.replace("-", "_") + mark + rest


def experiment_values(name: str) -> dict[str, Any]:
    """Read the file of an experiment, without checking it."""
    files = experiment_files()
    if name not in files:
        raise UnknownName("experiment", name, files)
    return read_toml(files[name])
