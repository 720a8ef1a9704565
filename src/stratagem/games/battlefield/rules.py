"""Battlefield: the position and the rules of a ply.

Two teams move in turn. A ply is one joint action: a digit of 0 to 8 for each agent, written in
base 9 with agent 0 first. Agents act one after the other in that order, each in the position
left by those before. docs/games/battlefield.md says what the paper leaves open.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.battlefield.board import (
    DIRECTIONS,
    GONE,
    STRIDE,
    TEAM,
    cell_of,
    has_agents,
    holds_goal,
    inside,
    shot_end,
    shot_victim,
    walled,
    which,
)

PAST = 4  # earlier positions kept for the history planes
MAX_SHRINK_EVERY = 20
WINDOW = 2 * MAX_SHRINK_EVERY  # plies between two shrinks, the longest path without a break
TERMS = ("health", "centre", "goal", "border", "threat", "cohesion", "focus")

DTYPE = np.dtype(
    [
        ("weights", "f4", len(TERMS)),  # of the shaping terms, in the order of TERMS
        ("clip", "f4"),  # bound of the shaping potential
        ("walls", "u2", 16),  # bit c of word r: an obstacle, or not on the board
        ("ply", "u2"),  # plies played
        ("damage_ply", "u2"),  # value of `ply` after the last loss of health, 0 if none
        ("seat", "i1"),  # who moves next, or OVER
        ("winner", "i1"),  # -1: nobody (yet)
        ("height", "u1"),
        ("width", "u1"),
        ("team_size", "u1"),
        ("max_health", "u1"),
        ("max_ammo", "u1"),
        ("shot_range", "u1"),
        ("damage", "u1"),  # health lost by a hit
        ("hold_turns", "u1"),  # own plies in a row on the goal that win
        ("shrink_every", "u1"),  # rounds (two plies) between shrinks
        ("margin", "u1"),  # rows and columns lost on each side of the board
        ("cells", "u1", (2, TEAM)),  # [seat, agent] row * 16 + column, or GONE
        ("health", "u1", (2, TEAM)),
        ("ammo", "u1", (2, TEAM)),
        ("streak", "u1", 2),  # own plies in a row that ended with an agent on the goal
        ("past_cells", "u1", (PAST, 2, TEAM)),  # position of ply p in slot p % PAST
        ("past_health", "u1", (PAST, 2, TEAM)),
        ("past_ammo", "u1", (PAST, 2, TEAM)),
        ("past_streak", "u1", (PAST, 2)),
        ("path", "u1", WINDOW),  # joint moves in base 5 since the last irreversible ply
        ("path_length", "u1"),
        ("repeated", "u1"),  # 1: the same agents stood on the same cells before, same seat to move
    ]
)

SCENARIO = np.dtype(
    [
        ("height", "u1"),
        ("width", "u1"),
        ("team_size", "u1"),
        ("obstacles", "u1"),
        ("health", "u1"),
        ("ammo", "u1"),
        ("shot_range", "u1"),
        ("damage", "u1"),
        ("hold_turns", "u1"),
        ("shrink_every", "u1"),
        ("weights", "f4", len(TERMS)),
        ("clip", "f4"),
    ]
)

# Digits of an action: 0 waits, 1-4 move and 5-8 shoot north, east, south, west.
DIGITS = 9
FIRST_SHOT = 5
_PLACES = np.array([[a // 81, a // 9 % 9, a % 9] for a in range(DIGITS**TEAM)], np.int64)
_SHIFT = np.array([0, -STRIDE, 1, STRIDE, -1, 0, 0, 0, 0], np.int64)  # cell change per digit
_SCALE = np.array([[0, 0, 0], [1, 0, 0], [9, 1, 0], [81, 9, 1]], np.int64)  # [team size, agent]
_FIVES = np.array([1, 5, 25], np.int64)


def _net_shift(code: int) -> int:
    """The cell changes of a joint move, one 14-bit field per agent.

    Rows count 64, so that sums over a whole window are zero only if every agent is back.
    """
    field = (0, -64, 1, 64, -1)
    return sum(field[code // 5**agent % 5] << (14 * agent) for agent in range(TEAM))


_NET_SHIFT = np.array([_net_shift(code) for code in range(5**TEAM)], np.int64)


@kernel
def digit_of(s, action, agent):
    """What one agent does in a joint action."""
    return _PLACES[action, TEAM - np.int64(s["team_size"]) + agent]


@kernel
def near(cell, target):
    """The digit that moves from a cell to its neighbour, as a bit; 0 if they are no neighbours."""
    change = target - cell
    if change == -STRIDE:
        return 2
    if change == 1:
        return 4
    if change == STRIDE:
        return 8
    if change == -1:
        return 16
    return 0


@kernel
def choices(s, seat, agent):
    """Bit per digit that the ground, the enemies and the ammunition allow this agent."""
    cell = cell_of(s, seat, agent)
    if cell == GONE:
        return 1
    bits = 1
    for direction in range(4):
        if not walled(s, cell + DIRECTIONS[direction]):
            bits |= 2 << direction
    for foe in range(TEAM):
        bits &= ~near(cell, cell_of(s, 1 - seat, foe))
    if s["ammo"][seat, agent] > 0:
        bits |= 480
    return bits


@kernel
def legal(s, out):
    """Agent by agent: a cell is free if nobody stands there once the agents before have acted."""
    seat = np.int64(s["seat"])
    own_a = cell_of(s, seat, 0)
    own_b = cell_of(s, seat, 1)
    own_c = cell_of(s, seat, 2)
    bits_a = choices(s, seat, 0) & ~near(own_a, own_b) & ~near(own_a, own_c)
    bits_b = choices(s, seat, 1) & ~near(own_b, own_c)
    bits_c = choices(s, seat, 2)
    scale_a = _SCALE[s["team_size"], 0]
    scale_b = _SCALE[s["team_size"], 1]
    may_vacate = enemy_beside(s, seat, 1) or enemy_beside(s, seat, 2)
    count = 0
    for first in range(DIGITS):
        if (bits_a >> first) & 1 == 0:
            continue
        now_a = own_a + _SHIFT[first]
        hit = -1
        fallen = GONE
        if may_vacate and first >= FIRST_SHOT:
            hit = shot_victim(s, seat, 0, first - FIRST_SHOT)
            if hit >= 0 and s["health"][1 - seat, hit] <= s["damage"]:
                fallen = cell_of(s, 1 - seat, hit)
        free_b = (bits_b | near(own_b, fallen)) & ~near(own_b, now_a)
        for second in range(DIGITS):
            if (free_b >> second) & 1 == 0:
                continue
            base = first * scale_a + second * scale_b
            if own_c == GONE:
                out[count] = base
                count += 1
            else:
                count = _legal_third(
                    s, seat, second, now_a, hit, fallen, may_vacate, bits_c, base, out, count
                )
    return count


@kernel
def _legal_third(s, seat, second, now_a, hit, fallen, may_vacate, bits_c, base, out, count):
    """Append the actions of agent 2, the first two agents having acted."""
    own_b = cell_of(s, seat, 1)
    own_c = cell_of(s, seat, 2)
    now_b = own_b + _SHIFT[second]
    also_fallen = GONE
    if may_vacate and second >= FIRST_SHOT:
        also_fallen = _second_kill(s, seat, second - FIRST_SHOT, now_a, hit, fallen)
    free_c = bits_c | near(own_c, fallen) | near(own_c, also_fallen)
    free_c &= ~near(own_c, now_a) & ~near(own_c, now_b)
    for third in range(DIGITS):
        if (free_c >> third) & 1 != 0:
            out[count] = base + third
            count += 1
    return count


@kernel
def _second_kill(s, seat, direction, now_a, hit, fallen):
    """The cell of the enemy that agent 1 kills after agent 0 has acted, or GONE."""
    other = 1 - seat
    foe_a = cell_of(s, other, 0)
    foe_b = cell_of(s, other, 1)
    foe_c = cell_of(s, other, 2)
    if fallen != GONE:
        foe_a = GONE if foe_a == fallen else foe_a
        foe_b = GONE if foe_b == fallen else foe_b
        foe_c = GONE if foe_c == fallen else foe_c
    own_c = cell_of(s, seat, 2)
    end = shot_end(s, cell_of(s, seat, 1), direction, now_a, own_c, foe_a, foe_b, foe_c)
    victim = which(end, foe_a, foe_b, foe_c)
    if victim < 0:
        return GONE
    hits = 2 if victim == hit else 1
    return end if np.int64(s["health"][other, victim]) <= hits * np.int64(s["damage"]) else GONE


@kernel
def enemy_beside(s, seat, agent):
    """Could a kill by a teammate open a cell for this agent?"""
    cell = cell_of(s, seat, agent)
    if cell == GONE:
        return False
    for foe in range(TEAM):
        if near(cell, cell_of(s, 1 - seat, foe)) != 0:
            return True
    return False


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
    """Keep the dynamic part of this position for the history planes."""
    slot = s["ply"] % PAST
    for seat in range(2):
        for agent in range(s["team_size"]):
            s["past_cells"][slot, seat, agent] = s["cells"][seat, agent]
            s["past_health"][slot, seat, agent] = s["health"][seat, agent]
            s["past_ammo"][slot, seat, agent] = s["ammo"][seat, agent]
        s["past_streak"][slot, seat] = s["streak"][seat]


@kernel
def act(s, seat, action):
    """Carry out a joint action; its moves in base 5, or -1 if a shot made it irreversible."""
    code = 0
    for agent in range(s["team_size"]):
        digit = digit_of(s, action, agent)
        if digit >= FIRST_SHOT:
            shoot(s, seat, agent, digit - FIRST_SHOT)
            code = -1
        elif digit > 0:
            s["cells"][seat, agent] = cell_of(s, seat, agent) + _SHIFT[digit]
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
    """Kill the agents of a team that stand outside the safe zone; was there one?"""
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
    """End the game if a team, or both, have nobody left."""
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
    """The safe zone loses a ring; whoever stood on it dies, both teams at once."""
    s["margin"] += 1
    for seat in range(2):
        if bury_outside(s, seat) and not holds_goal(s, seat):
            s["streak"][seat] = 0
    settle(s)


@kernel
def follow_path(s, code):
    """Note a ply of mere moves, or forget the path; is this position one of the path?

    Without shots, deaths and shrinks only the agents' cells change, so the position was there
    before exactly if the moves since then cancel out for each agent.
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
