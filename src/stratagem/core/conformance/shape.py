"""Conformance of a game's folder: every game uses the same file names for the same things."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stratagem.core.conformance.failure import require
from stratagem.core.game import Game, Rules

# The parts of a game. Each is a file or package with this name.
PARTS = {
    "state": "the dtype of a position",
    "scenario": "the fields of a scenario file",
    "board": "geometry and map data",
    "actions": "what an action number means, which are legal",
    "setup": "reset, where it is long",
    "rules": "reset, step, chance, returns, score",
    "encode": "what a network sees",
    "hide": "what a seat cannot see",
    "symmetry": "mirror images",
    "shaping": "the shaping potential",
    "bots": "scripted players and their evaluation",
    "notation": "text for people",
    "view": "drawings for people",
    "measures": "numbers for reports",
    "solver": "exact play",
    "limits": "what the fields of a position may hold",
}

# Which parts may define each function of a declaration.
_HOMES = {
    "scenario": ("scenario",),
    "reset": ("setup", "rules"),
    "legal": ("actions", "rules"),
    "step": ("rules",),
    "chance": ("rules",),
    "returns": ("rules",),
    "score": ("rules",),
    "potential": ("shaping",),
    "hide": ("hide",),
    "symmetry": ("symmetry",),
    "symmetry_action": ("symmetry",),
    "view": ("view",),
    "touches": ("view",),
    "aims": ("view",),
    "chronicle": ("view",),
    "measures": ("measures",),
    "expected": ("measures",),
    "heuristic": ("bots",),
    "solve": ("solver",),
    "limits": ("limits",),
}


def check_shape(game: Game) -> None:
    """Every file is a part or inside one, and every declared function is in the right part.

    A game may also be a single `__init__.py`.
    """
    folder = game.rules.folder.resolve()
    files = [file.relative_to(folder) for file in sorted(folder.rglob("*.py"))]
    if files == [Path("__init__.py")]:
        return
    known = ", ".join(PARTS)
    for file in files:
        part = file.parts[0].removesuffix(".py")
        require(
            part in PARTS or file == Path("__init__.py"),
            f"{folder.name}/{file} is not part of a game: name it after one of {known}, "
            "or move it into the package of one (view/map.py)",
        )
    for name, function, homes in _declared(game.rules):
        found = _part_of(function, folder)
        require(
            found is None or found in homes,
            f"`{name}` is declared in {folder.name}/{found}: move it to {' or '.join(homes)}",
        )


def _declared(rules: Rules) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    for name, homes in _HOMES.items():
        if getattr(rules, name) is not None:
            yield name, getattr(rules, name), homes
    for encoding in rules.encodings:
        yield f"observe of encoding {encoding.name}", encoding.observe, ("encode",)
        yield f"spec of encoding {encoding.name}", encoding.spec, ("encode",)
    for name, choose in rules.bots.items():
        yield f"bot {name}", choose, ("bots",)
    for name, function in vars(rules.notation).items():
        if function is not None:
            yield name, function, ("notation",)


def _part_of(function: Any, folder: Path) -> str | None:
    """Return the part that defines a function; None if it is defined outside the folder."""
    file = Path(inspect.getfile(sys.modules[function.__module__])).resolve()
    if not file.is_relative_to(folder):
        return None
    return file.relative_to(folder).parts[0].removesuffix(".py")
