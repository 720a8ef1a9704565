"""Writes the files of a new game: small, complete, and ready to be changed.

The files are generated from `game_template/`. A line `#if chance and not hex` keeps what follows,
up to `#elif`, `#else` or `#end`, if the new game is of that kind; `{{name}}` is replaced by a
value.
"""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from stratagem.core.errors import BadSetting
from stratagem.core.files import new_folder, write_new
from stratagem.core.registry import game_folders

BOARDS = ("square", "hex")
FEWEST_SEATS, MOST_SEATS = 2, 4
_ENDING = ".template"
_HANDS = {2: 12, 3: 10, 4: 8}  # cards per seat, by seats; some of the 36 always stay in the deck
_MARK = re.compile(r"#(if|elif|else|end)\b *(.*)")


@dataclass(frozen=True)
class NewGame:
    """The name of the new game and what it includes."""

    name: str
    seats: int = 2
    chance: bool = False
    hidden: bool = False
    board: str = "square"

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not FEWEST_SEATS <= self.seats <= MOST_SEATS:
            raise BadSetting(f"--seats {self.seats}: choose {FEWEST_SEATS} to {MOST_SEATS}")
        if self.board not in BOARDS:
            raise BadSetting(f"--board {self.board}: choose {' or '.join(BOARDS)}")

    @property
    def kinds(self) -> dict[str, bool]:
        """The conditions that `#if` can use."""
        return {"chance": self.chance, "hidden": self.hidden, "hex": self.board == "hex"}

    @property
    def summary(self) -> str:
        place = "hexes" if self.board == "hex" else "squares"
        how = "Place stones"
        if self.chance:
            how = "Roll a die and place that many stones"
        cards = ", each for a card that names its row," if self.hidden else ""
        return f"{how}{cards} on {place}; the largest group wins."


def write_game(new: NewGame, place: Path) -> Path:
    """Write the game's folder into `place` and return it; existing files are never touched."""
    folder = place / new.name
    if os.path.lexists(folder):  # a link that leads nowhere, too
        raise BadSetting(
            f"{folder} already exists: choose another name, or another folder with --out"
        )
    title = new.name.replace("_", " ").capitalize()
    values = {
        "name": new.name,
        "dashed": new.name.replace("_", "-"),
        "title": title,
        "summary": new.summary,
        "seats": str(new.seats),
        "hand": str(_HANDS[new.seats]),
    }
    written = {
        name: fill_in(text, new.kinds, values)
        for name, text in _templates(files("stratagem.cli") / "game_template")
        if new.hidden or name != "game/hide.py"
    }
    with new_folder(folder) as fresh:
        for name, text in written.items():
            file = fresh / _target(name, new.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_new(file, text.encode())
    return folder


def fill_in(text: str, kinds: Mapping[str, bool], values: Mapping[str, str]) -> str:
    """Fill in a template for one kind of game."""
    kept: list[str] = []
    # One entry per open #if: whether lines are kept now, and whether a branch has been kept.
    open_blocks: list[tuple[bool, bool]] = []
    for line in text.splitlines(keepends=True):
        mark = _MARK.match(line)
        if mark is None:
            if all(keeping for keeping, _ in open_blocks):
                kept.append(line)
            continue
        word, question = mark[1], mark[2].strip()
        done = False if word == "if" else open_blocks.pop()[1]
        if word != "end":
            keeping = not done and (word == "else" or _holds(question, kinds))
            open_blocks.append((keeping, done or keeping))
    if open_blocks:
        raise ValueError("a template has an #if without #end")
    filled = "".join(kept)
    for name, value in values.items():
        filled = filled.replace("{{" + name + "}}", value)
    return filled


def _holds(question: str, kinds: Mapping[str, bool]) -> bool:
    parts = question.split(" and ")
    return all(not kinds[p[4:]] if p.startswith("not ") else kinds[p] for p in parts)


def _templates(folder: Traversable, above: str = "") -> list[tuple[str, str]]:
    """Return (path without suffix, text) of every template."""
    found: list[tuple[str, str]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            found += _templates(item, f"{above}{item.name}/")
        elif item.name.endswith(_ENDING):
            found.append((above + item.name.removesuffix(_ENDING), item.read_text()))
    return found


def _target(template: str, name: str) -> str:
    """Return where a template's text goes, inside the folder of the game `name`."""
    if template == "test.py":
        return f"test_{name}.py"
    return re.sub(r"^game/", f"{name}/", template)


def _check_name(name: str) -> None:
    close = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")
    example = close if close and not keyword.iskeyword(close) else "river_crossing"
    fix = f"write lower-case letters, digits and _, such as {example}"
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise BadSetting(f"{name!r} is not a valid game name: {fix}")
    if name in game_folders():
        raise BadSetting(f"a game called {name!r} already exists: choose another name")
    # The game is imported under its name, so it would hide a module with the same name.
    taken = name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None
    if taken or name in ("test", "conftest"):
        raise BadSetting(f"{name!r} is the name of a Python module: choose another name")
