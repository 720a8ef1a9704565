"""Battlefield in text: one word per agent, in order, e.g. `N xE` (agent A north, B shoots east).

A word is `.` (wait), a direction N E S W (move), or x and a direction (shoot). In drawings the
agents of seat 0 are A B C and those of seat 1 are a b c.
"""

from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.games.battlefield.state import GONE

WORDS = (".", "N", "E", "S", "W", "xN", "xE", "xS", "xW")
LETTERS = ("ABC", "abc")


def digits(s: Any, action: int) -> list[int]:
    """Return what each agent of the team does, as digits 0 to 8."""
    size = int(s["team_size"])
    return [action // 9 ** (size - 1 - agent) % 9 for agent in range(size)]


def format_action(s: Any, action: int) -> str:
    return " ".join(WORDS[digit] for digit in digits(s, action))


def parse_action(s: Any, text: str) -> int:
    words = text.split()
    if len(words) != s["team_size"] or any(word not in WORDS for word in words):
        raise BadRecord(
            f"move {text!r}: write {s['team_size']} of {' '.join(WORDS)} with spaces between"
        )
    action = 0
    for word in words:
        action = action * 9 + WORDS.index(word)
    return action


def agent_at(s: Any, row: int, column: int) -> tuple[int, int] | None:
    """Return (seat, agent) of the living agent there."""
    for seat in range(2):
        for agent in range(int(s["team_size"])):
            if s["cells"][seat, agent] == row * 16 + column:
                return seat, agent
    return None


def ground(s: Any, row: int, column: int) -> str:
    """Return what is there: `wall`, `goal`, `outside` (of the safe zone) or `cell`."""
    height, width, margin = int(s["height"]), int(s["width"]), int(s["margin"])
    if int(s["walls"][row]) >> column & 1:
        return "wall"
    if min(row, column, height - 1 - row, width - 1 - column) < margin:
        return "outside"
    if (height - 1) // 2 <= row <= height // 2 and (width - 1) // 2 <= column <= width // 2:
        return "goal"
    return "cell"


def format_state(s: Any) -> str:
    """Draw the board (# obstacle, + goal, ~ outside the zone) and a line per team."""
    marks = {"wall": "#", "goal": "+", "outside": "~", "cell": "."}
    lines = []
    for row in range(int(s["height"])):
        here = []
        for column in range(int(s["width"])):
            who = agent_at(s, row, column)
            here.append(LETTERS[who[0]][who[1]] if who else marks[ground(s, row, column)])
        lines.append(" ".join(here))
    lines.append(f"ply {int(s['ply'])}, zone shrinks in {plies_to_shrink(s)}")
    return "\n".join([*lines, *(format_team(s, seat) for seat in range(2))])


def plies_to_shrink(s: Any) -> int:
    every = 2 * int(s["shrink_every"])
    return every - int(s["ply"]) % every


def format_team(s: Any, seat: int) -> str:
    """Write each agent's health and ammunition and the team's streak: `A 2hp 6am  B dead`."""
    parts = []
    for agent in range(int(s["team_size"])):
        health, ammo = int(s["health"][seat, agent]), int(s["ammo"][seat, agent])
        alive = s["cells"][seat, agent] != GONE
        state = f"health {health} ammo {ammo}" if alive else "dead"
        parts.append(f"{LETTERS[seat][agent]} {state}")
    return f"player {seat + 1}: {', '.join(parts)}, streak {int(s['streak'][seat])}"
