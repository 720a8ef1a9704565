"""The game's heuristic for searches without a network: it looks ahead within the turn.

A trade is worth what it pays for, which is one or two moves away. So the best moves are followed by
the best moves after them, as long as the same seat continues in the same turn; a move is worth the
best position that it can lead to. Dice and drawn cards are not expanded, so nothing is sampled.
Values are those of `learned.py`.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.actions import ACTIONS, ALL_ACTIONS, ALL_LEGAL, END_TURN
from stratagem.games.catan.bots.learned import HAND_MADE_SHARE, NETWORK, outlook, score_moves
from stratagem.games.catan.rules.legal import legal
from stratagem.games.catan.rules.step import step
from stratagem.games.catan.state import DTYPE

_DEPTH = 3  # further moves
_WIDTH = 4  # moves followed up at each of them
_MARGIN = 1.5  # log-odds below the best within which moves are followed up
_ROOM = _DEPTH * _WIDTH + 1
_SHARPNESS = 10.0  # logits per log-odds
_NOTHING = -1.0e18


@kernel
def plan_moves(dealt, ids, count, seat, found):
    """found [count]: log-odds after each action, followed up to the end of the turn.

    `dealt` is an array of one position: its memory must outlive this call.
    """
    score_moves(dealt, ids, count, seat, NETWORK, HAND_MADE_SHARE, found)
    turn = dealt[0]["turn"]
    waiting = np.empty(_ROOM, DTYPE)  # positions in which the seat continues
    firsts = np.empty(_ROOM, np.int64)  # the action that each of them comes from
    depths = np.empty(_ROOM, np.int64)
    here = np.empty(1, DTYPE)
    options = np.empty(ALL_LEGAL, np.int32)
    values = np.empty(ALL_LEGAL, np.float64)
    order = np.argsort(-found[:count])
    least = found[order[0]] - _MARGIN
    size = 0
    for k in order[:_WIDTH]:
        if found[k] >= least and goes_on(dealt, ids[k], seat, turn, waiting[size : size + 1]):
            firsts[size] = k
            depths[size] = 1
            found[k] = _NOTHING
            size += 1
    while size > 0:
        size -= 1
        first = firsts[size]
        depth = depths[size]
        here[0] = waiting[size]
        number = legal(here[0], options)
        score_moves(here, options, number, seat, NETWORK, HAND_MADE_SHARE, values)
        order = np.argsort(-values[:number])
        least = values[order[0]] - _MARGIN
        for rank in range(number):
            k = order[rank]
            promising = depth < _DEPTH and rank < _WIDTH and values[k] >= least
            if promising and goes_on(here, options[k], seat, turn, waiting[size : size + 1]):
                firsts[size] = first
                depths[size] = depth + 1
                size += 1
            else:
                found[first] = max(found[first], values[k])


@kernel
def goes_on(before, action, seat, turn, after):
    """Whether the seat decides again in its turn, in position `after`. All are arrays of one."""
    if action == END_TURN:
        return False
    after[0] = before[0]
    step(after[0], action)
    return after[0]["seat"] == seat and after[0]["turn"] == turn


@kernel
def heuristic(s, seat, options, out):
    """Return logits of the legal actions, then a value for each seat."""
    seat = np.int64(seat)
    dealt = np.empty(1, DTYPE)
    ids = np.empty(ALL_LEGAL, np.int32)
    found = np.empty(ALL_LEGAL, np.float64)
    dealt[0] = s
    count = legal(dealt[0], ids)
    if count > 1:
        plan_moves(dealt, ids, count, seat, found)
        for k in range(count):
            out[ids[k]] = _SHARPNESS * found[k]
    players = np.int64(s["players"])
    value = np.tanh(0.5 * outlook(s, seat, NETWORK))
    actions = ACTIONS if s["offers"] == 0 else ALL_ACTIONS
    for other in range(players):
        out[actions + other] = value if other == seat else -value / (players - 1)
