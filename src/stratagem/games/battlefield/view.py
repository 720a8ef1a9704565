"""Battlefield as a drawing: ground, safe zone, agents with health and ammunition, lines of fire.

Agents of seat 0 are round and have capital letters, those of seat 1 square and small ones.
"""

from collections.abc import Iterator
from typing import Any

from stratagem.core.scene import Point, Scene, Shape, arrow_head, between, block, star
from stratagem.games.battlefield.actions import FIRST_SHOT, SHIFT
from stratagem.games.battlefield.board import DIRECTIONS, STRIDE, inside, shot_victim, walled
from stratagem.games.battlefield.notation.codes import (
    LETTERS,
    agent_at,
    digits,
    ground,
    plies_to_shrink,
)
from stratagem.games.battlefield.state import GONE

_MOST_PIPS = 8  # higher health or ammunition is written as a number
_SAYING = {"wall": "obstacle", "outside": "outside the safe zone", "goal": "goal", "cell": ""}


def view(s: Any) -> Scene:
    height, width = int(s["height"]), int(s["width"])
    cells = [(row, column) for row in range(height) for column in range(width)]
    cells.sort(key=lambda cell: ground(s, *cell) == "goal")  # its outline goes on top
    shapes = [shape for cell in cells for shape in _square(s, *cell)]
    shapes += _closing(s)
    for seat, agent, foe in sight_lines(s):
        shapes += _sight_line(s, seat, agent, foe)
    for seat in range(2):
        for agent in range(int(s["team_size"])):
            if s["cells"][seat, agent] != GONE:
                shapes += _agent(s, seat, agent)
    panels = tuple(_team(s, seat) for seat in range(2))
    return Scene(width, height, tuple(shapes), tuple(_facts(s)), panels=panels)


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Return each agent that acts, and the cell that it enters, keeps or shoots at."""
    seat = int(s["seat"])
    keys: list[str] = []
    for agent, digit in enumerate(digits(s, action)):
        if s["cells"][seat, agent] != GONE:
            keys += [f"agent:{seat},{agent}", _cell_of(s, seat, agent, digit)]
    return tuple(keys)


def aims(s: Any, action: int) -> tuple[str, ...]:
    """The cells that are shot at."""
    seat = int(s["seat"])
    return tuple(
        _cell_of(s, seat, agent, digit)
        for agent, digit in enumerate(digits(s, action))
        if digit >= FIRST_SHOT and s["cells"][seat, agent] != GONE
    )


def _cell_of(s: Any, seat: int, agent: int, digit: int) -> str:
    """The key of the cell that an agent enters, keeps or shoots at."""
    cell = int(s["cells"][seat, agent])
    if digit >= FIRST_SHOT:
        cell = _shot_at(s, cell, digit - FIRST_SHOT)
    else:
        cell += int(SHIFT[digit])
    return f"cell:{cell // STRIDE},{cell % STRIDE}"


def _shot_at(s: Any, cell: int, direction: int) -> int:
    """Return where a shot ends: at the first agent, a wall, the zone's edge or its range."""
    for _ in range(int(s["shot_range"])):
        ahead = cell + int(DIRECTIONS[direction])
        if walled(s, ahead) or not inside(s, ahead):
            return cell
        cell = ahead
        if agent_at(s, cell // STRIDE, cell % STRIDE):
            return cell
    return cell


def _square(s: Any, row: int, column: int) -> list[Shape]:
    role, key = ground(s, row, column), f"cell:{row},{column}"
    shapes = [Shape("polygon", block(column, row, 1, 1), role, key=key, tip=_SAYING[role])]
    if role == "wall":
        for y in (row + 0.25, row + 0.5, row + 0.75):
            shapes.append(Shape("line", ((column + 0.06, y), (column + 0.94, y)), "wall-mark"))
        for x, layer in ((0.5, 0), (0.25, 1), (0.75, 1), (0.5, 2), (0.25, 3), (0.75, 3)):
            top = row + 0.25 * layer
            ends = ((column + x, top + 0.03), (column + x, top + 0.22))
            shapes.append(Shape("line", ends, "wall-mark"))
    elif role == "outside":
        for k in (0.25, 0.5, 0.75, 1.0):
            shapes.append(Shape("line", ((column, row + k), (column + k, row)), "outside-mark"))
    elif role == "goal":
        shapes.append(Shape("polygon", star((column + 0.5, row + 0.5), 0.46), "goal", key=key))
    return shapes


def _closing(s: Any) -> list[Shape]:
    """Draw the border that the zone will have after its next shrink."""
    height, width, margin = int(s["height"]), int(s["width"]), int(s["margin"]) + 1
    if min(height, width) <= 2 * margin:
        return []
    tip = f"the zone shrinks to this in {plies_to_shrink(s)} moves"
    corners = block(margin, margin, width - 2 * margin, height - 2 * margin)
    ring = (*corners, corners[0])
    return [Shape("line", ring, "closing", tip=tip, layer="marks")]


def _centre(s: Any, seat: int, agent: int) -> Point:
    cell = int(s["cells"][seat, agent])
    return (cell % STRIDE + 0.5, cell // STRIDE + 0.5)


def sight_lines(s: Any) -> Iterator[tuple[int, int, int]]:
    """Yield (seat, agent, enemy) for every enemy that an agent could hit now."""
    for seat in range(2):
        for agent in range(int(s["team_size"])):
            if s["ammo"][seat, agent] == 0:
                continue
            for direction in range(4):
                enemy = int(shot_victim(s, seat, agent, direction))
                if enemy >= 0:
                    yield seat, agent, enemy


def _sight_line(s: Any, seat: int, agent: int, foe: int) -> list[Shape]:
    """Draw a dashed arrow to the target, offset because the other may aim back."""
    start, end = _centre(s, seat, agent), _centre(s, 1 - seat, foe)
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    first = between(start, end, 0.47 / length, 0.1)
    last = between(start, end, 1.0 - 0.47 / length, 0.1)
    role = f"seat{seat}-target"
    return [
        Shape("line", (first, last), role, layer="hints"),
        Shape("polygon", arrow_head(first, last, 0.16), f"seat{seat}", layer="hints"),
    ]


def _agent(s: Any, seat: int, agent: int) -> list[Shape]:
    x, y = _centre(s, seat, agent)
    key, letter = f"agent:{seat},{agent}", LETTERS[seat][agent]
    health, ammo = int(s["health"][seat, agent]), int(s["ammo"][seat, agent])
    tip = f"{letter}: health {health}, ammunition {ammo}"
    body = Shape(
        "disc", ((x, y),), f"seat{seat}", letter, 0.29, key, 0.34, tip=tip, layer="pieces"
    )  # fmt: skip
    if seat == 1:
        square = block(x - 0.26, y - 0.26, 0.52, 0.52)
        body = Shape(
            "polygon", square, "seat1", letter, key=key, size=0.34, tip=tip, layer="pieces"
        )
    return [
        body,
        *_pips((x, y - 0.4), health, int(s["max_health"]), "health", key),
        *_pips((x, y + 0.4), ammo, int(s["max_ammo"]), "ammo", key),
    ]


def _pips(middle: Point, count: int, most: int, role: str, key: str) -> list[Shape]:
    """Draw a dot for each point left, or their number if they do not fit."""
    if most > _MOST_PIPS:
        return [Shape("label", (middle,), "label", str(count), size=0.2, key=key, layer="pieces")]
    step = 0.115
    first = middle[0] - step * (most - 1) / 2
    return [
        Shape(
            "disc", ((first + step * k, middle[1]),), role if k < count else f"{role}-lost",
            radius=0.048, key=key, layer="pieces",
        )
        for k in range(most)
    ]  # fmt: skip


def _team(s: Any, seat: int) -> Scene:
    """Draw a panel with a row per agent, including dead ones, and the team's time on the goal."""
    size, hold = int(s["team_size"]), int(s["hold_turns"])
    now = s["seat"] == seat
    height = 0.75 * size + 0.8
    shapes = [Shape("polygon", block(0, 0, 5.0, height), "panel-now" if now else "panel")]
    for agent in range(size):
        y = 0.45 + 0.75 * agent
        letter = LETTERS[seat][agent]
        alive = s["cells"][seat, agent] != GONE
        role = f"seat{seat}" if alive else f"seat{seat}-faded"
        if seat == 0:
            shapes.append(Shape("disc", ((0.5, y),), role, letter, 0.28, size=0.32))
        else:
            square = block(0.24, y - 0.26, 0.52, 0.52)
            shapes.append(Shape("polygon", square, role, letter, size=0.32))
        words = f"health {int(s['health'][seat, agent])}, ammunition {int(s['ammo'][seat, agent])}"
        text = words if alive else "fallen"
        shapes.append(
            Shape("label", ((1.0, y),), "label" if alive else "muted", text, size=0.3,
                  anchor="start")
        )  # fmt: skip
    y = height - 0.35
    streak = int(s["streak"][seat])
    shapes.append(Shape("polygon", star((0.5, y), 0.26), "goal"))
    shapes.append(
        Shape("label", ((1.0, y),), "label", f"goal held {streak} of {hold} turns", size=0.3,
              anchor="start")
    )  # fmt: skip
    return Scene(5.0, height, tuple(shapes), title=f"Team {seat + 1}")


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("ply", str(int(s["ply"]))), ("zone shrinks in", f"{plies_to_shrink(s)} moves")]
    for seat in range(2):
        agents = range(int(s["team_size"]))
        health = [str(int(s["health"][seat, agent])) for agent in agents]
        ammo = [str(int(s["ammo"][seat, agent])) for agent in agents]
        who, held = f"player {seat + 1}", f"{int(s['streak'][seat])} of {int(s['hold_turns'])}"
        facts.append((f"{who} health", " ".join(health)))
        facts.append((f"{who} ammunition", " ".join(ammo)))
        facts.append((f"{who} streak", held))
    return facts
