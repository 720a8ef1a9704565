"""The symmetry of Connect Four: left and right can be swapped."""

import numpy as np

from stratagem.core.compile import kernel

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


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
