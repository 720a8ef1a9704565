"""Setting up Battlefield: teams on opposite rows, and obstacles that cut nothing off."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start
from stratagem.games.battlefield.board import STRIDE, goal_distance
from stratagem.games.battlefield.state import GONE, TEAM


@kernel
def reset(s, scenario, seed):
    s["winner"] = -1
    s["height"] = scenario["height"]
    s["width"] = scenario["width"]
    s["team_size"] = scenario["team_size"]
    s["max_health"] = scenario["health"]
    s["max_ammo"] = scenario["ammo"]
    s["shot_range"] = scenario["shot_range"]
    s["damage"] = scenario["damage"]
    s["hold_turns"] = scenario["hold_turns"]
    s["shrink_every"] = scenario["shrink_every"]
    for term in range(len(s["weights"])):
        s["weights"][term] = scenario["weights"][term]
    s["clip"] = scenario["clip"]
    word = place_teams(s, start(seed))
    fence(s)
    place_obstacles(s, np.int64(scenario["obstacles"]), word)


@kernel
def place_teams(s, word):
    """Place seat 0 on the top row and seat 1 on the bottom row, each agent on its own column."""
    width = np.int64(s["width"])
    for seat in range(2):
        row = 0 if seat == 0 else np.int64(s["height"]) - 1
        taken = 0
        for agent in range(TEAM):
            s["cells"][seat, agent] = GONE
            if agent >= s["team_size"]:
                continue
            word = advance(word)
            skip = below(word, width - agent)  # free columns to skip
            column = 0
            while skip > 0 or (taken >> column) & 1 != 0:
                if (taken >> column) & 1 == 0:
                    skip -= 1
                column += 1
            taken |= 1 << column
            s["cells"][seat, agent] = row * STRIDE + column
            s["health"][seat, agent] = s["max_health"]
            s["ammo"][seat, agent] = s["max_ammo"]
    return word


@kernel
def fence(s):
    """Mark every cell off the board as a wall."""
    beyond = 0xFFFF & ~((1 << np.int64(s["width"])) - 1)
    for row in range(16):
        s["walls"][row] = beyond if row < s["height"] else 0xFFFF


@kernel
def place_obstacles(s, wanted, word):
    """Go through the free cells in random order, and keep every obstacle that cuts nothing off."""
    height = np.int64(s["height"])
    width = np.int64(s["width"])
    order = np.arange(height * width)
    reached = np.empty(16, np.int64)
    placed = 0
    for k in range(len(order)):
        if placed == wanted:
            return
        word = advance(word)
        pick = k + below(word, len(order) - k)
        chosen = order[pick]
        order[pick] = order[k]
        cell = chosen // width * STRIDE + chosen % width
        if goal_distance(s, cell) == 0 or is_occupied(s, cell):
            continue
        row = cell >> 4
        before = np.int64(s["walls"][row])
        s["walls"][row] = before | (1 << (cell & 15))
        if is_connected(s, reached):
            placed += 1
        else:
            s["walls"][row] = before


@kernel
def is_occupied(s, cell):
    for seat in range(2):
        for agent in range(TEAM):
            if s["cells"][seat, agent] == cell:
                return True
    return False


@kernel
def is_connected(s, reached):
    """Whether every free cell can be reached from the goal. Floods all rows as bit masks."""
    height = np.int64(s["height"])
    for row in range(16):
        reached[row] = 0
    reached[height // 2] = 1 << (np.int64(s["width"]) // 2)
    grew = True
    while grew:
        grew = False
        for row in range(height):
            bits = reached[row]
            bits |= (bits << 1) | (bits >> 1)
            if row > 0:
                bits |= reached[row - 1]
            bits |= reached[row + 1]
            bits &= 0xFFFF & ~np.int64(s["walls"][row])
            if bits != reached[row]:
                reached[row] = bits
                grew = True
    for row in range(height):
        if reached[row] != (0xFFFF & ~np.int64(s["walls"][row])):
            return False
    return True
