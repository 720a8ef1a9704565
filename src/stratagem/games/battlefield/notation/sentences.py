"""Describes a ply of Battlefield, agent by agent: `Agent A moves south, B shoots east (hits a)`."""

from typing import Any

from stratagem.core.game import as_batch
from stratagem.core.seats import OVER
from stratagem.core.sentences import joined
from stratagem.games.battlefield.actions import FIRST_SHOT, SHIFT
from stratagem.games.battlefield.board import shot_victim
from stratagem.games.battlefield.notation.codes import LETTERS, digits
from stratagem.games.battlefield.state import GONE

_DIRECTIONS = ("north", "east", "south", "west")


def describe(s: Any, action: int, after: Any) -> str:
    seat = int(s["seat"])
    parts = _orders(s, seat, digits(s, action))
    text = f"Agent {', '.join(parts)}"
    return text if after is None else text + _aftermath(s, after, seat)


def _orders(s: Any, seat: int, orders: list[int]) -> list[str]:
    """Describe what each agent does, in order, on a copy of the position."""
    board = as_batch(s)[0]
    parts = []
    for agent, order in enumerate(orders):
        name = LETTERS[seat][agent]
        if board["cells"][seat, agent] == GONE:
            continue
        if order >= FIRST_SHOT:
            parts.append(f"{name} {_shot(board, seat, agent, order - FIRST_SHOT)}")
        elif order:
            board["cells"][seat, agent] += SHIFT[order]
            parts.append(f"{name} moves {_DIRECTIONS[order - 1]}")
        else:
            parts.append(f"{name} waits")
    return parts


def _shot(board: Any, seat: int, agent: int, direction: int) -> str:
    victim = int(shot_victim(board, seat, agent, direction))
    text = f"shoots {_DIRECTIONS[direction]}"
    if victim < 0:
        return f"{text} (misses)"
    other = 1 - seat
    left = max(0, int(board["health"][other, victim]) - int(board["damage"]))
    board["health"][other, victim] = left
    if left == 0:
        board["cells"][other, victim] = GONE
    return f"{text} ({'hits' if left else 'kills'} {LETTERS[other][victim]})"


def _aftermath(s: Any, after: Any, seat: int) -> str:
    """Describe changes of the zone and the goal, and the end."""
    parts = []
    if after["margin"] > s["margin"]:
        parts.append("the safe zone shrinks")
    lost = [
        LETTERS[side][agent]
        for side in range(2)
        for agent in range(int(s["team_size"]))
        if s["cells"][side, agent] != GONE and after["cells"][side, agent] == GONE
        and (side == seat or after["margin"] > s["margin"])
    ]  # fmt: skip
    if lost:
        parts.append(f"{joined(lost)} {'dies' if len(lost) == 1 else 'die'} outside the zone")
    held, needed = int(after["streak"][seat]), int(s["hold_turns"])
    if held > s["streak"][seat]:
        parts.append(f"goal held {held} of {needed} turns")
    if after["seat"] == OVER:
        winner = int(after["winner"])
        parts.append(f"{{{winner}}} {{win}}" if winner >= 0 else "nobody is left: a draw")
    return "".join(f"; {part}" for part in parts)
