"""Exact values of Connect Four positions by alpha-beta with bitboards, for every board size.

The value of a position is what its mover can force. Its sign is the result: win, draw or loss. Its
size says how soon: one more than the number of discs that the winner has left after the last move,
so a sooner win is worth more and a later loss costs less.

A search keeps two bitboards (state.py has the layout): the mover's discs and all discs. Moves that
lose at once are never searched, moves that threaten more cells come first, and proven bounds are
stored by position and mirror image. A value is found by asking "is it above x?" until one number is
left, because such questions are cheaper than the value itself.
"""

import functools
from typing import Any

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.solution import Solution
from stratagem.games.connect_four.board import line_gaps

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # an odd number whose multiples spread over 64 bits
_TABLE_BITS = 22  # 4 million positions, 40 MB
_MIRRORED_PLIES = 14  # afterwards mirror images are too rare to be worth checking
FULL, WORSE, HOLDS, BEST = range(4)  # grades: no move, loses the result, keeps it, soonest

# Numbers of the board used by every function below.
BOARD = np.dtype(
    [
        ("rows", "i8"),
        ("columns", "i8"),
        ("connect", "i8"),
        ("cells", "i8"),
        ("bottom", "u8"),  # the lowest cell of each column
        ("playable", "u8"),  # all cells
        ("table_shift", "u8"),  # from 64 bits to the slot of a position
        ("outwards", "u8", 8),  # each column's cells, from the middle to the edges
    ]
)


class Solver:
    """Solves positions of one board; proofs about one position help with the next."""

    def __init__(self, rows: int, columns: int, connect: int, table_bits: int = _TABLE_BITS):
        bottom = sum(1 << column * (rows + 1) for column in range(columns))
        playable = bottom * ((1 << rows) - 1)
        outwards = np.zeros(8, np.uint64)
        by_distance = sorted(range(columns), key=lambda column: abs(2 * column - (columns - 1)))
        outwards[:columns] = [((1 << rows) - 1) << column * (rows + 1) for column in by_distance]
        sizes = (rows, columns, connect, rows * columns)
        self._board = np.zeros(1, BOARD)
        self._board[0] = (*sizes, bottom, playable, 64 - table_bits, outwards)
        self._memory = (
            np.zeros(1 << table_bits, np.uint64),  # keys of positions
            np.zeros(1 << table_bits, np.int16),  # what was proved about them
            # [plies, columns] moves waiting at each depth, and their sort keys
            np.zeros((rows * columns + 1, columns), np.uint64),
            np.zeros((rows * columns + 1, columns), np.int64),
        )
        self._grades = np.zeros(columns, np.int8)

    def solve(self, state: Any) -> Solution:
        """Solve a position that is not over: its value, and what its moves do to it."""
        seat = int(state["seat"])
        mine, other = state["discs"][seat], state["discs"][1 - seat]
        board, grades = self._board[0], self._grades
        value = grade_moves(board, self._memory, mine, mine | other, int(state["ply"]), grades)
        return Solution(
            value=int(value),
            best=tuple(np.flatnonzero(grades == BEST).tolist()),
            holding=tuple(np.flatnonzero(grades >= HOLDS).tolist()),
        )


@functools.cache
def solver_of(rows: int, columns: int, connect: int) -> Solver:
    return Solver(rows, columns, connect)


def solve_state(s: Any) -> Solution:
    """Return what the mover of a position can force, and which moves do."""
    return solver_of(int(s["rows"]), int(s["columns"]), int(s["connect"])).solve(s)


@kernel
def grade_moves(board, memory, mine, mask, ply, grades):
    """Return the position's value; grades [columns] int8: BEST, HOLDS, WORSE or FULL."""
    value = solve(board, memory, mine, mask, ply)
    wins = winning_cells(board, mine, mask)
    height = np.uint64(board["rows"] + 1)
    for column in range(board["columns"]):
        cells = ((_ONE << height) - _ONE) << (height * np.uint64(column))
        move = (mask + board["bottom"]) & board["playable"] & cells
        if move == _ZERO:
            grades[column] = FULL
        elif move & wins != _ZERO:
            grades[column] = BEST
        elif reaches(board, memory, mask ^ mine, mask | move, ply + 1, value):
            grades[column] = BEST
        elif value < 0 or reaches(board, memory, mask ^ mine, mask | move, ply + 1, min(value, 1)):
            grades[column] = HOLDS
        else:
            grades[column] = WORSE
    return value


