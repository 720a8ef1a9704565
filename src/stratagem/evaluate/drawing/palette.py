"""The look of a scene's roles, in a light and a dark theme, safe for colour-blind readers.

The table itself is `evaluate/palette.json`, from which the web app is built too, so colours are
defined in one place. Seat colours are those of Okabe and Ito (2008). What a seat owns also differs
by a number, letter or mark, which the game's view draws: nothing is shown by colour alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_TABLE: dict[str, Any] = json.loads(
    files("stratagem.evaluate").joinpath("palette.json").read_text()
)

THEMES: tuple[str, ...] = tuple(_TABLE["themes"])
ROLES: tuple[str, ...] = tuple(_TABLE["roles"])
SEAT_COLOURS: tuple[str, ...] = tuple(_TABLE["series"]["colours"])
SEAT_HATCHES: tuple[str, ...] = tuple(_TABLE["series"]["hatches"])  # of bars in charts
INK: str = _TABLE["themes"]["light"]["ink"]


@dataclass(frozen=True)
class Style:
    """Colours (`none`: not filled), and in cells the outline's or line's width and dashes."""

    fill: str
    stroke: str
    text: str
    width: float = 0.02
    opacity: float = 1.0
    dash: tuple[float, ...] = ()


@cache
def style_of(role: str, theme: str = "light") -> Style:
    """Return the style of a role such as `seat1` or `wall`; grey if it has none."""
    entry = _TABLE["roles"].get(role, _TABLE["plain"])
    more = {name: entry[name] for name in ("width", "opacity") if name in entry}
    return Style(**entry[theme], **more, dash=tuple(entry.get("dash", ())))


def paper_of(theme: str) -> str:
    """Return the background colour."""
    return str(_TABLE["themes"][theme]["paper"])


def ink_of(theme: str) -> str:
    """Return the colour of text that belongs to no shape."""
    return str(_TABLE["themes"][theme]["ink"])


def seat_colour(index: int) -> str:
    """Return the colour of a seat, or of the n-th series of a chart."""
    return SEAT_COLOURS[index % len(SEAT_COLOURS)]
