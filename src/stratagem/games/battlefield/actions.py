"""Joint actions of Battlefield: their digits, and which of them are legal.

An action is a number in base 9, with a digit of 0 to 8 for each agent, agent 0 first. Agents act
one after another, so what a later agent may do depends on the earlier ones: they leave and enter
cells, and enemies that they kill free a cell too.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ActionSpec
from stratagem.games.battlefield.board import (
    DIRECTIONS,
    STRIDE,
    cell_of,
    shot_end,
    shot_victim,
    walled,
    which,
)
from stratagem.games.battlefield.state import GONE, TEAM

# Digits of an action: 0 waits, 1-4 move and 5-8 shoot north, east, south, west.
DIGITS = 9
FIRST_SHOT = 5
_PLACES = np.array([[a // 81, a // 9 % 9, a % 9] for a in range(DIGITS**TEAM)], np.int64)
SHIFT = np.array([0, -STRIDE, 1, STRIDE, -1, 0, 0, 0, 0], np.int64)  # cell change per digit
_SCALE = np.array([[0, 0, 0], [1, 0, 0], [9, 1, 0], [81, 9, 1]], np.int64)  # [team size, agent]


def spec(scenario):
    return ActionSpec(DIGITS**scenario.team_size, parts=(DIGITS,) * scenario.team_size)


@kernel
def digit_of(s, action, agent):
    """Return what one agent does in a joint action."""
    return _PLACES[action, TEAM - np.int64(s["team_size"]) + agent]


@kernel
def near(cell, target):
    """Return the bit of the digit that moves from a cell to its neighbour; 0 if not adjacent."""
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
    """Return a bit per digit that the ground, the enemies and the ammunition allow this agent."""
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
    """List legal actions agent by agent: earlier agents may have freed or taken cells."""
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
        now_a = own_a + SHIFT[first]
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
                continue
            also_fallen = GONE
            if may_vacate and second >= FIRST_SHOT:
                also_fallen = _second_kill(s, seat, second - FIRST_SHOT, now_a, hit, fallen)
            free_c = bits_c | near(own_c, fallen) | near(own_c, also_fallen)
            free_c &= ~near(own_c, now_a) & ~near(own_c, own_b + SHIFT[second])
            count = _append_thirds(free_c, base, out, count)
    return count


@kernel
def _append_thirds(free, base, out, count):
    """Append a joint action for each digit that agent 2 may choose; return the new count."""
    for third in range(DIGITS):
        if (free >> third) & 1 != 0:
            out[count] = base + third
            count += 1
    return count


@kernel
def _second_kill(s, seat, direction, now_a, hit, fallen):
    """Return the cell of the enemy that agent 1 kills after agent 0 has acted, or GONE."""
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
    """Whether a kill by a teammate could free a cell for this agent."""
    cell = cell_of(s, seat, agent)
    if cell == GONE:
        return False
    for foe in range(TEAM):
        if near(cell, cell_of(s, 1 - seat, foe)) != 0:
            return True
    return False
