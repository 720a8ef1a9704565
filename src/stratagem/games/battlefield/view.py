"""Battlefield as a drawing: ground, agents with their letter and health, and lines of fire."""

from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.games.battlefield.actions import FIRST_SHOT, SHIFT
from stratagem.games.battlefield.board import DIRECTIONS, GONE, STRIDE, walled
from stratagem.games.battlefield.notation import LETTERS, agent_at, digits, ground, plies_to_shrink
from stratagem.games.battlefield.tactics import sight_lines


def view(s: Any) -> Scene:
    height, width = int(s["height"]), int(s["width"])
    shapes = [_square(s, row, column) for row in range(height) for column in range(width)]
    for seat, agent, foe in sight_lines(s):
        ends = (_centre(s, seat, agent), _centre(s, 1 - seat, foe))
        shapes.append(Shape("line", ends, f"seat{seat}-target"))
    for seat in range(2):
        shapes += [
            _disc(s, seat, agent)
            for agent in range(int(s["team_size"]))
            if s["cells"][seat, agent] != GONE
        ]
    return Scene(width, height, tuple(shapes), tuple(_facts(s)))


def _square(s: Any, row: int, column: int) -> Shape:
    corners = (
        (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1),
    )  # fmt: skip
    return Shape("polygon", corners, ground(s, row, column), key=f"cell:{row},{column}")


def _centre(s: Any, seat: int, agent: int) -> tuple[float, float]:
    cell = int(s["cells"][seat, agent])
    return (cell % 16 + 0.5, cell // 16 + 0.5)


def _disc(s: Any, seat: int, agent: int) -> Shape:
    letter, health = LETTERS[seat][agent], int(s["health"][seat, agent])
    return Shape(
        "disc", (_centre(s, seat, agent),), f"seat{seat}", f"{letter}{health}", 0.38,
        key=f"agent:{seat},{agent}",
    )  # fmt: skip


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("ply", str(int(s["ply"]))), ("zone shrinks in", f"{plies_to_shrink(s)} plies")]
    for seat in range(2):
        agents = range(int(s["team_size"]))
        health = [str(int(s["health"][seat, agent])) for agent in agents]
        ammo = [str(int(s["ammo"][seat, agent])) for agent in agents]
        facts.append((f"seat {seat} health", " ".join(health)))
        facts.append((f"seat {seat} ammunition", " ".join(ammo)))
        facts.append((f"seat {seat} streak", f"{int(s['streak'][seat])} of {int(s['hold_turns'])}"))
    return facts


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Each agent that acts, and the cell that it enters, keeps or shoots at."""
    seat = int(s["seat"])
    keys: list[str] = []
    for agent, digit in enumerate(digits(s, action)):
        cell = int(s["cells"][seat, agent])
        if cell == GONE:
            continue
        if digit >= FIRST_SHOT:
            cell = _shot_at(s, cell, digit - FIRST_SHOT)
        else:
            cell += int(SHIFT[digit])
        keys += [f"agent:{seat},{agent}", f"cell:{cell // STRIDE},{cell % STRIDE}"]
    return tuple(keys)


def _shot_at(s: Any, cell: int, direction: int) -> int:
    """Where a shot ends: at the first agent, before the first wall, or at its full range."""
    for _ in range(int(s["shot_range"])):
        following = cell + int(DIRECTIONS[direction])
        if walled(s, following):
            return cell
        cell = following
        if agent_at(s, cell // STRIDE, cell % STRIDE):
            return cell
    return cell
