"""Hexwar in text. A hex is column letter and row number from the top left: `c4`; `c4/2` is the
second unit from the bottom there.

    place c4       the next reinforcement arrives
    move c4/1 NE   one step: N, NE, SE, S, SW or NW
    stay c4/1      no-move
    attack d4      choose a target
    with c4/1      add an attacker
    fight d4       confirm
    hold c4/1      no-fight
"""

from __future__ import annotations

import re
from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.seats import OVER
from stratagem.games.hexwar.state import (
    AWAY,
    DEAD,
    NOBODY,
    NOWHERE,
    UNITS,
)

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
PHASES = ("reinforce", "move", "choose target", "choose attackers")
STATUSES = ("to come", "ready", "moved", "done", "attacking", "lost")
_FORM = re.compile(r"(\w+) ([a-t])(\d{1,2})(?:/(\d))?(?: (\w+))?")
_ONE_HEX = {"place": 0, "attack": 1, "fight": 2}  # order of the planes without a level


def hex_name(s: Any, cell: int) -> str:
    row, column = divmod(int(cell), int(s["width"]))
    return f"{chr(ord('a') + column)}{row + 1}"


def format_action(s: Any, action: int) -> str:
    height, width, stacking = int(s["height"]), int(s["width"]), int(s["stacking"])
    plane, cell = divmod(int(action), height * width)
    name = hex_name(s, cell)
    if plane == 0:
        return f"place {name}"
    plane -= 1
    if plane < 6 * stacking:
        direction, level = divmod(plane, stacking)
        return f"move {name}/{level + 1} {DIRECTIONS[direction]}"
    plane -= 6 * stacking
    if plane == 0:
        return f"attack {name}"
    if plane <= stacking:
        return f"with {name}/{plane}"
    if plane == stacking + 1:
        return f"fight {name}"
    group, level = divmod(plane - stacking - 2, stacking)
    return f"{('stay', 'hold')[group]} {name}/{level + 1}"


def parse_action(s: Any, text: str) -> int:
    height, width, stacking = int(s["height"]), int(s["width"]), int(s["stacking"])
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise BadRecord(f"move {text!r}: write e.g. 'place c4', 'move c4/1 NE' or 'fight d4'")
    verb, row, column = found[1], int(found[3]) - 1, ord(found[2]) - ord("a")
    level = int(found[4] or 0) - 1
    if not (0 <= row < height and column < width and level < stacking):
        raise BadRecord(f"move {text!r}: no such hex or level on this board")
    planes = {
        "place": 0,
        "attack": 6 * stacking + 1,
        "with": 6 * stacking + 2 + level,
        "fight": 7 * stacking + 2,
        "stay": 7 * stacking + 3 + level,
        "hold": 8 * stacking + 3 + level,
    }
    if verb == "move" and found[5] in DIRECTIONS and level >= 0:
        plane = 1 + DIRECTIONS.index(found[5]) * stacking + level
    elif verb in planes and (verb in _ONE_HEX) == (level < 0) and found[5] is None:
        plane = planes[verb]
    else:
        raise BadRecord(f"move {text!r}: write e.g. 'place c4', 'move c4/1 NE' or 'fight d4'")
    return plane * height * width + row * width + column


def stack_of(s: Any, cell: int) -> list[int]:
    """Return the units of a hex, from the bottom up."""
    units = []
    link = int(s["stack"][cell])
    while link > 0:
        units.append(link - 1)
        link = int(s["above"][link - 1])
    return units


def unit_letter(s: Any, unit: int) -> str:
    """Return the letter of a unit's kind; capital for player 1, small for player 2."""
    letter = chr(int(s["kind_letters"][int(s["kind"][unit])]))
    return letter if unit < UNITS else letter.lower()


def terrain_letter(s: Any, cell: int) -> str:
    return chr(int(s["terrain_letters"][int(s["ground"][cell]) & 7]))


def goal_owner(s: Any, cell: int) -> int:
    """Return the seat whose victory hex this is, or -1."""
    for seat in range(2):
        if cell in s["goals"][seat, : int(s["goal_count"][seat])]:
            return seat
    return -1


def format_state(s: Any) -> str:
    """Draw the map, each row as two lines (odd columns are lower), then each player's units."""
    height, width = int(s["height"]), int(s["width"])
    size = max(4, 3 + int(s["stacking"]))
    header = "".join(f"{chr(ord('a') + column):<{size}}" for column in range(width))
    lines = ["   " + header.rstrip()]
    for row in range(height):
        for odd in range(2):
            cells = [
                _cell_text(s, row * width + column) if column % 2 == odd else ""
                for column in range(width)
            ]
            label = f"{row + 1:>2} " if odd == 0 else "   "
            lines.append((label + "".join(f"{text:<{size}}" for text in cells)).rstrip())
    return "\n".join([*lines, _situation(s), *(_units_text(s, seat) for seat in range(2))])


def _cell_text(s: Any, cell: int) -> str:
    """Return terrain (dot for plains), victory hex of player 1 * or 2 +, and the units."""
    terrain = terrain_letter(s, cell)
    mark = ("", "*", "+")[goal_owner(s, cell) + 1]
    units = "".join(unit_letter(s, unit) for unit in stack_of(s, cell))
    return ("." if terrain == "P" else terrain) + mark + units


def _situation(s: Any) -> str:
    turn = f"turn {int(s['turn'])} of {int(s['turns'])}"
    if s["seat"] == OVER:
        return f"{turn}, over"
    text = f"{turn}, player {int(s['seat']) + 1}: {PHASES[int(s['phase'])]}"
    if s["arriving"] != NOBODY:
        text += f", next {unit_letter(s, int(s['arriving']))}"
    if s["target"] != NOWHERE:
        text += f", target {hex_name(s, int(s['target']))}"
    return text


def _units_text(s: Any, seat: int) -> str:
    parts = []
    first = seat * UNITS
    for unit in range(first, first + int(s["count"][seat])):
        status = int(s["status"][unit])
        if status == DEAD:
            continue
        if status == AWAY:
            parts.append(f"{unit_letter(s, unit)} due on turn {int(s['turn_due'][unit])}")
            continue
        cell = int(s["cell"][unit])
        level = stack_of(s, cell).index(unit) + 1
        where = f"{hex_name(s, cell)}/{level}"
        parts.append(f"{unit_letter(s, unit)} {where} {STATUSES[status]} {int(s['points'][unit])}")
    return f"player {seat + 1}: {', '.join(parts) or 'no units'}"
