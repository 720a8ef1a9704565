"""The ground of Battlefield: cells, walls, safe zone, goal and lines of fire.

A cell is one number, row * 16 + column, so that a step in any direction is one addition, and a step
off a board of at most 15 columns always lands on a column outside the board.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.battlefield.state import GONE, TEAM

STRIDE = 16  # cells from one row to the next
DIRECTIONS = np.array([-STRIDE, 1, STRIDE, -1], np.int64)  # north, east, south, west


@kernel
def cell_of(s, seat, agent):
    return np.int64(s["cells"][seat, agent])


@kernel
def walled(s, cell):
    """Whether there is an obstacle here; true for every cell off the board."""
    wrapped = cell & 255
    return (np.int64(s["walls"][wrapped >> 4]) >> (wrapped & 15)) & 1 != 0


@kernel
def inside(s, cell):
    """Whether the cell is in the safe zone."""
    row = cell >> 4
    column = cell & 15
    margin = np.int64(s["margin"])
    return (
        row >= margin
        and column >= margin
        and row < np.int64(s["height"]) - margin
        and column < np.int64(s["width"]) - margin
    )


@kernel
def goal_distance(s, cell):
    """Return the steps to the nearest goal cell, ignoring obstacles; zero on the goal.

    The goal is the central cell, or the two or four central cells if a side is even.
    """
    row = cell >> 4
    column = cell & 15
    height = np.int64(s["height"])
    width = np.int64(s["width"])
    down = max((height - 1) // 2 - row, row - height // 2, 0)
    across = max((width - 1) // 2 - column, column - width // 2, 0)
    return down + across


@kernel
def distance(a, b):
    """Return the steps between two cells, ignoring obstacles."""
    return abs((a >> 4) - (b >> 4)) + abs((a & 15) - (b & 15))


@kernel
def holds_goal(s, seat):
    """Whether a living agent of this team is on the goal."""
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell != GONE and goal_distance(s, cell) == 0:
            return True
    return False


@kernel
def has_agents(s, seat):
    for agent in range(s["team_size"]):
        if s["cells"][seat, agent] != GONE:
            return True
    return False


@kernel
def shot_end(s, origin, direction, friend_a, friend_b, foe_a, foe_b, foe_c):
    """Return the cell where a shot stops: the first agent's cell, else the last cell it crosses.

    Walls and the edge of the safe zone stop a shot before it enters them. The agents are passed as
    cells, because some may have moved or died earlier in the ply.
    """
    cell = origin
    for _ in range(s["shot_range"]):
        ahead = cell + DIRECTIONS[direction]
        if walled(s, ahead) or not inside(s, ahead):
            return cell
        cell = ahead
        if cell == friend_a or cell == friend_b or cell == foe_a or cell == foe_b or cell == foe_c:
            return cell
    return cell


@kernel
def shot_victim(s, seat, agent, direction):
    """Return which enemy a shot would hit in this position, or -1."""
    other = 1 - seat
    foe_a = cell_of(s, other, 0)
    foe_b = cell_of(s, other, 1)
    foe_c = cell_of(s, other, 2)
    origin = cell_of(s, seat, agent)
    friend_a = cell_of(s, seat, (agent + 1) % TEAM)
    friend_b = cell_of(s, seat, (agent + 2) % TEAM)
    end = shot_end(s, origin, direction, friend_a, friend_b, foe_a, foe_b, foe_c)
    return which(end, foe_a, foe_b, foe_c)


@kernel
def which(cell, foe_a, foe_b, foe_c):
    """Return the index of the agent on this cell, or -1."""
    if cell == foe_a:
        return 0
    if cell == foe_b:
        return 1
    if cell == foe_c:
        return 2
    return -1


@kernel
def aims_at(s, seat, agent, foe):
    """Whether this agent could hit that enemy now."""
    if s["ammo"][seat, agent] == 0:  # the dead have none
        return False
    for direction in range(4):
        if shot_victim(s, seat, agent, direction) == foe:
            return True
    return False


@kernel
def crossfire(s, seat):
    """Return (enemies that somebody could hit, those that two or more could hit)."""
    reached = 0
    crossed = 0
    for foe in range(s["team_size"]):
        aiming = 0
        for agent in range(s["team_size"]):
            if aims_at(s, seat, agent, foe):
                aiming += 1
        if aiming > 0:
            reached += 1
        if aiming > 1:
            crossed += 1
    return reached, crossed


@kernel
def cover_of_holder(s, seat):
    """Return 1 if a teammate covers the agent on the goal, 0 if none does, -1 if nobody is there.

    A teammate covers it by being adjacent, or if the teammates together could hit every enemy who
    could hit the agent.
    """
    team = s["team_size"]
    for holder in range(team):
        cell = cell_of(s, seat, holder)
        if cell == GONE or goal_distance(s, cell) != 0:
            continue
        for mate in range(team):
            near = cell_of(s, seat, mate)
            if mate != holder and near != GONE and distance(cell, near) == 1:
                return 1
        threats = 0
        answered = 0
        for foe in range(team):
            if not aims_at(s, 1 - seat, foe, holder):
                continue
            threats += 1
            for mate in range(team):
                if mate != holder and aims_at(s, seat, mate, foe):
                    answered += 1
                    break
        return 1 if threats > 0 and answered == threats else 0
    return -1
