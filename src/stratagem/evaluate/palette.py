"""What a role of a scene looks like on paper. Safe for colour-blind readers, and in grey print.

Seat colours are those of Okabe and Ito (2008); besides its colour every seat has its own marker and
hatching, so nothing is told by colour alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SEAT_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SEAT_HATCHES = ("", "////", "....", "xxxx", "----", "++++")
SEAT_CORNERS = (0, 4, 3, 5, 6, 8)  # corners of a seat's disc; 0 is round
INK = "#222222"


@dataclass(frozen=True)
class Style:
    """Fill and edge colour, hatching, width of the edge, opacity, and corners of a disc."""

    fill: str
    edge: str = INK
    hatch: str = ""
    line_width: float = 0.6
    opacity: float = 1.0
    corners: int = 0


# Roles that scenes of several games share. A role not listed here is drawn in plain grey.
_STYLES = {
    "cell": Style("#F7F5F0", "#C9C4B8"),
    "board": Style("#F7F5F0", "#C9C4B8"),
    "ground": Style("#F7F5F0", "#C9C4B8"),
    "wall": Style("#4A4A4A", "#2B2B2B"),
    "obstacle": Style("#4A4A4A", "#2B2B2B"),
    "goal": Style("#F0E442", "#8A8000", line_width=1.6),
    "centre": Style("#F0E442", "#8A8000", line_width=1.6),
    "outside": Style("#A9A9A9", "#8C8C8C", hatch="\\\\\\"),
    "unsafe": Style("#A9A9A9", "#8C8C8C", hatch="\\\\\\"),
    "danger": Style("#A9A9A9", "#8C8C8C", hatch="\\\\\\"),
    "text": Style(INK, INK),
    "label": Style(INK, INK),
    "line": Style("none", INK, line_width=1.2),
}
_PLAIN = Style("#DDDDDD", "#777777")
_FADED = ("dead", "lost", "ghost", "faded", "target")
_OF_SEAT = re.compile(r"seat(\d+)(?:-(.+))?")


def style_of(role: str) -> Style:
    """The style of a role: `seat1`, `seat1-target`, `wall`; grey if nobody described it."""
    found = _OF_SEAT.fullmatch(role)
    if found is None:
        return _STYLES.get(role, _PLAIN)
    seat = int(found[1])
    return Style(
        fill=SEAT_COLOURS[seat % len(SEAT_COLOURS)],
        hatch=SEAT_HATCHES[seat % len(SEAT_HATCHES)],
        line_width=1.0,
        opacity=0.3 if found[2] in _FADED else 1.0,
        corners=SEAT_CORNERS[seat % len(SEAT_CORNERS)],
    )


def seat_colour(index: int) -> str:
    """The colour of a seat, or of the n-th series of a chart."""
    return SEAT_COLOURS[index % len(SEAT_COLOURS)]
