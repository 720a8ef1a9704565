"""Hexwar as a drawing: flat-top hexes with their terrain, victory hexes, stacks and the target."""

from __future__ import annotations

from math import sqrt
from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import OVER
from stratagem.games.hexwar.actions import (
    MOVE_PLANE,
    PLACE_PLANE,
    attacker_plane,
    confirm_plane,
    no_move_plane,
    target_plane,
)
from stratagem.games.hexwar.board import AWAY, CHOSEN, FOUGHT, NOWHERE, UNITS, neighbour
from stratagem.games.hexwar.notation import (
    PHASES,
    goal_owner,
    stack_of,
    terrain_letter,
    unit_letter,
)

_RADIUS = 1.0 / sqrt(3.0)  # of a hex that is one unit high
_TERRAIN_ROLES = {"P": "ground", "S": "swamp", "M": "mountain", "F": "forest"}


def view(s: Any) -> Scene:
    height, width = int(s["height"]), int(s["width"])
    shapes: list[Shape] = []
    for cell in range(height * width):
        shapes += _hex(s, cell)
    if s["target"] != NOWHERE:
        shapes += _attack(s)
    for cell in range(height * width):
        shapes += _stack(s, cell)
    span = _RADIUS * (1.5 * (width - 1) + 2.0)
    return Scene(span, height + 0.5, tuple(shapes), tuple(_facts(s)))


def _centre(s: Any, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, int(s["width"]))
    return _RADIUS * (1.0 + 1.5 * column), row + 0.5 + 0.5 * (column % 2)


def _hexagon(s: Any, cell: int, size: float) -> tuple[tuple[float, float], ...]:
    x, y = _centre(s, cell)
    corners = ((1.0, 0.0), (0.5, 0.5), (-0.5, 0.5), (-1.0, 0.0), (-0.5, -0.5), (0.5, -0.5))
    return tuple(
        (x + size * _RADIUS * across, y + size * (0.5 if down > 0 else -0.5 if down < 0 else 0.0))
        for across, down in corners
    )


def _hex(s: Any, cell: int) -> list[Shape]:
    """The hex, its letter unless it is plains, and a ring if it is somebody's victory hex."""
    letter = terrain_letter(s, cell)
    role = _TERRAIN_ROLES.get(letter, f"terrain-{letter.lower()}")
    shapes = [Shape("polygon", _hexagon(s, cell, 1.0), role, key=cell_key(s, cell))]
    owner = goal_owner(s, cell)
    if owner >= 0:
        shapes.append(Shape("polygon", _hexagon(s, cell, 0.86), "goal", key=f"goal{owner}"))
        shapes.append(Shape("polygon", _hexagon(s, cell, 0.74), f"seat{owner}-faded"))
    x, y = _centre(s, cell)
    if letter != "P":
        shapes.append(Shape("label", ((x, y + 0.38),), "label", letter))
    return shapes


def _attack(s: Any) -> list[Shape]:
    """A line from every chosen attacker to the target, and a ring around it."""
    target = int(s["target"])
    seat = int(s["seat"])
    shapes = [Shape("polygon", _hexagon(s, target, 0.9), f"seat{seat}-target", key="target")]
    for unit in s["crew"][: int(s["crew_size"])]:
        ends = (_centre(s, int(s["cell"][int(unit)])), _centre(s, target))
        shapes.append(Shape("line", ends, f"seat{seat}-target"))
    return shapes


def _stack(s: Any, cell: int) -> list[Shape]:
    """The units of a hex, the lowest at the left and in the back."""
    units = stack_of(s, cell)
    x, y = _centre(s, cell)
    shapes = []
    for level, unit in enumerate(units):
        offset = 0.16 * (level - (len(units) - 1) / 2)
        seat, status = unit // UNITS, int(s["status"][unit])
        role = f"seat{seat}-done" if status == FOUGHT else f"seat{seat}"
        if status == CHOSEN:
            role = f"seat{seat}-attacking"
        shapes.append(
            Shape(
                "disc", ((x + offset, y - 0.5 * offset),), role, unit_letter(s, unit), 0.26,
                key=f"unit:{unit}",
            )
        )  # fmt: skip
    return shapes


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("turn", f"{int(s['turn'])} of {int(s['turns'])}")]
    if s["seat"] != OVER:
        facts.append(("player", str(int(s["seat"]) + 1)))
        facts.append(("phase", PHASES[int(s["phase"])]))
    for seat in range(2):
        first = seat * UNITS
        statuses = s["status"][first : first + int(s["count"][seat])].tolist()
        on_board = sum(status in (1, 2, FOUGHT, CHOSEN) for status in statuses)
        other = 1 - seat
        goals = s["goals"][other, : int(s["goal_count"][other])].tolist()
        held = sum(any(unit // UNITS == seat for unit in stack_of(s, goal)) for goal in goals)
        facts.append(
            (f"player {seat + 1} units", f"{on_board} here, {statuses.count(AWAY)} to come")
        )
        facts.append((f"player {seat + 1} holds", f"{held} of {len(goals)} victory hexes"))
    return facts


def cell_key(s: Any, cell: int) -> str:
    row, column = divmod(cell, int(s["width"]))
    return f"cell:{row},{column}"


def touches(s: Any, action: int) -> tuple[str, ...]:
    """The unit that acts and the hex it acts on; a hex alone where no unit is named."""
    stacking = int(s["stacking"])
    plane, cell = divmod(int(action), int(s["height"]) * int(s["width"]))
    here = cell_key(s, cell)
    if plane == PLACE_PLANE:
        return (f"unit:{int(s['arriving'])}", here)
    if plane < target_plane(s):
        direction, level = divmod(plane - MOVE_PLANE, stacking)
        there = int(neighbour(s, cell, direction))
        return (f"unit:{stack_of(s, cell)[level]}", cell_key(s, there))
    if plane in (target_plane(s), confirm_plane(s)):
        return (here,)
    if plane < confirm_plane(s):
        unit = stack_of(s, cell)[plane - int(attacker_plane(s))]
        return (f"unit:{unit}", cell_key(s, int(s["target"])))
    unit = stack_of(s, cell)[(plane - int(no_move_plane(s))) % stacking]
    return (f"unit:{unit}", here)