@kernel
def reaches(board, memory, other, mask, ply, value):
    """Whether a position with `other` to move is worth at least `value` to the side that moved."""
    if ply == board["cells"]:
        return value <= 0
    if winning_cells(board, other, mask) & (mask + board["bottom"]) != _ZERO:
        return -win_at(board, ply + 1) >= value
    return not above(board, memory, other, mask, ply, -value)


@kernel
def solve(board, memory, mine, mask, ply):
    """Return the value of a position in which nobody has won yet."""
    if ply == board["cells"]:
        return 0
    possible = (mask + board["bottom"]) & board["playable"]
    if winning_cells(board, mine, mask) & possible != _ZERO:
        return win_at(board, ply + 1)
    low = -win_at(board, ply + 2)
    high = win_at(board, ply + 3) if ply + 3 <= board["cells"] else 0
    while low < high:
        # Ask near zero first: who wins is a separate question, and its answer halves the rest.
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        if above(board, memory, mine, mask, ply, middle):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def win_at(board, ply):
    """Return the value of winning with the disc that makes it `ply` discs."""
    return (board["cells"] + 2 - ply) // 2


@kernel
def above(board, memory, mine, mask, ply, bar):
    """Whether the mover, who cannot win with this disc, can force a value above `bar`."""
    moves = safe_moves(board, mine, mask)
    if moves == _ZERO:
        return -win_at(board, ply + 2) > bar
    if ply >= board["cells"] - 2:
        return 0 > bar
    # Nobody wins with the next two discs, so values outside these bounds are impossible.
    if -win_at(board, ply + 4) > bar:
        return True
    if win_at(board, ply + 3) <= bar:
        return False
    keys, bounds, waiting, order = memory
    key = key_of(board, mine, mask, ply)
    slot = np.int64((key * _SPREAD) >> board["table_shift"])
    if keys[slot] == key:
        # An entry holds the largest bar that is exceeded and the smallest that is not, a byte each.
        passed, failed = np.int64(bounds[slot]) >> 8, np.int64(bounds[slot]) & 255
        if passed - 64 >= bar:
            return True
        if failed - 64 <= bar:
            return False
    else:
        passed, failed = 0, 127
    count = sort_moves(board, mine, mask, moves, waiting[ply], order[ply])
    found = False
    for k in range(count):
        # Above the bar for me means: not above the negated bar, minus one, for the other side.
        if not above(board, memory, mask ^ mine, mask | waiting[ply, k], ply + 1, -bar - 1):
            found = True
            break
    if found:
        passed = bar + 64
    else:
        failed = bar + 64
    keys[slot] = key
    bounds[slot] = (passed << 8) | failed
    return found


@kernel
def key_of(board, mine, mask, ply):
    """Return a number unique to this position, never zero; early positions share their mirror's."""
    key = mine + mask + board["bottom"]
    if ply > _MIRRORED_PLIES:
        return key
    height = np.uint64(board["rows"] + 1)
    part = (_ONE << height) - _ONE
    rest, mirrored = key, _ZERO
    for _ in range(board["columns"]):
        mirrored = (mirrored << height) | (rest & part)
        rest >>= height
    return min(key, mirrored)


@kernel
def safe_moves(board, mine, mask):
    """Return the moves after which the other side cannot win with its next disc."""
    threats = winning_cells(board, mask ^ mine, mask)
    moves = (mask + board["bottom"]) & board["playable"]
    forced = moves & threats
    if forced != _ZERO:
        if forced & (forced - _ONE) != _ZERO:
            return _ZERO  # two cells to stop, one disc
        moves = forced
    return moves & ~(threats >> _ONE)  # never directly below a cell where the other side wins


@kernel
def sort_moves(board, mine, mask, moves, waiting, order):
    """Sort moves by cells threatened, then nearness to the middle; return their number."""
    count = 0
    for rank in range(board["columns"]):
        move = moves & board["outwards"][rank]
        if move == _ZERO:
            continue
        threats = count_bits(winning_cells(board, mine | move, mask | move))
        place = count
        while place > 0 and order[place - 1] < threats:
            order[place] = order[place - 1]
            waiting[place] = waiting[place - 1]
            place -= 1
        order[place] = threats
        waiting[place] = move
        count += 1
    return count


@kernel
def count_bits(bits):
    """Count the set bits of a 64-bit word: in pairs, then fours, then bytes."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    fours = np.uint64(0x3333333333333333)
    bits = (bits & fours) + ((bits >> np.uint64(2)) & fours)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def winning_cells(board, discs, mask):
    """Return empty cells, reachable or not, that would complete a line of these discs."""
    return line_gaps(discs, board["rows"], board["connect"]) & board["playable"] & ~mask
