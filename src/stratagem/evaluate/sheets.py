"""Where a board and its panels go on one sheet. Knows no game and no way of drawing.

Panels stand in columns to the right of the board, as few as leave them legible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stratagem.core.scene import Scene

_MOST_COLUMNS = 4
_LARGEST = 1.0  # scale of a panel: its cells are never larger than those of the board
_LEGIBLE = 0.75  # scale of a panel below which another column is opened
_GAP = 0.02  # between parts, as a share of the board's height
_TITLE = 0.035  # height of a panel's title, likewise


@dataclass(frozen=True)
class Sheet:
    """Sizes in units of the board's cells; parts are (scene, left, top, scale)."""

    width: float
    height: float
    title_height: float
    parts: tuple[tuple[Scene, float, float, float], ...]


def arrange(scene: Scene) -> Sheet:
    """A board at the left and its panels in columns beside it."""
    gap, title = _GAP * scene.height, _TITLE * scene.height
    head = title if scene.title else 0.0
    board = (scene, gap, gap + head, 1.0)
    height = scene.height + head + 2 * gap
    if not scene.panels:
        return Sheet(scene.width + 2 * gap, height, title, (board,))
    room = height - 2 * gap
    for number in range(1, _MOST_COLUMNS + 1):
        columns = _split(scene.panels, number)
        wide = _width_of_columns(columns, room, gap, title)
        if wide >= _LEGIBLE * max(panel.width for panel in scene.panels):
            break
    parts = [board]
    left = scene.width + 2 * gap
    for column in columns:
        top = gap
        for panel in column:
            top += title if panel.title else 0.0
            scale = min(wide / panel.width, _LARGEST)
            parts.append((panel, left, top, scale))
            top += panel.height * scale + gap
        height = max(height, top)
        left += max(min(wide, _LARGEST * panel.width) for panel in column) + gap
    return Sheet(left, height, title, tuple(parts))


def _width_of_columns(
    columns: Sequence[Sequence[Scene]], room: float, gap: float, title: float
) -> float:
    """How wide columns can be so that the fullest is as high as the board."""
    found = []
    for column in columns:
        free = room - sum(gap + (title if panel.title else 0.0) for panel in column) + gap
        found.append(free / sum(panel.height / panel.width for panel in column))
    return max(min(found), room / 6)


def _split(panels: Sequence[Scene], columns: int) -> list[list[Scene]]:
    """The panels in their order, in so many columns of about the same height."""
    share = sum(panel.height / panel.width for panel in panels) / columns
    found: list[list[Scene]] = [[]]
    filled = 0.0
    for panel in panels:
        own = panel.height / panel.width
        if found[-1] and filled + own / 2 > share * len(found) and len(found) < columns:
            found.append([])
        found[-1].append(panel)
        filled += own
    return found
