"""The panels beside the map of hexwar: turn track, units off the map, legend of the terrain."""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Scene, Shape, block
from stratagem.core.seats import OVER
from stratagem.games.hexwar.state import (
    AWAY,
    DEAD,
    HUNDRED,
    NOBODY,
    TERRAINS,
    UNITS,
)
from stratagem.games.hexwar.view.counters import HEIGHT, WIDTH, counter
from stratagem.games.hexwar.view.ground import ground_role, terrain_glyph, terrain_name

_ACROSS = 4.2  # width of every panel
_IN_A_ROW = 5  # counters side by side


def panels(s: Any) -> tuple[Scene, ...]:
    return (_turns(s), _player(s, 0), _player(s, 1), _terrains(s))


def _turns(s: Any) -> Scene:
    """Draw a box for set-up and one for each turn, with the current one highlighted."""
    turns, now = int(s["turns"]), int(s["turn"])
    across = 10
    size = _ACROSS / across
    shapes = []
    for turn in range(turns + 1):
        row, column = divmod(turn, across)
        role = "tile-now" if turn == now else "tile-past" if turn < now else "slot"
        corners = block(column * size, row * size, size, size)
        name = "set-up" if turn == 0 else f"turn {turn}"
        shapes.append(Shape("polygon", corners, role, str(turn or "S"), size=0.2, tip=name))
    return Scene(_ACROSS, size * (turns // across + 1), tuple(shapes), title=f"Turn {now}")


def _player(s: Any, seat: int) -> Scene:
    """Draw units still to come, by the turn when they are due, and those lost."""
    first = seat * UNITS
    units = range(first, first + int(s["count"][seat]))
    rows: list[tuple[str, list[int]]] = []
    for due in sorted({int(s["turn_due"][unit]) for unit in units}):
        coming = [u for u in units if s["status"][u] == AWAY and s["turn_due"][u] == due]
        rows.append((f"turn {due}" if due else "set-up", coming))
    rows.append(("lost", [unit for unit in units if s["status"][unit] == DEAD]))
    shapes: list[Shape] = []
    y = 0.1
    for name, members in rows:
        for start in range(0, len(members), _IN_A_ROW):
            part = members[start : start + _IN_A_ROW]
            role = "muted" if name == "lost" else "label"
            at = ((0.1, y + HEIGHT / 2),)
            shapes.append(Shape("label", at, role, name, size=0.2, anchor="start"))
            for place, unit in enumerate(part):
                middle = (1.15 + place * (WIDTH + 0.03), y + HEIGHT / 2)
                if unit == s["arriving"] and s["arriving"] != NOBODY:
                    ring = block(middle[0] - 0.32, middle[1] - 0.27, 0.64, 0.54)
                    shapes.append(Shape("polygon", ring, "chosen", key=f"unit:{unit}"))
                shapes += counter(s, unit, middle)
            y += HEIGHT + 0.08
    if not shapes:
        shapes.append(Shape("label", ((0.1, 0.25),), "muted", "all units are on the map",
                            size=0.2, anchor="start"))  # fmt: skip
        y = 0.45
    role = "panel-now" if s["seat"] == seat and s["seat"] != OVER else "panel"
    frame = Shape("polygon", block(0, 0, _ACROSS, y + 0.05), role)
    return Scene(
        _ACROSS, y + 0.05, (frame, *shapes), title=f"Player {seat + 1}: reinforcements and losses"
    )


def _terrains(s: Any) -> Scene:
    """Draw a line for each terrain that this map can have."""
    known = [k for k in range(TERRAINS) if s["terrain_letters"][k]]
    height = 0.42 * len(known) + 0.4
    shapes = [Shape("polygon", block(0, 0, _ACROSS, height), "panel")]
    for x, text in ((2.35, "attack"), (3.1, "defence"), (3.8, "cost")):
        shapes.append(Shape("label", ((x, 0.2),), "muted", text, size=0.17))
    for line, terrain in enumerate(known):
        y = 0.56 + 0.42 * line
        letter = chr(int(s["terrain_letters"][terrain]))
        role = ground_role(letter)
        shapes.append(Shape("polygon", block(0.1, y - 0.17, 0.5, 0.34), role))
        glyph = terrain_glyph(letter, (0.0, 0.0))
        for shape in glyph:
            small = tuple((0.35 + 0.55 * x, y + 0.55 * b) for x, b in shape.points)
            shapes.append(
                Shape(shape.kind, small, shape.role, width=0.5 * shape.width, layer="board")
            )
        name = f"{letter}  {terrain_name(letter)}"
        shapes.append(Shape("label", ((0.72, y),), "label", name, size=0.2, anchor="start"))
        attack = int(s["attack_mods"][terrain]) / HUNDRED
        defence = int(s["defence_mods"][terrain]) / HUNDRED
        for x, text in ((2.35, f"x{attack:g}"), (3.1, f"x{defence:g}"),
                        (3.8, str(int(s["costs"][terrain])))):  # fmt: skip
            shapes.append(Shape("label", ((x, y),), "label", text, size=0.2))
    return Scene(_ACROSS, height, tuple(shapes), title="Terrain")
