"""What can be forced within a few plies of Connect Four, by looking at all of them."""

from oracles.slow_connect_four import SlowConnectFour


def forced(position, plies):
    """For the side to move: 1 it wins within so many plies, -1 it loses within them, else 0."""
    if position.over:
        return 0 if position.winner is None else -1
    if plies == 0:
        return 0
    best = -1
    for column in position.legal():
        best = max(best, -forced(_after(position, column), plies - 1))
        if best == 1:
            break
    return best


def best_columns(moves, plies):
    """(what can be forced, every column that does it); moves are columns counted from 1."""
    position = SlowConnectFour()
    for column in moves:
        position.drop(int(column) - 1)
    results = {c: -forced(_after(position, c), plies - 1) for c in position.legal()}
    best = max(results.values())
    return best, {column for column, result in results.items() if result == best}


def _after(position, column):
    after = position.copy()
    after.drop(column)
    return after
