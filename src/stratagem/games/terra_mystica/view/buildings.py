"""Structures and terrain of Terra Mystica as shapes.

Each structure has an outline of its own: a hut, a house with an annexe, a round temple, a keep
with battlements, a wide oval. All carry their owner's number.
"""

from __future__ import annotations

from stratagem.core.scene import Point, Shape, moved, regular
from stratagem.games.terra_mystica.board.factions import (
    DWELLING,
    SANCTUARY,
    STRONGHOLD,
    TEMPLE,
    TRADING_POST,
)

BUILDING_NAMES = ("nothing", "dwelling", "trading post", "temple", "stronghold", "sanctuary")
_OUTLINES: dict[int, tuple[Point, ...]] = {
    DWELLING: ((-0.19, 0.19), (-0.19, -0.06), (0.0, -0.24), (0.19, -0.06), (0.19, 0.19)),
    TRADING_POST: (
        (-0.28, 0.22), (-0.28, -0.12), (-0.13, -0.28), (0.02, -0.12), (0.02, -0.05), (0.28, -0.05),
        (0.28, 0.22),
    ),
    TEMPLE: regular((0.0, 0.0), 0.26, 24),
    STRONGHOLD: (
        (-0.3, 0.28), (-0.3, -0.28), (-0.18, -0.28), (-0.18, -0.17), (-0.06, -0.17), (-0.06, -0.28),
        (0.06, -0.28), (0.06, -0.17), (0.18, -0.17), (0.18, -0.28), (0.3, -0.28), (0.3, 0.28),
    ),
    SANCTUARY: tuple((1.35 * x, 0.85 * y) for x, y in regular((0.0, 0.0), 0.28, 24)),
}  # fmt: skip
_DOORS = {DWELLING: 0.04, TRADING_POST: 0.09, TEMPLE: 0.0, STRONGHOLD: 0.06, SANCTUARY: 0.0}


def building(
    kind: int, middle: Point, seat: int, key: str, tip: str = "", scale: float = 1.0
) -> list[Shape]:
    """A structure with its owner's number."""
    role = f"seat{seat}"
    corners = moved(middle, _OUTLINES[kind], scale)
    shapes = [
        Shape("polygon", corners, role, key=key, tip=tip, width=0.03 * scale, layer="pieces")
    ]  # fmt: skip
    if kind == SANCTUARY:  # a second line inside, to tell it from a temple
        inner = moved(middle, _OUTLINES[kind], 0.78 * scale)
        ring = (*inner, inner[0])
        shapes.append(
            Shape("line", ring, f"{role}-mark", key=key, width=0.02 * scale, layer="pieces")
        )
    at = ((middle[0], middle[1] + _DOORS[kind] * scale),)
    shapes.append(
        Shape("label", at, role, str(seat + 1), key=key, size=0.22 * scale, layer="pieces")
    )
    return shapes


def outline(kind: int, middle: Point, role: str, key: str, tip: str, scale: float) -> Shape:
    """Draw only the outline of a structure, for supplies."""
    return Shape("polygon", moved(middle, _OUTLINES[kind], scale), role, key=key, tip=tip)


def terrain_glyph(terrain: str, middle: Point, key: str = "", scale: float = 1.0) -> list[Shape]:
    """Draw a small symbol of the terrain, so that nobody needs its colour."""
    role = f"terrain-{terrain}-mark"
    shapes = []
    for kind, offsets in _GLYPHS[terrain]:
        corners = moved(middle, offsets, scale)
        shapes.append(Shape(kind, corners, role, key=key, width=0.03 * scale))
    return shapes


_WAVE = ((-0.15, 0.02), (-0.075, -0.03), (0.0, 0.02), (0.075, -0.03), (0.15, 0.02))
_GLYPHS: dict[str, tuple[tuple[str, tuple[Point, ...]], ...]] = {
    "plain": tuple(("line", ((x, 0.06), (x + 0.03, -0.06))) for x in (-0.12, -0.04, 0.04, 0.12)),
    "swamp": (
        ("line", ((-0.12, 0.05), (0.12, 0.05))),
        ("line", ((-0.05, 0.05), (-0.09, -0.06))),
        ("line", ((0.0, 0.05), (0.0, -0.08))),
        ("line", ((0.05, 0.05), (0.09, -0.06))),
    ),
    "lake": (
        ("line", tuple((x, y - 0.03) for x, y in _WAVE)),
        ("line", tuple((x, y + 0.05) for x, y in _WAVE)),
    ),
    "forest": (
        ("polygon", ((-0.08, -0.08), (-0.01, 0.06), (-0.15, 0.06))),
        ("polygon", ((0.08, -0.08), (0.15, 0.06), (0.01, 0.06))),
    ),
    "mountain": (
        ("polygon", ((-0.06, -0.09), (0.05, 0.06), (-0.17, 0.06))),
        ("polygon", ((0.09, -0.04), (0.17, 0.06), (0.03, 0.06))),
    ),
    "wasteland": (
        ("line", ((-0.14, -0.04), (-0.05, 0.03), (0.0, -0.04), (0.07, 0.05), (0.14, -0.03))),
    ),
    "desert": tuple(
        ("polygon", regular(at, 0.022, 8)) for at in ((-0.1, 0.03), (0.0, -0.05), (0.1, 0.03))
    ),
}
