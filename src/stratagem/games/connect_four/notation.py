"""Connect Four in text: a move is its column's number, counted from 1."""

from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.game import Notation
from stratagem.core.seats import OVER

SIGNS = ".XO"  # an empty cell, seat 0, seat 1


def format_action(s: Any, action: int) -> str:
    return str(action + 1)


def parse_action(s: Any, text: str) -> int:
    columns = int(s["columns"])
    if not text.strip().isdecimal() or not 1 <= int(text) <= columns:
        raise BadRecord(f"move {text!r}: write a column from 1 to {columns}")
    return int(text) - 1


def cell(s: Any, row: int, column: int) -> int:
    """Return the seat whose disc is there (row 0 is the bottom), or -1."""
    bit = column * (int(s["rows"]) + 1) + row
    for seat in range(2):
        if int(s["discs"][seat]) >> bit & 1:
            return seat
    return -1


def format_state(s: Any) -> str:
    rows = range(int(s["rows"]) - 1, -1, -1)
    columns = range(int(s["columns"]))
    lines = [" ".join(SIGNS[cell(s, row, column) + 1] for column in columns) for row in rows]
    return "\n".join([*lines, " ".join(str(column + 1) for column in columns)])


def describe(s: Any, action: int, after: Any) -> str:
    """Say where the disc falls, and whether that ends the game."""
    row = int(s["height"][action]) + 1
    text = f"{{drop}} a disc into column {action + 1}, row {row}"
    if after is None or after["seat"] != OVER:
        return text
    return f"{text}, and {{win}}" if after["winner"] >= 0 else f"{text}: the board is full, a draw"


NOTATION = Notation(format_action, parse_action, format_state, describe)
