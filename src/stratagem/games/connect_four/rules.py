"""Connect Four: drop a disc into a column; four in a row win.

Both sides' discs are bitboards. A column takes `rows + 1` bits, bottom first; the extra bit stays
empty, so that shifting never carries a line from one column into the next.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who drops next, or OVER
        ("rows", "u1"),
        ("columns", "u1"),
        ("connect", "u1"),  # discs in a row that win
        ("ply", "u1"),  # discs on the board
        ("winner", "i1"),  # -1: nobody (yet)
        ("height", "u1", 8),  # discs in each column
        ("discs", "u8", 2),  # bitboard per seat
    ]
)

SCENARIO = np.dtype([("rows", "u1"), ("columns", "u1"), ("connect", "u1")])

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def reset(s, scenario, seed):
    s["rows"] = scenario["rows"]
    s["columns"] = scenario["columns"]
    s["connect"] = scenario["connect"]
    s["winner"] = -1


@kernel
def legal(s, out):
    count = 0
    for column in range(s["columns"]):
        if s["height"][column] < s["rows"]:
            out[count] = column
            count += 1
    return count


@kernel
def step(s, action):
    seat = s["seat"]
    row = s["height"][action]
    bit = np.uint64(action * (s["rows"] + 1) + row)
    s["discs"][seat] |= _ONE << bit
    s["height"][action] = row + 1
    s["ply"] += 1
    if has_line(s["discs"][seat], s["rows"], s["connect"]):
        s["winner"] = seat
        s["seat"] = OVER
    elif s["ply"] == s["rows"] * s["columns"]:
        s["seat"] = OVER
    else:
        s["seat"] = 1 - seat


@kernel
def has_line(discs, rows, connect):
    """Is there a line of `connect` set bits: vertical, horizontal or diagonal?"""
    for direction in range(4):
        shift = np.uint64(1)
        if direction > 0:
            shift = np.uint64(rows - 1 + direction)  # \ then - then /
        line = discs
        for _ in range(connect - 1):
            line &= line >> shift
            # Keeping only cells whose successor also continues shortens the line by one each time.
        if line != _ZERO:
            return True
    return False


@kernel
def returns(s, out):
    out[0] = 0.0
    out[1] = 0.0
    if s["winner"] >= 0:
        out[s["winner"]] = 1.0
        out[1 - s["winner"]] = -1.0


@kernel
def score(s, seat):
    if s["winner"] < 0:
        return 0.0
    return 1.0 if s["winner"] == seat else -1.0


@kernel
def symmetry(s, index, out):
    """Index 1 mirrors the board left to right."""
    if index == 0:
        return
    size = np.uint64(s["rows"] + 1)
    mask = (_ONE << size) - _ONE
    for seat in range(2):
        mirrored = _ZERO
        for column in range(s["columns"]):
            part = (s["discs"][seat] >> np.uint64(column * (s["rows"] + 1))) & mask
            target = np.uint64((s["columns"] - 1 - column) * (s["rows"] + 1))
            mirrored |= part << target
        out["discs"][seat] = mirrored
    for column in range(s["columns"]):
        out["height"][column] = s["height"][s["columns"] - 1 - column]


@kernel
def symmetry_action(s, index, action):
    return action if index == 0 else s["columns"] - 1 - action
