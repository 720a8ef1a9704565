"""The one symmetry of a hex board: left-right if its width is odd, else a half turn.

Odd columns are half a hex lower, so only these map the board onto itself. Seats keep their units,
turn order and goals; their home sides move with the map, which the state can represent.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hexwar.actions import MOVE_PLANE, target_plane
from stratagem.games.hexwar.board import area_of
from stratagem.games.hexwar.state import (
    GOALS,
    NOWHERE,
    UNITS,
)

_MIRRORED = np.array([0, 5, 4, 3, 2, 1], np.int64)  # N NE SE S SW NW, left and right swapped
_TURNED = np.array([3, 4, 5, 0, 1, 2], np.int64)  # by half a turn


@kernel
def symmetry(s, index, out):
    if index == 0:
        return
    width = np.int64(s["width"])
    for cell in range(area_of(s)):
        image = image_of(s, cell)
        out["ground"][image] = s["ground"][cell]
        out["stack"][image] = s["stack"][cell]
    for unit in range(2 * UNITS):
        if s["status"][unit] > 0 and s["cell"][unit] != NOWHERE:
            out["cell"][unit] = image_of(s, s["cell"][unit])
    for seat in range(2):
        for k in range(GOALS):
            if k < s["goal_count"][seat]:
                out["goals"][seat, k] = image_of(s, s["goals"][seat, k])
        out["home"][seat, 0] = width - np.int64(s["home"][seat, 1])
        out["home"][seat, 1] = width - np.int64(s["home"][seat, 0])
    if s["target"] != NOWHERE:
        out["target"] = image_of(s, s["target"])


@kernel
def symmetry_action(s, index, action):
    if index == 0:
        return action
    area = area_of(s)
    stacking = np.int64(s["stacking"])
    plane = action // area
    image = image_of(s, action - plane * area)
    if MOVE_PLANE <= plane < target_plane(s):
        offset = plane - MOVE_PLANE
        direction = offset // stacking
        turned = _MIRRORED[direction] if s["width"] % 2 == 1 else _TURNED[direction]
        plane = MOVE_PLANE + turned * stacking + offset - direction * stacking
    return plane * area + image


@kernel
def image_of(s, cell):
    width = np.int64(s["width"])
    if width % 2 == 0:
        return area_of(s) - 1 - np.int64(cell)
    row = np.int64(cell) // width
    return row * width + width - 1 - (np.int64(cell) - row * width)
