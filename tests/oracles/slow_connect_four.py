"""A slow, obvious twin of Connect Four: a grid of letters, looked at cell by cell."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SlowConnectFour:
    """Columns are strings of X and O, bottom first."""

    def __init__(self, rows=6, columns=7, connect=4):
        self.rows = rows
        self.connect = connect
        self.columns = [""] * columns
        self.ply = 0
        self.winner = None

    def copy(self):
        twin = SlowConnectFour(self.rows, len(self.columns), self.connect)
        twin.columns, twin.ply, twin.winner = list(self.columns), self.ply, self.winner
        return twin

    @property
    def key(self):
        return "|".join(self.columns)

    @property
    def over(self):
        return self.winner is not None or self.ply == self.rows * len(self.columns)

    def legal(self):
        if self.over:
            return []
        return [c for c, stack in enumerate(self.columns) if len(stack) < self.rows]

    def drop(self, column):
        mark = "XO"[self.ply % 2]
        self.columns[column] += mark
        self.ply += 1
        row = len(self.columns[column]) - 1
        if any(
            self._length(row, column, direction, mark) >= self.connect for direction in DIRECTIONS
        ):
            self.winner = "XO".index(mark)

    def returns(self):
        if self.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    def _at(self, row, column):
        inside = 0 <= column < len(self.columns) and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else "."

    def _length(self, row, column, direction, mark):
        length = 1
        for sign in (1, -1):
            reach = 1
            while (
                self._at(row + sign * reach * direction[0], column + sign * reach * direction[1])
                == mark
            ):
                reach += 1
            length += reach - 1
        return length


def layers(depth):
    """(leaf count, distinct positions) of the usual board at plies 1 to `depth`."""
    current = {"": (SlowConnectFour(), 1)}
    for _ in range(depth):
        following = {}
        for game, paths in current.values():
            for column in game.legal():
                child = game.copy()
                child.drop(column)
                kept, before = following.get(child.key, (child, 0))
                following[child.key] = (kept, before + paths)
        current = following
        yield sum(paths for _, paths in current.values()), len(current)
