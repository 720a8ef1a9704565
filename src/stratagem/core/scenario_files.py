"""The scenario files of a game's folder: single files, and families that cover many sizes.

`scenarios/solo-N.toml` with

    [family]
    first = 4
    last = 20

defines the scenarios solo-4 to solo-20: `{N}` in its texts is replaced by the number, and a text
that is just `"{N}"` becomes the number itself. `[family.member.7]` holds what only solo-7 has.
A file named solo-7.toml takes precedence. Any scenario file may extend another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadScenario
from stratagem.core.extends import merge, read_extended
from stratagem.core.toml import read_toml

_MARK = "{N}"
_ENDING = "-N"
_MOST_MEMBERS = 10_000  # of a family


@dataclass(frozen=True)
class ScenarioFile:
    """Where a scenario is defined: a file, and which member of its family."""

    path: Path
    number: int | None = None

    def values(self) -> dict[str, Any]:
        """Read the scenario's keys as plain values."""
        values = read_extended(self.path)
        if self.number is None:
            return values
        family = values.pop("family")
        own = family.get("member", {}).get(str(self.number), {})
        merged: dict[str, Any] = _fill_in(merge(values, own), self.number)
        return merged


def find_scenarios(folder: Path) -> dict[str, ScenarioFile]:
    """Return the scenarios of a game's folder by name, the default first, numbers in order."""
    found: dict[str, ScenarioFile] = {}
    for path in sorted((folder / "scenarios").glob("*.toml")):
        if path.stem.endswith(_ENDING):
            for number in _numbers(path):
                name = f"{path.stem.removesuffix(_ENDING)}-{number}"
                found.setdefault(name, ScenarioFile(path, number))
        else:
            found[path.stem] = ScenarioFile(path)
    default = default_scenario(folder)
    order = sorted(found, key=lambda name: (name != default, _by_number(name)))
    return {name: found[name] for name in order}


def default_scenario(folder: Path) -> str:
    """Return the scenario that the bare game name means: the one in game.toml, or `default`."""
    return str(read_toml(folder / "game.toml").get("default_scenario", "default"))


def shorten_names(names: Sequence[str]) -> list[str]:
    """Shorten names for display: `solo-4 to solo-20` for three or more consecutive numbers."""

    def run(item: tuple[int, str]) -> tuple[str, int]:
        place, name = item
        number = re.fullmatch(r"(.*-)(\d+)", name)
        return (number[1], int(number[2]) - place) if number else (name, 0)

    shown: list[str] = []
    for _, items in groupby(enumerate(names), key=run):
        members = [name for _, name in items]
        shown += [f"{members[0]} to {members[-1]}"] if len(members) > 2 else members
    return shown


def _numbers(path: Path) -> Iterator[int]:
    family = read_toml(path).get("family")
    if not isinstance(family, dict) or not _is_range(family):
        raise BadScenario(
            f"{path.name}: a file named NAME-N needs [family] with whole numbers first <= last, "
            f"at most {_MOST_MEMBERS:,} of them"
        )
    own = family.get("member", {})
    if not isinstance(own, dict) or not all(isinstance(one, dict) for one in own.values()):
        raise BadScenario(
            f"{path.name}: put the values of a single member in [family.member.NUMBER]"
        )
    numbers = range(family["first"], family["last"] + 1)
    strangers = set(own) - set(map(str, numbers))
    if strangers:
        member, around = min(strangers), f"{numbers[0]} to {numbers[-1]}"
        raise BadScenario(f"{path.name}: [family.member.{member}] is outside {around}")
    yield from numbers


def _is_range(family: dict[str, Any]) -> bool:
    first, last = family.get("first"), family.get("last")
    if not (type(first) is int and type(last) is int):
        return False
    return 0 <= first <= last < first + _MOST_MEMBERS


def _fill_in(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return number if value == _MARK else value.replace(_MARK, str(number))
    if isinstance(value, list):
        return [_fill_in(item, number) for item in value]
    if isinstance(value, dict):
        return {key: _fill_in(item, number) for key, item in value.items()}
    return value


def _by_number(name: str) -> list[str | int]:
    parts = re.split(r"([0-9]+)", name)  # every second part is a number
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]
