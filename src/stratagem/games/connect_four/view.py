"""Connect Four as a drawing: a frame with holes, discs, and the line that won."""

from typing import Any

from stratagem.core.scene import Scene, Shape, block
from stratagem.games.connect_four.notation import cell

_TOP = 0.6  # room for the numbers of the columns
_RIM = 0.12  # of the frame, all around
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def view(s: Any) -> Scene:
    rows, columns = int(s["rows"]), int(s["columns"])
    shapes = [Shape("polygon", block(0, _TOP - _RIM, columns + 2 * _RIM, rows + 2 * _RIM), "frame")]
    for column in range(columns):
        key = f"column:{column}"
        shapes.append(
            Shape(
                "label",
                ((_RIM + column + 0.5, _TOP / 2 - 0.06),),
                "label",
                str(column + 1),
                size=0.32,
                key=key,
            )
        )
        shapes.append(Shape("polygon", block(_RIM + column, _TOP, 1.0, rows), "frame", key=key))
        shapes += [_hole(rows, row, column) for row in range(rows)]
        shapes += [
            disc
            for row in range(rows)
            if cell(s, row, column) >= 0
            for disc in _disc(rows, row, column, cell(s, row, column))
        ]
    shapes += [_winning(rows, line) for line in winning_lines(s)]
    return Scene(columns + 2 * _RIM, rows + _TOP + _RIM, tuple(shapes), (("status", _status(s)),))


def touches(s: Any, action: int) -> tuple[str, ...]:
    return (f"column:{action}",)


def _centre(rows: int, row: int, column: int) -> tuple[float, float]:
    return (_RIM + column + 0.5, _TOP + rows - 1 - row + 0.5)


def _hole(rows: int, row: int, column: int) -> Shape:
    middle = _centre(rows, row, column)
    return Shape("disc", (middle,), "hole", radius=0.41, key=f"column:{column}")


def _disc(rows: int, row: int, column: int, owner: int) -> list[Shape]:
    """Draw a disc and its mark: a ring for the first player, a dot for the second."""
    middle, key = (_centre(rows, row, column),), f"disc:{column},{row}"
    tip = f"disc of player {owner + 1}, column {column + 1}, row {row + 1}"
    disc = Shape("disc", middle, f"seat{owner}", radius=0.4, key=key, tip=tip, layer="pieces")
    if owner == 0:
        edge = Shape("disc", middle, "seat0-mark", radius=0.24, key=key, layer="pieces")
        inside = Shape("disc", middle, "seat0", radius=0.2, width=0.001, key=key, layer="pieces")
        return [disc, edge, inside]
    return [disc, Shape("disc", middle, "seat1-mark", radius=0.1, key=key, layer="pieces")]


def winning_lines(s: Any) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return both ends, as (row, column), of every line that is long enough."""
    rows, columns, length = int(s["rows"]), int(s["columns"]), int(s["connect"])
    found = []
    for row in range(rows):
        for column in range(columns):
            owner = cell(s, row, column)
            for up, right in _DIRECTIONS:
                last = (row + up * (length - 1), column + right * (length - 1))
                if owner < 0 or not (last[0] < rows and 0 <= last[1] < columns):
                    continue
                if all(cell(s, row + up * k, column + right * k) == owner for k in range(length)):
                    found.append(((row, column), last))
    return found


def _winning(rows: int, line: tuple[tuple[int, int], tuple[int, int]]) -> Shape:
    return Shape("line", tuple(_centre(rows, *end) for end in line), "win", layer="hints")


def _status(s: Any) -> str:
    if s["seat"] >= 0:
        return f"player {int(s['seat']) + 1} to move"
    return "draw" if s["winner"] < 0 else f"player {int(s['winner']) + 1} won"
