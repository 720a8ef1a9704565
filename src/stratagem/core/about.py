"""A game's title and description, read from its folder without importing its rules."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from pathlib import Path

from stratagem.core.errors import BadScenario, UnknownName
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
    recommended_scenario: str = ""  # the one to play first; default: the default scenario
    checked_by: str = ""  # what the rules were proven against
    unasked: str = ""  # groups of actions played for a person when only one is legal
    responses: str = ""  # groups of actions with which others respond during somebody's turn
    finish: str = ""  # groups of actions that leave a unit as it is: all of them end a phase
    compile_seconds: int = 0  # rough time before a first match on one laptop core; 0: not measured

    @classmethod
    def read(cls, folder: Path) -> About:
        values = read_toml(folder / "game.toml")
        known = {field.name: field for field in fields(cls) if field.name != "name"}
        for key, value in values.items():
            if key not in known:
                raise UnknownName("key", key, known, str(folder / "game.toml"))
            wanted = int if known[key].type == "int" else str
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise BadScenario(
                    f"{folder / 'game.toml'}: {key} must be of type {wanted.__name__}"
                )
        missing = [k for k, f in known.items() if f.default is MISSING and k not in values]
        if missing:
            raise BadScenario(f"{folder / 'game.toml'}: {missing[0]} is missing: add it")
        return cls(name=folder.name, **values)

    @classmethod
    def damaged(cls, name: str, reason: str) -> About:
        """Describe a game that cannot be read, for lists of games."""
        return cls(name=name, title=name, summary=f"damaged: {reason}", seats="?", version=0)
