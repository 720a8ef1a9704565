"""The look of terrain: its role, a glyph for its letter, and its numbers in words."""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Point, Shape, moved
from stratagem.games.hexwar.state import (
    HUNDRED,
)

_ROLES = {"P": "plains", "F": "forest", "M": "mountain", "S": "swamp", "R": "water", "T": "town"}
_NAMES = {"P": "plains", "F": "forest", "M": "mountain", "S": "swamp", "R": "river", "T": "town"}


def ground_role(letter: str) -> str:
    """Return the role of a hex; terrain defined by a scenario is rough ground with its letter."""
    return _ROLES.get(letter, "rough")


def terrain_name(letter: str) -> str:
    return _NAMES.get(letter, f"terrain {letter}")


def terrain_tip(s: Any, terrain: int) -> str:
    """Describe a terrain: `mountain, attack x1, defence x2, 2 points to enter`."""
    letter = chr(int(s["terrain_letters"][terrain]))
    attack = int(s["attack_mods"][terrain]) / HUNDRED
    defence = int(s["defence_mods"][terrain]) / HUNDRED
    cost = int(s["costs"][terrain])
    points = "point" if cost == 1 else "points"
    name = terrain_name(letter)
    return f"{name}, attack x{attack:g}, defence x{defence:g}, {cost} {points} to enter"


def terrain_glyph(letter: str, middle: Point, key: str = "") -> list[Shape]:
    """Draw trees, peaks, reeds, waves or houses in the middle of a hex."""
    draw = {"F": _trees, "M": _peaks, "S": _reeds, "R": _waves, "T": _houses}.get(letter)
    return [] if draw is None else draw(middle, f"{ground_role(letter)}-mark", key)


def _trees(middle: Point, role: str, key: str) -> list[Shape]:
    shapes = []
    for x, y in ((-0.22, -0.1), (0.2, -0.14), (0.0, 0.1), (-0.3, 0.2), (0.28, 0.16)):
        at = (middle[0] + x, middle[1] + y)
        crown = moved(at, ((0.0, -0.12), (0.09, 0.06), (-0.09, 0.06)))
        shapes.append(Shape("polygon", crown, role, key=key))
        trunk = moved(at, ((0.0, 0.06), (0.0, 0.11)))
        shapes.append(Shape("line", trunk, role, key=key, width=0.03))
    return shapes


def _peaks(middle: Point, role: str, key: str) -> list[Shape]:
    shapes = []
    for x, y, size in ((-0.17, 0.02, 1.0), (0.16, 0.08, 0.8)):
        at = (middle[0] + x, middle[1] + y)
        slope = ((-0.24 * size, 0.2 * size), (0.0, -0.24 * size), (0.24 * size, 0.2 * size))
        shapes.append(Shape("line", moved(at, slope), role, key=key, width=0.045))
        shade = ((0.0, -0.24 * size), (0.1 * size, 0.16 * size), (0.22 * size, 0.19 * size))
        shapes.append(Shape("polygon", moved(at, shade), role, key=key))
    return shapes


def _reeds(middle: Point, role: str, key: str) -> list[Shape]:
    shapes = []
    for x, y in ((-0.2, -0.08), (0.2, -0.12), (0.02, 0.12), (-0.28, 0.22), (0.28, 0.2)):
        at = (middle[0] + x, middle[1] + y)
        for stalk in (
            ((-0.12, 0.05), (0.12, 0.05)),
            ((0.0, 0.05), (0.0, -0.08)),
            ((-0.04, 0.05), (-0.08, -0.05)),
            ((0.04, 0.05), (0.08, -0.05)),
        ):
            shapes.append(Shape("line", moved(at, stalk), role, key=key, width=0.025))
    return shapes


def _waves(middle: Point, role: str, key: str) -> list[Shape]:
    crest = tuple((-0.36 + 0.09 * k, 0.04 if k % 2 else -0.04) for k in range(9))
    return [
        Shape("line", moved((middle[0], middle[1] + y), crest), role, key=key, width=0.035)
        for y in (-0.18, 0.0, 0.18)
    ]


def _houses(middle: Point, role: str, key: str) -> list[Shape]:
    shapes = []
    for x, y, size in ((-0.2, 0.05, 1.0), (0.16, -0.08, 0.8), (0.12, 0.18, 0.8)):
        at = (middle[0] + x, middle[1] + y)
        outline = ((-0.11, 0.1), (-0.11, -0.03), (0.0, -0.13), (0.11, -0.03), (0.11, 0.1))
        corners = moved(at, outline, size)
        shapes.append(Shape("polygon", corners, role, key=key))
    return shapes
