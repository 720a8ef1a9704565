"""What a role of a scene looks like. Safe for colour-blind readers, and in grey print.

The table itself is `palette.json` beside this file, which the web page is built from too: colours
have one home. Seat colours are those of Okabe and Ito (2008); besides its colour every seat has its
own marker and hatching, so nothing is told by colour alone.

In the table `roles` are looks by name, `variants` what a suffix changes on a seat (`seat1-road`),
`plain` the look of a role that nobody described; `default` fills what an entry leaves out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

_TABLE: dict[str, Any] = json.loads(files(__package__).joinpath("palette.json").read_text())

SEAT_COLOURS: tuple[str, ...] = tuple(_TABLE["seats"]["colours"])
SEAT_HATCHES: tuple[str, ...] = tuple(_TABLE["seats"]["hatches"])
SEAT_CORNERS: tuple[int, ...] = tuple(_TABLE["seats"]["corners"])  # of a disc; 0 is round
INK: str = _TABLE["ink"]


@dataclass(frozen=True)
class Style:
    """Fill and edge colour, hatching, width of the edge, opacity, and corners of a disc.

    `line_width` is in points; `span` is the width of a line in cells, where it should grow with
    the board (a road), and 0 elsewhere.
    """

    fill: str
    edge: str
    hatch: str
    line_width: float
    opacity: float
    corners: int
    span: float


_OF_SEAT = re.compile(r"seat(\d+)(?:-(.+))?")


def style_of(role: str) -> Style:
    """The style of a role: `seat1`, `seat1-target`, `wall`; grey if nobody described it."""
    found = _OF_SEAT.fullmatch(role)
    if found is None or role in _TABLE["roles"]:
        return Style(**{**_TABLE["default"], **_TABLE["roles"].get(role, _TABLE["plain"])})
    seat = int(found[1])
    own = {
        "fill": seat_colour(seat),
        "hatch": SEAT_HATCHES[seat % len(SEAT_HATCHES)],
        "corners": SEAT_CORNERS[seat % len(SEAT_CORNERS)],
    }
    variant = _TABLE["variants"].get(found[2] or "", {})
    return Style(**{**_TABLE["default"], **_TABLE["seat"], **own, **variant})


def seat_colour(index: int) -> str:
    """The colour of a seat, or of the n-th series of a chart."""
    return SEAT_COLOURS[index % len(SEAT_COLOURS)]
