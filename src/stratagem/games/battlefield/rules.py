"""The rules of a Battlefield ply.

Two teams move in turn. A ply is one joint action: a digit of 0 to 8 for each agent, written in base
9 with agent 0 first. Agents act one after another in that order, each in the position left by the
earlier ones. docs/games/battlefield.md says what the paper leaves open.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.battlefield.actions import FIRST_SHOT, SHIFT, digit_of
from stratagem.games.battlefield.board import (
    cell_of,
    has_agents,
    holds_goal,
    inside,
    shot_victim,
)
from stratagem.games.battlefield.state import GONE, PAST, TEAM

_FIVES = np.array([1, 5, 25], np.int64)


def _net_shift(code: int) -> int:
    """Return the cell changes of a joint move, one 14-bit field per agent.

    Rows count 64, so that sums over a whole window are zero only if every agent is back.
    """
    field = (0, -64, 1, 64, -1)
    return sum(field[code // 5**agent % 5] << (14 * agent) for agent in range(TEAM))


_NET_SHIFT = np.array([_net_shift(code) for code in range(5**TEAM)], np.int64)


@kernel
def step(s, action):
    seat = np.int64(s["seat"])
    other = 1 - seat
    remember(s)
    s["ply"] += 1
    code = act(s, seat, action)
    if bury_outside(s, seat):
        code = -1
    s["streak"][seat] = s["streak"][seat] + 1 if holds_goal(s, seat) else 0
    if s["streak"][other] > 0 and not holds_goal(s, other):
        s["streak"][other] = 0
    s["seat"] = other
    if s["streak"][seat] >= s["hold_turns"]:
        s["winner"] = seat
        s["seat"] = OVER
    elif not settle(s) and s["ply"] % (2 * np.int64(s["shrink_every"])) == 0:
        shrink(s)
        code = -1
    follow_path(s, code)


@kernel
def remember(s):
    """Store the dynamic part of this position for the history planes."""
    slot = s["ply"] % PAST
    for seat in range(2):
        for agent in range(s["team_size"]):
            s["past_cells"][slot, seat, agent] = s["cells"][seat, agent]
            s["past_health"][slot, seat, agent] = s["health"][seat, agent]
            s["past_ammo"][slot, seat, agent] = s["ammo"][seat, agent]
        s["past_streak"][slot, seat] = s["streak"][seat]


@kernel
def act(s, seat, action):
    """Play a joint action; return its moves in base 5, or -1 if a shot made it irreversible."""
    code = 0
    for agent in range(s["team_size"]):
        digit = digit_of(s, action, agent)
        if digit >= FIRST_SHOT:
            shoot(s, seat, agent, digit - FIRST_SHOT)
            code = -1
        elif digit > 0:
            s["cells"][seat, agent] = cell_of(s, seat, agent) + SHIFT[digit]
            if code >= 0:
                code += digit * _FIVES[agent]
    return code


@kernel
def shoot(s, seat, agent, direction):
    s["ammo"][seat, agent] -= 1
    victim = shot_victim(s, seat, agent, direction)
    if victim >= 0:
        s["damage_ply"] = s["ply"]
        left = np.int64(s["health"][1 - seat, victim]) - np.int64(s["damage"])
        if left > 0:
            s["health"][1 - seat, victim] = left
        else:
            bury(s, 1 - seat, victim)


@kernel
def bury(s, seat, agent):
    s["cells"][seat, agent] = GONE
    s["health"][seat, agent] = 0
    s["ammo"][seat, agent] = 0


@kernel
def bury_outside(s, seat):
    """Kill a team's agents outside the safe zone; return whether there was one."""
    found = False
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell != GONE and not inside(s, cell):
            bury(s, seat, agent)
            s["damage_ply"] = s["ply"]
            found = True
    return found


@kernel
def settle(s):
    """End the game if a team, or both, have no agents left."""
    alive_0 = has_agents(s, 0)
    alive_1 = has_agents(s, 1)
    if alive_0 and alive_1:
        return False
    if alive_0 or alive_1:
        s["winner"] = 0 if alive_0 else 1
    s["seat"] = OVER
    return True


@kernel
def shrink(s):
    """Shrink the safe zone by a ring; agents on it die, both teams at once."""
    s["margin"] += 1
    for seat in range(2):
        if bury_outside(s, seat) and not holds_goal(s, seat):
            s["streak"][seat] = 0
    settle(s)


@kernel
def follow_path(s, code):
    """Add a ply of plain moves to the path, or reset it; return whether the position is a repeat.

    Without shots, deaths and shrinks only the agents' cells change, so the position is a repeat
    exactly if the moves since then cancel out for each agent.
    """
    length = np.int64(s["path_length"])
    s["repeated"] = 0
    if code < 0:
        for k in range(length):
            s["path"][k] = 0
        s["path_length"] = 0
        return
    s["path"][length] = code
    s["path_length"] = length + 1
    mover = 0
    waiter = 0
    for back in range(length, 0, -2):
        mover += _NET_SHIFT[s["path"][back]]
        waiter += _NET_SHIFT[s["path"][back - 1]]
        if mover == 0 and waiter == 0:
            s["repeated"] = 1
            return


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
