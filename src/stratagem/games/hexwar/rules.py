"""The rules of hexwar: the phases of a turn, combat and victory.

Every decision is one atomic action; phases end by themselves. The game is deterministic: only maps
and victory hexes can be random, and they are drawn in set-up.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.hexwar.actions import (
    ATTACKERS,
    MOVE,
    MOVE_PLANE,
    REINFORCE,
    TARGET,
    attacker_plane,
    confirm_plane,
    no_fight_plane,
    no_move_plane,
    target_plane,
)
from stratagem.games.hexwar.board import (
    area_of,
    arrives_at,
    can_afford_a_step,
    entry_cost,
    first_with,
    goals_held,
    has_room,
    meets_enemy,
    neighbour,
    put_on,
    stat,
    take_off,
    terrain_of,
    unit_at,
)
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    CHOSEN,
    DEAD,
    DEFENCE,
    FOUGHT,
    MOVED,
    MOVEMENT,
    NOBODY,
    NOWHERE,
    READY,
    UNITS,
)


@kernel
def step(s, action):
    area = area_of(s)
    plane = action // area
    cell = action - plane * area
    phase = s["phase"]
    if phase == REINFORCE:
        place(s, np.int64(s["arriving"]), cell)
    elif phase == MOVE:
        move_or_stay(s, plane, cell)
    elif phase == TARGET:
        if plane == target_plane(s):
            s["target"] = cell
            s["phase"] = ATTACKERS
        else:
            s["status"][unit_at(s, cell, plane - no_fight_plane(s))] = FOUGHT
    elif plane == confirm_plane(s):
        resolve_combat(s)
    else:
        join_attack(s, unit_at(s, cell, plane - attacker_plane(s)))
    settle(s)


@kernel
def place(s, unit, cell):
    put_on(s, unit, cell)
    s["status"][unit] = READY
    s["points"][unit] = stat(s, unit, MOVEMENT)


@kernel
def move_or_stay(s, plane, cell):
    """Take one step, or stay. A unit done moving may attack only if an enemy is adjacent."""
    level = plane - no_move_plane(s)
    if level >= 0:
        unit = unit_at(s, cell, level)
    else:
        offset = plane - MOVE_PLANE
        direction = offset // np.int64(s["stacking"])
        unit = unit_at(s, cell, offset - direction * np.int64(s["stacking"]))
        there = neighbour(s, cell, direction)
        take_off(s, unit)
        put_on(s, unit, there)
        s["points"][unit] -= entry_cost(s, there)
        if can_afford_a_step(s, unit):
            return
    s["status"][unit] = MOVED if meets_enemy(s, unit) else FOUGHT


@kernel
def join_attack(s, unit):
    s["status"][unit] = CHOSEN
    s["crew"][s["crew_size"]] = unit
    s["crew_size"] += 1


@kernel
def resolve_combat(s):
    """Compare strengths; the weaker side loses its strongest unit, both do if equal."""
    target = np.int64(s["target"])
    attack = 0
    for k in range(s["crew_size"]):
        unit = np.int64(s["crew"][k])
        modifier = np.int64(s["attack_mods"][terrain_of(s, s["cell"][unit])])
        attack += stat(s, unit, ATTACK) * modifier
        s["status"][unit] = FOUGHT
    defence = 0
    link = np.int64(s["stack"][target])
    while link > 0:
        defence += stat(s, link - 1, DEFENCE)
        link = np.int64(s["above"][link - 1])
    defence *= np.int64(s["defence_mods"][terrain_of(s, target)])
    attacker = strongest_attacker(s)
    if attack >= defence:
        kill(s, strongest_defender(s, target))
    if attack <= defence:
        kill(s, attacker)
    for k in range(s["crew_size"]):
        s["crew"][k] = 0
    s["crew_size"] = 0
    s["target"] = NOWHERE
    s["phase"] = TARGET


@kernel
def strongest_attacker(s):
    """Return the strongest attacker by printed attack, defence, movement; ties: earliest chosen."""
    best = -1
    found = -1
    for k in range(s["crew_size"]):
        unit = np.int64(s["crew"][k])
        rank = (stat(s, unit, ATTACK) << 16) + (stat(s, unit, DEFENCE) << 8)
        rank += stat(s, unit, MOVEMENT)
        if rank > best:
            best = rank
            found = unit
    return found


@kernel
def strongest_defender(s, cell):
    """Return the strongest defender by printed defence, attack, movement; ties: lowest in stack."""
    best = -1
    found = -1
    link = np.int64(s["stack"][cell])
    while link > 0:
        unit = link - 1
        rank = (stat(s, unit, DEFENCE) << 16) + (stat(s, unit, ATTACK) << 8)
        rank += stat(s, unit, MOVEMENT)
        if rank > best:
            best = rank
            found = unit
        link = np.int64(s["above"][unit])
    return found


@kernel
def kill(s, unit):
    take_off(s, unit)
    s["status"][unit] = DEAD
    s["points"][unit] = 0


@kernel
def settle(s):
    """Skip every phase in which there is nothing to decide."""
    while s["seat"] != OVER:
        seat = np.int64(s["seat"])
        if s["phase"] == REINFORCE:
            unit = next_arrival(s, seat)
            s["arriving"] = unit if unit >= 0 else NOBODY
            if unit >= 0:
                return
            if s["turn"] > 0:
                s["phase"] = MOVE
            else:
                s["turn"] = seat  # turn 1 begins after seat 1's set-up
                s["seat"] = 1 - seat
        elif s["phase"] == MOVE:
            if first_with(s, seat, READY) >= 0:
                return
            s["phase"] = TARGET
        elif s["phase"] == TARGET:
            if first_with(s, seat, MOVED) >= 0:
                return
            end_player_turn(s, seat)
        else:
            return


@kernel
def next_arrival(s, seat):
    """Return the first scheduled unit that is due and has a free hex to arrive on, or -1.

    A unit without room waits for a later turn, and does not hold up those behind it.
    """
    for unit in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if s["turn_due"][unit] > s["turn"]:
            return -1
        if s["status"][unit] == AWAY and can_arrive(s, seat, unit):
            return unit
    return -1


@kernel
def can_arrive(s, seat, unit):
    for cell in range(area_of(s)):
        if arrives_at(s, unit, cell) and has_room(s, seat, cell):
            return True
    return False


@kernel
def end_player_turn(s, seat):
    s["phase"] = REINFORCE
    s["seat"] = 1 - seat
    if seat == 0:
        return
    if s["turn"] == s["turns"]:
        s["seat"] = OVER
        return
    s["turn"] += 1
    for side in range(2):
        for unit in range(side * UNITS, side * UNITS + np.int64(s["count"][side])):
            if s["status"][unit] != AWAY and s["status"][unit] != DEAD:
                s["status"][unit] = READY
                s["points"][unit] = stat(s, unit, MOVEMENT)


@kernel
def returns(s, out):
    """The larger share of occupied enemy victory hexes wins."""
    first = goals_held(s, 0) * np.int64(s["goal_count"][0])
    second = goals_held(s, 1) * np.int64(s["goal_count"][1])
    result = 0.0
    if first != second:
        result = 1.0 if first > second else -1.0
    out[0] = result
    out[1] = -result


@kernel
def score(s, seat):
    """Return the share of the other seat's victory hexes that this seat occupies."""
    return goals_held(s, seat) / np.float64(s["goal_count"][1 - seat])
