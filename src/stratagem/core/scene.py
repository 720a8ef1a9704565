"""A drawing of a position as plain shapes: what a game's `view` returns.

Shapes carry a *role* (such as `seat0`, `wall`, `goal`) instead of a colour; whoever draws, the
report's figures or the web page, decides what a role looks like. Coordinates grow to the right
and downwards, in units of one cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Shape:
    """A polygon, disc, line or label.

    `points` are the corners of a polygon, both ends of a line, or the one centre of a disc or
    label. `key` names what the shape stands for, so that actions can point at it.
    """

    kind: str  # "polygon" | "disc" | "line" | "label"
    points: tuple[tuple[float, float], ...]
    role: str
    text: str = ""
    radius: float = 0.0
    key: str = ""


@dataclass(frozen=True)
class Scene:
    """Everything to draw, back to front, and the facts to print beside it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
