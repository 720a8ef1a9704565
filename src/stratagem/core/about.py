"""A game's title and description, read from its folder without importing its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
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
    bots: Mapping[str, str] = field(default_factory=dict)  # how each bot plays, in a sentence

    @classmethod
    def read(cls, folder: Path) -> About:
        values = read_toml(folder / "game.toml")
        known = {one.name: one for one in fields(cls) if one.name != "name"}
        for key, value in values.items():
            if key not in known:
                raise UnknownName("key", key, known, str(folder / "game.toml"))
            if not _fits(value, str(known[key].type)):
                raise BadScenario(
                    f"{folder / 'game.toml'}: {key} must be {_WANTED[str(known[key].type)]}"
                )
        needed = [k for k, f in known.items() if f.default is f.default_factory is MISSING]
        missing = [key for key in needed if key not in values]
        if missing:
            raise BadScenario(f"{folder / 'game.toml'}: {missing[0]} is missing: add it")
        return cls(name=folder.name, **values)

    @classmethod
    def damaged(cls, name: str, reason: str) -> About:
        """Describe a game that cannot be read, for lists of games."""
        return cls(name=name, title=name, summary=f"damaged: {reason}", seats="?", version=0)


_WANTED = {
    "str": "of type str",
    "int": "of type int",
    "Mapping[str, str]": "a table of sentences",
}


def _fits(value: object, kind: str) -> bool:
    """Return whether a value of game.toml is of the kind that its field has."""
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "str":
        return isinstance(value, str)
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
