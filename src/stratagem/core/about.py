"""What a game is called and about, read from its folder without importing its rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stratagem.core.toml import read_toml


@dataclass(frozen=True)
class About:
    """The contents of game.toml: what `stratagem games` lists."""

    name: str
    title: str
    summary: str
    seats: str
    version: int
    default_scenario: str = "default"
    recommended_scenario: str = ""  # the first to play; default: the default one
    checked_by: str = ""  # what the rules were proven against

    @classmethod
    def read(cls, folder: Path) -> About:
        values = read_toml(folder / "game.toml")
        return cls(name=folder.name, **values)
