"""Connect Four as a drawing: cells and discs."""

from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.games.connect_four.notation import cell


def view(s: Any) -> Scene:
    rows, columns = int(s["rows"]), int(s["columns"])
    shapes = []
    for row in range(rows):
        for column in range(columns):
            top = rows - 1 - row
            corners = ((column, top), (column + 1, top), (column + 1, top + 1), (column, top + 1))
            shapes.append(Shape("polygon", corners, "cell", key=f"column{column}"))
            owner = cell(s, row, column)
            if owner >= 0:
                shapes.append(
                    Shape("disc", ((column + 0.5, top + 0.5),), f"seat{owner}", radius=0.42)
                )
    return Scene(columns, rows, tuple(shapes))
