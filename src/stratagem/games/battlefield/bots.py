"""Scripted players: `goal-rush` runs for the centre and shoots what it sees; `scripted` also keeps
out of lines of fire, leaves the rim before it shrinks away and concentrates fire on one enemy.

Both rate every digit of every agent, then every legal joint action as the sum plus what only the
combination shows (shots at an enemy that is already dead). Ties are broken by the random stream.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below
from stratagem.games.battlefield.actions import DIGITS, FIRST_SHOT, digit_of
from stratagem.games.battlefield.board import (
    DIRECTIONS,
    cell_of,
    goal_distance,
    inside,
    shot_end,
    shot_victim,
    walled,
    which,
)
from stratagem.games.battlefield.state import GONE, TEAM

_FAR = 99.0  # farther than any path on the board
_HIT = 10.0
_KILL = 6.0
_WASTE = 15.0  # lost by a shot that hits nobody: more than a hit is worth
_DEATH = 40.0


@kernel
def goal_rush(s, ids, count, word):
    return best_action(s, ids, count, word, False)


@kernel
def scripted(s, ids, count, word):
    return best_action(s, ids, count, word, True)


@kernel
def best_action(s, ids, count, word, careful):
    """Return the legal action with the highest rating; ties are broken at random."""
    values = np.zeros((TEAM, DIGITS), np.float64)
    victims = np.full((TEAM, DIGITS), -1, np.int64)
    rate_digits(s, careful, values, victims)
    best = -1.0e9
    ties = 0
    chosen = ids[0]
    for k in range(count):
        value = rate_shots(s, ids[k], careful, victims)
        for agent in range(s["team_size"]):
            value += values[agent, digit_of(s, ids[k], agent)]
        if value > best + 1e-9:
            best = value
            ties = 0
        if value > best - 1e-9:
            ties += 1
            word = advance(word)
            if below(word, ties) == 0:
                chosen = ids[k]
    return chosen


@kernel
def rate_digits(s, careful, values, victims):
    """Fill in the worth of each agent's digits, and whom its shots would hit."""
    seat = np.int64(s["seat"])
    steps = steps_to_goal(s)
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell == GONE:
            continue
        for digit in range(DIGITS):
            target = cell
            if 0 < digit < FIRST_SHOT:
                target = cell + DIRECTIONS[digit - 1]
                if walled(s, target):
                    continue
            elif digit >= FIRST_SHOT:
                victims[agent, digit] = shot_victim(s, seat, agent, digit - FIRST_SHOT)
            values[agent, digit] = rate_cell(s, seat, agent, target, steps[target], careful)


@kernel
def rate_cell(s, seat, agent, cell, steps, careful):
    """Rate ending the ply on a cell: near the goal, in the zone and, if careful, out of sight."""
    value = -steps
    if not inside(s, cell):
        return value - _DEATH
    if careful:
        if shrinks_before_next_turn(s) and on_rim(s, cell):
            value -= _DEATH
        enemies = enemies_in_sight(s, seat, agent, cell)
        fragile = s["health"][seat, agent] <= enemies * np.int64(s["damage"])
        value -= enemies * 0.75
        if fragile and enemies > 0:
            value -= 2.5
        if goal_distance(s, cell) == 0:
            value += 2.0
    return value


@kernel
def rate_shots(s, action, careful, victims):
    """Rate the hits of a joint action; hitting an enemy that is already dead is a waste."""
    other = 1 - np.int64(s["seat"])
    value = 0.0
    fired = 0
    landed = 0
    for agent in range(s["team_size"]):
        if digit_of(s, action, agent) >= FIRST_SHOT:
            fired += 1
    for foe in range(s["team_size"]):
        left = np.int64(s["health"][other, foe])
        for agent in range(s["team_size"]):
            if victims[agent, digit_of(s, action, agent)] == foe and left > 0:
                left -= np.int64(s["damage"])
                landed += 1
                value += _HIT
                if left <= 0:
                    value += _KILL
                if careful and goal_distance(s, cell_of(s, other, foe)) == 0:
                    value += 2.0
        if careful and left == 1 and left < s["health"][other, foe]:
            value += 1.0  # one enemy nearly dead is better than two slightly hurt
    return value - _WASTE * (fired - landed)


@kernel
def steps_to_goal(s):
    """Return steps from every cell to the goal around obstacles, ignoring agents, in the zone."""
    steps = np.full(256, _FAR, np.float64)
    queue = np.empty(256, np.int64)
    tail = 0
    for row in range(s["height"]):
        for column in range(s["width"]):
            cell = np.int64(row * 16 + column)
            if goal_distance(s, cell) == 0:
                steps[cell] = 0.0
                queue[tail] = cell
                tail += 1
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            ahead = cell + DIRECTIONS[direction]
            if not walled(s, ahead) and inside(s, ahead) and steps[ahead] == _FAR:
                steps[ahead] = steps[cell] + 1.0
                queue[tail] = ahead
                tail += 1
    return steps


@kernel
def shrinks_before_next_turn(s):
    """Whether the zone will lose a ring before this seat moves again."""
    every = 2 * np.int64(s["shrink_every"])
    return every - np.int64(s["ply"]) % every <= 2


@kernel
def on_rim(s, cell):
    """Whether this cell is in the ring that the next shrink takes."""
    row = cell >> 4
    column = cell & 15
    rings = min(row, column, np.int64(s["height"]) - 1 - row, np.int64(s["width"]) - 1 - column)
    return rings <= np.int64(s["margin"])


@kernel
def enemies_in_sight(s, seat, agent, cell):
    """Count the enemies with ammunition that could hit this agent on this cell."""
    other = 1 - seat
    foe_a = cell_of(s, other, 0)
    foe_b = cell_of(s, other, 1)
    foe_c = cell_of(s, other, 2)
    friend_a = cell_of(s, seat, (agent + 1) % TEAM)
    friend_b = cell_of(s, seat, (agent + 2) % TEAM)
    count = 0
    for direction in range(4):
        end = shot_end(s, cell, direction, friend_a, friend_b, foe_a, foe_b, foe_c)
        foe = which(end, foe_a, foe_b, foe_c)
        if foe >= 0 and s["ammo"][other, foe] > 0:
            count += 1
    return count
