"""Arranges a board and its panels on one sheet.

Panels are placed in columns to the right of the board and below it, in order, each where space
comes first. Among all numbers of columns and sizes, the arrangement that wastes least is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from stratagem.core.scene import Scene

_MOST_COLUMNS = 4
_SCALES = tuple(0.6 + 0.02 * k for k in range(41))  # of panels relative to the board
_WIDEST = 0.55  # of a magnified panel, as a share of the board's width
_SHAPE = 1.45  # preferred width for a height of 1
_GAP = 0.02  # between parts, as a share of the board's height
_TITLE = 0.42  # height of a title, in a panel's units

Part = tuple[Scene, float, float, float]


@dataclass(frozen=True)
class Sheet:
    """Sizes in units of the board's cells; parts are (scene, left, top, scale)."""

    width: float
    height: float
    title_height: float
    parts: tuple[Part, ...]

    def waste(self) -> float:
        """How much is empty, badly proportioned, or small."""
        used = sum(part.width * part.height * scale**2 for part, _, _, scale in self.parts)
        out_of_shape = abs(log(self.width / self.height / _SHAPE))
        small = 1.0 - min(scale for _, _, _, scale in self.parts)
        return 1.0 - used / (self.width * self.height) + 0.4 * out_of_shape + 0.6 * small


def arrange(scene: Scene) -> Sheet:
    """Arrange a board at the top left and its panels around it."""
    if not scene.panels:
        return _lay_out(scene, 0, 1.0)
    return min(_possible(scene), key=Sheet.waste)


def _possible(scene: Scene) -> Iterator[Sheet]:
    widest = max(panel.width for panel in scene.panels)
    for scale in _SCALES:
        if scale > 1.0 and scale * widest > _WIDEST * scene.width:
            continue  # magnify only while the board remains the main thing
        for columns in range(_MOST_COLUMNS + 1):
            if columns or widest * scale <= scene.width:
                yield _lay_out(scene, columns, scale)


def _lay_out(scene: Scene, columns: int, scale: float) -> Sheet:
    """Place this many columns of panels to the right, and as many below the board as fit."""
    gap, title = _GAP * scene.height, _TITLE * scale
    head = title if scene.title else 0.0
    parts: list[Part] = [(scene, gap, gap + head, 1.0)]
    wide = max((panel.width for panel in scene.panels), default=0.0) * scale
    under = int((scene.width + gap) // (wide + gap)) if wide else 0
    bottom = 2 * gap + head + scene.height
    # [left edge, height filled so far] of each column
    slots = [[scene.width + (2 + k) * gap + k * wide, gap] for k in range(columns)]
    slots += [[gap + k * (wide + gap), bottom] for k in range(under)]
    for panel in scene.panels:
        slot = min(slots, key=lambda slot: slot[1])
        top = slot[1] + (title if panel.title else 0.0)
        parts.append((panel, slot[0], top, scale))
        slot[1] = top + panel.height * scale + gap
    right = scene.width + 2 * gap + columns * (wide + gap)
    return Sheet(right, max([bottom, *(slot[1] for slot in slots)]), title, tuple(parts))
