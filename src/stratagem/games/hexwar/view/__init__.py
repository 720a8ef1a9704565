"""Hexwar as a drawing: flat-top hexes with terrain, victory and arrival hexes, stacks, the attack.

Beside the map are the turn track, each player's units that are still to come or lost, and the
legend of the terrain.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Any

from stratagem.core.scene import Point, Scene, Shape, arrow_head, between, star
from stratagem.core.seats import OVER
from stratagem.games.hexwar.actions import (
    MOVE_PLANE,
    PLACE_PLANE,
    attacker_plane,
    confirm_plane,
    no_move_plane,
    target_plane,
)
from stratagem.games.hexwar.board import (
    arrives_at,
    neighbour,
    stat,
    terrain_of,
)
from stratagem.games.hexwar.notation.codes import (
    PHASES,
    stack_of,
)
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    CHOSEN,
    DEAD,
    DEFENCE,
    HUNDRED,
    NOBODY,
    NOWHERE,
    TERRAINS,
    UNITS,
)
from stratagem.games.hexwar.view.counters import counter
from stratagem.games.hexwar.view.ground import ground_role, terrain_glyph, terrain_tip
from stratagem.games.hexwar.view.panels import panels

RADIUS = 1.0 / sqrt(3.0)  # of a hex that is one unit high
_CORNERS = ((1.0, 0.0), (0.5, 0.5), (-0.5, 0.5), (-1.0, 0.0), (-0.5, -0.5), (0.5, -0.5))


def view(s: Any) -> Scene:
    height, width = int(s["height"]), int(s["width"])
    cells = range(height * width)
    shapes = list(_ground(s))
    shapes += _victory_hexes(s) + _arrival_hexes(s)
    shapes += [shape for cell in cells for shape in _stack(s, cell)]
    if s["target"] != NOWHERE:
        shapes += _attack(s)
    span = RADIUS * (1.5 * (width - 1) + 2.0)
    return Scene(span, height + 0.5, tuple(shapes), tuple(_facts(s)), panels=panels(s))


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Return the acting unit and its target hex; only a hex if no unit is named."""
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


def cell_key(s: Any, cell: int) -> str:
    row, column = divmod(cell, int(s["width"]))
    return f"cell:{row},{column}"


def _centre(width: int, cell: int) -> Point:
    row, column = divmod(cell, width)
    return RADIUS * (1.0 + 1.5 * column), row + 0.5 + 0.5 * (column % 2)


def _hexagon(width: int, cell: int, size: float = 1.0) -> tuple[Point, ...]:
    x, y = _centre(width, cell)
    return tuple((x + size * RADIUS * across, y + size * down) for across, down in _CORNERS)


def _ground(s: Any) -> tuple[Shape, ...]:
    """Draw the hexes of a map, which do not change during a game."""
    area = int(s["height"]) * int(s["width"])
    terrains = tuple(int(byte) & TERRAINS - 1 for byte in s["ground"][:area])
    kinds = tuple(
        (chr(int(letter)), terrain_tip(s, terrain) if letter else "")
        for terrain, letter in enumerate(s["terrain_letters"])
    )
    return _drawn_ground(int(s["width"]), terrains, kinds)


@lru_cache(maxsize=64)
def _drawn_ground(
    width: int, terrains: tuple[int, ...], kinds: tuple[tuple[str, str], ...]
) -> tuple[Shape, ...]:
    """Each hex with its terrain's glyph, letter and name; kinds are (letter, tip)."""
    shapes: list[Shape] = []
    for cell, terrain in enumerate(terrains):
        letter, tip = kinds[terrain]
        row, column = divmod(cell, width)
        key, name = f"cell:{row},{column}", f"{chr(ord('a') + column)}{row + 1}"
        role, (x, y) = ground_role(letter), _centre(width, cell)
        corners = _hexagon(width, cell)
        shapes.append(Shape("polygon", corners, role, key=key, tip=f"{name}: {tip}"))
        shapes += terrain_glyph(letter, (x, y), key)
        at = ((x, y - 0.36),)
        shapes.append(Shape("label", at, "muted", name, key=key, size=0.11, layer="marks"))
        if letter != "P":
            at = ((x, y + 0.37),)
            shapes.append(
                Shape("label", at, f"{role}-mark", letter, key=key, size=0.14, layer="marks")
            )
    return tuple(shapes)


def _victory_hexes(s: Any) -> list[Shape]:
    """Draw rings in the owner's colour, and a star with the owner's number."""
    shapes = []
    for owner in range(2):
        tip = f"victory hex of player {owner + 1}, wanted by player {2 - owner}"
        for cell in s["goals"][owner, : int(s["goal_count"][owner])].tolist():
            x, y = _centre(int(s["width"]), cell)
            ring, key = _hexagon(int(s["width"]), cell, 0.9), cell_key(s, cell)
            shapes += [
                Shape("line", (*ring, ring[0]), f"seat{owner}-line", key=key, width=0.055,
                      layer="marks"),
                Shape("polygon", star((x + 0.35, y - 0.18), 0.17), f"seat{owner}", str(owner + 1),
                      key=key, size=0.12, tip=tip, layer="marks"),
            ]  # fmt: skip
    return shapes


