"""Pieces of Catan as shapes: roads, houses, cities, the robber, and glyphs of the terrain.

Every seat's pieces show its number, and its roads a mark of their own, besides the colour.
"""

from __future__ import annotations

from stratagem.core.scene import Point, Shape, between, block, moved

_HOUSE = ((-0.2, 0.17), (-0.2, -0.06), (0.0, -0.25), (0.2, -0.06), (0.2, 0.17))
_CITY = (
    (-0.3, 0.22), (-0.3, -0.16), (-0.15, -0.34), (0.0, -0.16), (0.0, -0.05), (0.3, -0.05),
    (0.3, 0.22),
)  # fmt: skip
_PAWN = ((-0.17, 0.24), (-0.1, 0.0), (-0.06, -0.08), (0.06, -0.08), (0.1, 0.0), (0.17, 0.24))


def settlement(middle: Point, seat: int, key: str) -> list[Shape]:
    tip = f"settlement of player {seat + 1}"
    return [
        Shape("polygon", moved(middle, _HOUSE), f"seat{seat}", key=key, tip=tip, layer="pieces"),
        Shape("label", ((middle[0], middle[1] + 0.03),), f"seat{seat}", str(seat + 1), key=key,
              size=0.22, layer="pieces"),
    ]  # fmt: skip


def city(middle: Point, seat: int, key: str) -> list[Shape]:
    tip = f"city of player {seat + 1}"
    return [
        Shape("polygon", moved(middle, _CITY), f"seat{seat}", key=key, tip=tip, width=0.035,
              layer="pieces"),
        Shape("label", ((middle[0], middle[1] + 0.08),), f"seat{seat}", str(seat + 1), key=key,
              size=0.26, layer="pieces"),
    ]  # fmt: skip


def road(start: Point, end: Point, seat: int, key: str) -> list[Shape]:
    """Draw a plank; seat 1's has a line along it, seat 2's three dots, seat 3's two bars across."""
    half, role = 0.075, f"seat{seat}"
    corners = (
        between(start, end, 0.14, half), between(start, end, 0.86, half),
        between(start, end, 0.86, -half), between(start, end, 0.14, -half),
    )  # fmt: skip
    tip = f"road of player {seat + 1}"
    shapes = [Shape("polygon", corners, role, key=key, tip=tip, layer="pieces")]
    mark = f"{role}-mark"
    if seat == 1:
        line = (between(start, end, 0.2), between(start, end, 0.8))
        shapes.append(Shape("line", line, mark, key=key, width=0.03, layer="pieces"))
    elif seat == 2:
        for part in (0.25, 0.5, 0.75):
            at = (between(start, end, part),)
            shapes.append(Shape("disc", at, mark, radius=0.035, key=key, layer="pieces"))
    elif seat == 3:
        for part in (0.38, 0.62):
            bar = (between(start, end, part, half), between(start, end, part, -half))
            shapes.append(Shape("line", bar, mark, key=key, width=0.04, layer="pieces"))
    return shapes


def robber(middle: Point) -> list[Shape]:
    x, y = middle
    return [
        Shape("polygon", moved(middle, _PAWN), "robber", key="robber", tip="the robber",
              layer="pieces"),
        Shape("disc", ((x, y - 0.16),), "robber", radius=0.105, key="robber", tip="the robber",
              layer="pieces"),
    ]  # fmt: skip


def glyph(terrain: str, middle: Point, key: str = "", scale: float = 1.0) -> list[Shape]:
    """Trees, bricks, sheep, ears of wheat, peaks or dunes."""
    draw = {
        "wood": _trees, "brick": _bricks, "sheep": _sheep, "wheat": _ears, "ore": _peaks,
        "desert": _dunes,
    }[terrain]  # fmt: skip
    return draw(middle, f"{terrain}-mark", key, scale)


def _trees(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    crown = ((0.0, -0.2), (0.12, 0.02), (0.05, 0.02), (0.15, 0.16), (-0.15, 0.16), (-0.05, 0.02),
             (-0.12, 0.02))  # fmt: skip
    shapes = []
    for x, y in ((-0.32, 0.03), (0.0, -0.02), (0.32, 0.03)):
        at = (middle[0] + scale * x, middle[1] + scale * y)
        shapes.append(Shape("polygon", moved(at, crown, scale), role, key=key))
    return shapes


def _bricks(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    shapes = []
    for x, y in ((-0.28, 0.04), (0.02, 0.04), (-0.13, -0.12), (0.17, -0.12)):
        corners = moved(middle, block(x, y, 0.26, 0.13), scale)
        shapes.append(Shape("polygon", corners, role, key=key))
    return shapes


def _sheep(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    shapes = []
    for x, y in ((-0.26, 0.04), (0.24, -0.02)):
        at = (middle[0] + scale * x, middle[1] + scale * y)
        for dx, dy, radius in ((-0.08, 0.0, 0.09), (0.03, -0.02, 0.1), (0.17, -0.06, 0.055)):
            spot = ((at[0] + scale * dx, at[1] + scale * dy),)
            shapes.append(Shape("disc", spot, role, radius=scale * radius, key=key))
        for leg in (-0.1, 0.06):
            line = moved(at, ((leg, 0.08), (leg, 0.16)), scale)
            shapes.append(Shape("line", line, role, key=key, width=0.03 * scale))
    return shapes


def _ears(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    shapes = []
    for x in (-0.3, -0.1, 0.1, 0.3):
        stalk = moved(middle, ((x, 0.17), (x, -0.1)), scale)
        shapes.append(Shape("line", stalk, role, key=key, width=0.03 * scale))
        for y in (-0.14, -0.06, 0.02):
            ear = moved(middle, ((x - 0.07, y - 0.05), (x, y + 0.03), (x + 0.07, y - 0.05)), scale)
            shapes.append(Shape("line", ear, role, key=key, width=0.035 * scale))
    return shapes


def _peaks(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    shapes = []
    for x, size in ((-0.18, 1.0), (0.2, 0.75)):
        hill = ((x - 0.24 * size, 0.16), (x, 0.16 - 0.36 * size), (x + 0.24 * size, 0.16))
        shapes.append(Shape("polygon", moved(middle, hill, scale), role, key=key))
    return shapes


def _dunes(middle: Point, role: str, key: str, scale: float) -> list[Shape]:
    wave = ((-0.3, 0.05), (-0.2, -0.04), (-0.05, 0.05), (0.1, -0.04), (0.25, 0.05))
    return [
        Shape("line", moved((middle[0] + dx, middle[1] + dy), wave, scale), role, key=key,
              width=0.04 * scale)
        for dx, dy in ((0.0, -0.05), (0.08, 0.12))
    ]  # fmt: skip
