"""A unit as a counter: the usual box with its symbol, and attack, defence and movement below.

Crossed lines are infantry, one line is cavalry, an oval armour, a dot guns, crossed lines with a
bar on top guards; a kind with another letter shows the letter.
"""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Point, Shape, block, regular
from stratagem.games.hexwar.board import stat
from stratagem.games.hexwar.notation.codes import STATUSES
from stratagem.games.hexwar.notation.sentences import unit_name
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    CHOSEN,
    DEAD,
    DEFENCE,
    FOUGHT,
    MOVEMENT,
    READY,
    UNITS,
)

WIDTH, HEIGHT = 0.6, 0.5
_BOX = (0.36, 0.21)  # of the symbol


def counter(s: Any, unit: int, middle: Point, note: str = "") -> list[Shape]:
    """The shapes of one counter; they share the key of the unit."""
    x, y = middle
    seat, status = unit // UNITS, int(s["status"][unit])
    role = f"seat{seat}"
    if status == FOUGHT:
        role = f"seat{seat}-done"
    elif status == CHOSEN:
        role = f"seat{seat}-attacking"
    elif status == DEAD:
        role = f"seat{seat}-faded"
    mark = f"seat{seat}-mark" if status not in (FOUGHT, DEAD) else "line"
    key, tip = f"unit:{unit}", describe(s, unit) + (f", {note}" if note else "")
    numbers = "-".join(str(int(stat(s, unit, which))) for which in (ATTACK, DEFENCE, MOVEMENT))
    corners = block(x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT)
    shapes = [
        Shape("polygon", corners, role, key=key, tip=tip, layer="pieces"),
        *_symbol(_letter(s, unit), (x, y - 0.08), mark, key),
        Shape("label", ((x, y + 0.145),), role, numbers, size=0.155, key=key, layer="pieces"),
    ]
    if status == READY:  # a small bar: may still move
        at = block(x - WIDTH / 2 + 0.03, y - HEIGHT / 2 + 0.03, 0.05, 0.05)
        shapes.append(Shape("polygon", at, mark, key=key, layer="pieces"))
    return shapes


def describe(s: Any, unit: int) -> str:
    """A unit in words, e.g. `armour of player 1, attack 2, defence 2, 3 of 4 points, ready`."""
    name, status = unit_name(s, unit), int(s["status"][unit])
    attack, defence, movement = (int(stat(s, unit, k)) for k in (ATTACK, DEFENCE, MOVEMENT))
    points = f"{int(s['points'][unit])} of {movement} points"
    state = STATUSES[status]
    if status in (AWAY, DEAD):
        points = f"{movement} points"
    return (
        f"{name} of player {unit // UNITS + 1}, attack {attack}, defence {defence}, "
        f"{points}, {state}"
    )


def _letter(s: Any, unit: int) -> str:
    return chr(int(s["kind_letters"][int(s["kind"][unit])]))


def _symbol(letter: str, middle: Point, role: str, key: str) -> list[Shape]:
    """Draw the box with the symbol of the unit's kind."""
    x, y = middle
    wide, high = _BOX[0] / 2, _BOX[1] / 2
    corners = block(x - wide, y - high, _BOX[0], _BOX[1])
    rising = ((x - wide, y + high), (x + wide, y - high))
    falling = ((x - wide, y - high), (x + wide, y + high))
    inside: list[tuple[Point, ...]] = []
    if letter in "IH":
        inside = [rising, falling]
    elif letter == "C":
        inside = [rising]
    elif letter == "A":
        oval = [(x + 0.66 * (a - x), y + 0.34 * (b - y)) for a, b in regular(middle, 0.2, 20)]
        inside = [(*oval, oval[0])]
    shapes = [
        Shape("line", (*corners, corners[0]), role, key=key, width=0.02, layer="pieces"),
        *(Shape("line", line, role, key=key, width=0.02, layer="pieces") for line in inside),
    ]
    if letter == "G":
        shapes.append(Shape("disc", (middle,), role, radius=0.045, key=key, layer="pieces"))
    elif letter == "H":
        bar = ((x - wide, y - high), (x + wide, y - high))
        shapes.append(Shape("line", bar, role, key=key, width=0.05, layer="pieces"))
    elif not inside:
        shapes.append(Shape("label", (middle,), role, letter, size=0.16, key=key, layer="pieces"))
    return shapes
