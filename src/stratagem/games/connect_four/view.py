"""Connect Four as a drawing: cells and discs."""

from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.games.connect_four.notation import SIGNS, cell


def view(s: Any) -> Scene:
    rows, columns = int(s["rows"]), int(s["columns"])
    shapes = []
    for row in range(rows):
        for column in range(columns):
            top = rows - 1 - row
            corners = ((column, top), (column + 1, top), (column + 1, top + 1), (column, top + 1))
            shapes.append(Shape("polygon", corners, "cell", key=f"column:{column}"))
            owner = cell(s, row, column)
            if owner >= 0:
                shapes.append(
                    Shape("disc", ((column + 0.5, top + 0.5),), f"seat{owner}", radius=0.42)
                )
    return Scene(columns, rows, tuple(shapes), (("status", _status(s)),))


def _status(s: Any) -> str:
    if s["seat"] >= 0:
        return f"{SIGNS[int(s['seat']) + 1]} to move"
    return "draw" if s["winner"] < 0 else f"{SIGNS[int(s['winner']) + 1]} won"


def touches(s: Any, action: int) -> tuple[str, ...]:
    return (f"column:{action}",)
