"""The rules of Connect Four: drop a disc into a column; four in a row win."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def reset(s, scenario, seed):
    s["rows"] = scenario["rows"]
    s["columns"] = scenario["columns"]
    s["connect"] = scenario["connect"]
    s["winner"] = -1


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
    """Whether there is a line of `connect` set bits: vertical, horizontal or diagonal."""
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
