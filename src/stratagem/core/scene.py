"""A drawing of a position as plain shapes: what a game's `view` returns.

Shapes have a *role* (such as `seat0`, `wall`, `goal`) instead of a colour; whoever draws them, a
report's figures or the web page, looks the role up in `evaluate/palette.json`. Coordinates grow to
the right and downwards, in units of one cell.

Shapes are drawn in order, the first at the back. Those with the same `layer` can be hidden together
(the counters of a wargame, to see the ground). A `panel` is a smaller scene beside the board, such
as a track or a player's board, with units of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, radians, sin
from typing import Any

Point = tuple[float, float]

EVERYBODY = -1  # everybody may see the shape
KINDS = ("polygon", "disc", "line", "label")
ANCHORS = ("start", "middle", "end")
LAYERS = ("board", "marks", "pieces", "hints")  # ground; names and numbers; counters; arrows


@dataclass(frozen=True)
class Shape:
    """A polygon, disc, line or label.

    `points` are the corners of a polygon, the ends and bends of a line, or the centre of a disc or
    label. `key` names what the shape stands for, so that actions can point at it: `cell:3,4`,
    `unit:12`, `card:ore`. Several shapes may share a key. `text` is centred in a polygon or disc.
    """

    kind: str  # one of KINDS
    points: tuple[Point, ...]
    role: str
    text: str = ""
    radius: float = 0.0  # of a disc
    key: str = ""
    size: float = 0.0  # height of the text in cells; 0: up to the renderer
    width: float = 0.0  # of a line or an outline in cells; 0: as the role defines
    anchor: str = "middle"  # which part of a label is at its point, one of ANCHORS
    turn: float = 0.0  # of a label, degrees clockwise
    tip: str = ""  # a few more words, shown on hover
    layer: str = "board"  # one of LAYERS
    seen_by: int = EVERYBODY  # the only seat that may see it

    def __post_init__(self) -> None:
        # A thousandth of a cell cannot be seen; more digits would double the size of a message.
        points = tuple([(round(x, 3), round(y, 3)) for x, y in self.points])
        object.__setattr__(self, "points", points)


@dataclass(frozen=True)
class Scene:
    """Everything to draw, back to front, the panels beside it, and facts to print."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    title: str = ""
    panels: tuple[Scene, ...] = field(default=())

    def for_seat(self, seat: int) -> Scene:
        """Return what one seat may see; EVERYBODY: what all may see."""
        shapes = tuple(shape for shape in self.shapes if shape.seen_by in (EVERYBODY, seat))
        panels = tuple(_ended(panel.for_seat(seat), panel) for panel in self.panels)
        return replace(self, shapes=shapes, panels=panels)

    def keys(self) -> frozenset[str]:
        """Every key that an action can point at, including those in panels."""
        own = frozenset(shape.key for shape in self.shapes if shape.key)
        return own.union(*(panel.keys() for panel in self.panels))

    def as_json(self) -> dict[str, Any]:
        """Return plain lists, strings and numbers; fields with default values are left out."""
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
    """Return the corners of a rectangle."""
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def regular(centre: Point, radius: float, corners: int, turn: float = 0.0) -> tuple[Point, ...]:
    """Return the corners of a regular polygon, clockwise, from `turn` degrees below the right."""
    angles = [radians(turn) + 2.0 * pi * k / corners for k in range(corners)]
    return tuple((centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles)


def moved(middle: Point, outline: Iterable[Point], scale: float = 1.0) -> tuple[Point, ...]:
    """Move an outline drawn around the origin to its place, scaled."""
    return tuple((middle[0] + scale * x, middle[1] + scale * y) for x, y in outline)


def star(centre: Point, radius: float) -> tuple[Point, ...]:
    """Return the corners of a five-pointed star that stands on two of them."""
    outer = regular(centre, radius, 5, -90.0)
    inner = regular(centre, 0.45 * radius, 5, -54.0)
    return tuple(point for pair in zip(outer, inner, strict=True) for point in pair)


def between(start: Point, end: Point, part: float, aside: float = 0.0) -> Point:
    """Return the point at this fraction of the way from start to end, shifted to its right."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down) or 1.0
    return (
        start[0] + part * across - aside * down / length,
        start[1] + part * down + aside * across / length,
    )


def arrow_head(start: Point, end: Point, size: float) -> tuple[Point, ...]:
    """Return a triangle at the end of a line."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    back = 1.0 - size / length
    return (end, between(start, end, back, size / 2), between(start, end, back, -size / 2))


_PAD = 0.2  # below the last shape of a panel, in cells


def _ended(seen: Scene, whole: Scene) -> Scene:
    """Shorten a panel whose lower part is secret, so that it ends where its contents do."""
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
    """Whether a shape is a panel's background: from its upper to its lower edge."""
    heights = [y for _, y in shape.points]
    return shape.kind == "polygon" and min(heights) <= 0.0 and max(heights) >= height


def _lowest(shape: Shape) -> float:
    """Return how far down a shape reaches."""
    return max(y for _, y in shape.points) + shape.radius
