"""A drawing of a position as plain shapes: what a game's `view` returns.

Shapes carry a *role* (such as `seat0`, `wall`, `goal`) instead of a colour; whoever draws, the
report's figures or the web page, looks the role up in `evaluate/palette.json`. Coordinates grow to
the right and downwards, in units of one cell.

Shapes are drawn in their order, the first at the back. Those with the same `layer` can be hidden
together (the counters of a wargame, to see the ground). A `panel` is a smaller scene beside the
board, such as a track or a player's board, with units of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, radians, sin
from typing import Any

Point = tuple[float, float]

EVERYBODY = -1  # who may see a shape: all
KINDS = ("polygon", "disc", "line", "label")
ANCHORS = ("start", "middle", "end")
LAYERS = ("board", "marks", "pieces", "hints")  # ground; names and numbers; counters; arrows


@dataclass(frozen=True)
class Shape:
    """A polygon, disc, line or label.

    `points` are the corners of a polygon, the ends and bends of a line, or the one centre of a disc
    or label. `key` names what the shape stands for, so that actions can point at it: `cell:3,4`,
    `unit:12`, `card:ore`. Several shapes may share a key. `text` stands in the middle of polygon
    and disc.
    """

    kind: str  # one of KINDS
    points: tuple[Point, ...]
    role: str
    text: str = ""
    radius: float = 0.0  # of a disc
    key: str = ""
    size: float = 0.0  # height of the text in cells; 0: as the drawer likes
    width: float = 0.0  # of a line or an outline in cells; 0: as the role says
    anchor: str = "middle"  # which part of a label stands at its point, one of ANCHORS
    turn: float = 0.0  # of a label, degrees clockwise
    tip: str = ""  # a few words more, shown when pointed at
    layer: str = "board"  # one of LAYERS
    seen_by: int = EVERYBODY  # the only seat that may see it

    def __post_init__(self) -> None:
        # A thousandth of a cell cannot be seen; the digits beyond would double a message.
        points = tuple([(round(x, 3), round(y, 3)) for x, y in self.points])
        object.__setattr__(self, "points", points)


@dataclass(frozen=True)
class Scene:
    """Everything to draw, back to front, panels beside it, and facts to print."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    title: str = ""
    panels: tuple[Scene, ...] = field(default=())

    def for_seat(self, seat: int) -> Scene:
        """What one seat may see of it; EVERYBODY: what all may see."""
        shapes = tuple(shape for shape in self.shapes if shape.seen_by in (EVERYBODY, seat))
        panels = tuple(_ended(panel.for_seat(seat), panel) for panel in self.panels)
        return replace(self, shapes=shapes, panels=panels)

    def keys(self) -> frozenset[str]:
        """Every key that an action can point at, those of the panels included."""
        own = frozenset(shape.key for shape in self.shapes if shape.key)
        return own.union(*(panel.keys() for panel in self.panels))

    def as_json(self) -> dict[str, Any]:
        """Plain lists, texts and numbers; what a shape leaves at its default is left out."""
        return {
            "width": self.width,
            "height": self.height,
            "title": self.title,
            "facts": [list(fact) for fact in self.facts],
            "shapes": [_as_json(shape) for shape in self.shapes],
            "panels": [panel.as_json() for panel in self.panels],
        }


def _as_json(shape: Shape) -> dict[str, Any]:
    given = {name: getattr(shape, name) for name in _FIELDS}
    return {name: value for name, value in given.items() if value != _DEFAULTS.get(name)}


_FIELDS = tuple(Shape.__dataclass_fields__)
_DEFAULTS = {name: Shape.__dataclass_fields__[name].default for name in _FIELDS[3:]}


def block(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle."""
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def regular(centre: Point, radius: float, corners: int, turn: float = 0.0) -> tuple[Point, ...]:
    """The corners of a regular polygon, clockwise, the first `turn` degrees below the right."""
    angles = [radians(turn) + 2.0 * pi * k / corners for k in range(corners)]
    return tuple((centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles)


def moved(middle: Point, outline: Iterable[Point], scale: float = 1.0) -> tuple[Point, ...]:
    """An outline drawn around the origin, at its place and in its size."""
    return tuple((middle[0] + scale * x, middle[1] + scale * y) for x, y in outline)


def star(centre: Point, radius: float) -> tuple[Point, ...]:
    """The corners of a star with five points, standing on two of them."""
    outer = regular(centre, radius, 5, -90.0)
    inner = regular(centre, 0.45 * radius, 5, -54.0)
    return tuple(point for pair in zip(outer, inner, strict=True) for point in pair)


def between(start: Point, end: Point, part: float, aside: float = 0.0) -> Point:
    """The point so far along the way from start to end, moved aside to the right of it."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down) or 1.0
    return (
        start[0] + part * across - aside * down / length,
        start[1] + part * down + aside * across / length,
    )


def arrow_head(start: Point, end: Point, size: float) -> tuple[Point, ...]:
    """A triangle at the end of a line."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    back = 1.0 - size / length
    return (end, between(start, end, back, size / 2), between(start, end, back, -size / 2))


_PAD = 0.2  # below the last shape of a panel, in cells


def _ended(seen: Scene, whole: Scene) -> Scene:
    """A panel that lost its lower part, because it is secret, ends where the rest does."""
    if len(seen.shapes) == len(whole.shapes):
        return seen
    ground = [shape for shape in seen.shapes if _spans(shape, whole.height)]
    rest = [_lowest(shape) for shape in seen.shapes if shape not in ground]
    height = min(whole.height, max(rest, default=whole.height) + _PAD)
    shapes = tuple(
        replace(shape, points=tuple((x, min(y, height)) for x, y in shape.points))
        if shape in ground
        else shape
        for shape in seen.shapes
    )
    return replace(seen, shapes=shapes, height=height)


def _spans(shape: Shape, height: float) -> bool:
    """Whether a shape is the ground of a panel: from its upper to its lower edge."""
    heights = [y for _, y in shape.points]
    return shape.kind == "polygon" and min(heights) <= 0.0 and max(heights) >= height


def _lowest(shape: Shape) -> float:
    """How far down a shape reaches."""
    return max(y for _, y in shape.points) + shape.radius