def _arrival_hexes(s: Any) -> list[Shape]:
    """Draw rings where the next unit may arrive."""
    unit = int(s["arriving"])
    if unit == NOBODY or s["seat"] == OVER:
        return []
    role, tip = f"seat{unit // UNITS}-zone", "the next unit may arrive here"
    shapes = []
    for cell in range(int(s["height"]) * int(s["width"])):
        if arrives_at(s, unit, cell):
            ring, key = _hexagon(int(s["width"]), cell, 0.76), cell_key(s, cell)
            shapes.append(
                Shape("line", (*ring, ring[0]), role, key=key, tip=tip, layer="hints")
            )  # fmt: skip
    return shapes


def _stack(s: Any, cell: int) -> list[Shape]:
    """Draw the units of a hex, each slightly above and to the right of the one below."""
    units = stack_of(s, cell)
    x, y = _centre(int(s["width"]), cell)
    shapes = []
    for level, unit in enumerate(units):
        offset = level - (len(units) - 1) / 2
        middle = (x + 0.07 * offset, y + 0.02 - 0.06 * offset)
        shapes += counter(s, unit, middle)
    return shapes


def _attack(s: Any) -> list[Shape]:
    """Draw the target's ring, an arrow from every chosen attacker, and both strengths."""
    target, seat = int(s["target"]), int(s["seat"])
    key = cell_key(s, target)
    ring = _hexagon(int(s["width"]), target, 0.94)
    shapes = [Shape("line", (*ring, ring[0]), "target", key=key, tip="target", layer="hints")]
    goal = _centre(int(s["width"]), target)
    for cell in sorted({int(s["cell"][int(unit)]) for unit in s["crew"][: int(s["crew_size"])]}):
        start = between(_centre(int(s["width"]), cell), goal, 0.3)
        end = between(_centre(int(s["width"]), cell), goal, 0.68)
        shapes.append(Shape("line", (start, end), "target", layer="hints"))
        shapes.append(Shape("polygon", arrow_head(start, end, 0.2), "health", layer="hints"))
    attack, defence = strengths(s)
    text = f"{attack:g} : {defence:g}"
    plate = tuple((goal[0] + dx, goal[1] + dy) for dx, dy in _PLATE)
    tip = f"attack {attack:g} against defence {defence:g}"
    shapes.append(
        Shape("polygon", plate, f"seat{seat}-faded", text, key=key, size=0.17, tip=tip,
              layer="hints")
    )  # fmt: skip
    return shapes


_PLATE = ((-0.32, 0.29), (0.32, 0.29), (0.26, 0.49), (-0.26, 0.49))


def strengths(s: Any) -> tuple[float, float]:
    """Return the strengths of the chosen attackers and the target's defenders, with terrain."""
    attack = sum(
        int(stat(s, int(unit), ATTACK)) * int(s["attack_mods"][int(terrain_of(s, int(cell)))])
        for unit in s["crew"][: int(s["crew_size"])]
        for cell in (s["cell"][int(unit)],)
    )
    target = int(s["target"])
    defence = sum(int(stat(s, unit, DEFENCE)) for unit in stack_of(s, target))
    defence *= int(s["defence_mods"][int(terrain_of(s, target))])
    return attack / HUNDRED, defence / HUNDRED


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("turn", f"{int(s['turn'])} of {int(s['turns'])}")]
    if s["seat"] != OVER:
        facts.append(("player", str(int(s["seat"]) + 1)))
        facts.append(("phase", PHASES[int(s["phase"])]))
    if s["target"] != NOWHERE:
        attack, defence = strengths(s)
        chosen = int((s["status"] == CHOSEN).sum())
        facts.append(("attack", f"{chosen} units, {attack:g} against {defence:g}"))
    for seat in range(2):
        first = seat * UNITS
        statuses = s["status"][first : first + int(s["count"][seat])].tolist()
        away = statuses.count(AWAY)
        here = len(statuses) - away - statuses.count(DEAD)
        other = 1 - seat
        goals = s["goals"][other, : int(s["goal_count"][other])].tolist()
        held = sum(any(unit // UNITS == seat for unit in stack_of(s, goal)) for goal in goals)
        facts.append((f"player {seat + 1} units", f"{here} here, {away} to come"))
        facts.append((f"player {seat + 1} holds", f"{held} of {len(goals)} victory hexes"))
    return facts
