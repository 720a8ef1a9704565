"""The guided first game of each game: `tour.toml` in its folder, and a summary of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stratagem.core.errors import BadScenario
from stratagem.core.registry import game_folders
from stratagem.core.toml import read_toml
from stratagem.web.problems import NotFound
from stratagem.web.schema import Tour

_FILE = "tour.toml"


def has_tour(game: str) -> bool:
    folder = game_folders().get(game)
    return folder is not None and (folder / _FILE).is_file()


def read_tour(game: str) -> Tour:
    """Read the guided first game."""
    folder = game_folders().get(game)
    if folder is None or not (folder / _FILE).is_file():
        raise NotFound(f"no guided first game of {game[:40]!r} here: read its rules instead")
    values = read_toml(folder / _FILE)
    try:
        return Tour(**_named(game, values))
    except (ValidationError, TypeError) as error:
        raise BadScenario(f"{folder / _FILE}: {_first(error)}") from None


def rules_in_short(folder: Path) -> str:
    """Return a few lines of Markdown to show before the rules; empty if there are none."""
    file = folder / _FILE
    text = str(read_toml(file).get("short", "")).strip() if file.is_file() else ""
    return f"## In short\n\n{text}\n\n" if text else ""


def _named(game: str, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": f"{game}/{values.get('scenario', 'default')}",
        "opponent": values.get("opponent", "scripted"),
        "steps": values.get("step", []),
    }


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        problem = error.errors()[0]
        return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
    return str(error)
