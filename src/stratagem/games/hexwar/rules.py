"""Hexwar: the position, the phases of a turn, combat and victory.

Every decision is one atomic action; phases end by themselves (spec 1.4). The game is
deterministic: only maps and victory hexes may be drawn, and that happens in set-up. Sections in
comments are those of the rules on docs/games/hexwar.md.
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
    ATTACK,
    AWAY,
    CHOSEN,
    CREW,
    DEAD,
    DEFENCE,
    FOUGHT,
    GOALS,
    HEXES,
    KINDS,
    MOVED,
    MOVEMENT,
    NOBODY,
    NOWHERE,
    READY,
    TERRAINS,
    UNITS,
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

# What a scenario fixes and a position carries along.
_CONSTANTS = [
    ("height", "u1"),
    ("width", "u1"),
    ("turns", "u1"),
    ("stacking", "u1"),  # most units of one seat on a hex
    ("attack_mods", "u2", TERRAINS),  # attacking from this terrain, in hundredths
    ("defence_mods", "u2", TERRAINS),  # defending in this terrain, in hundredths
    ("costs", "u1", TERRAINS),  # movement points to enter
    ("terrain_letters", "u1", TERRAINS),  # for texts and drawings only
    ("kinds", "u1", (KINDS, 3)),  # attack, defence, movement of each kind of unit
    ("kind_letters", "u1", KINDS),
    ("goal_count", "u1", 2),  # victory hexes of each seat; the other seat wants them
    ("goals", "u2", (2, GOALS)),
    ("home", "u1", (2, 2)),  # [seat] first column of its side, and the column after the last
    ("count", "u1", 2),  # units in each seat's schedule
    ("kind", "u1", 2 * UNITS),  # unit = seat * UNITS + place in the schedule
    ("turn_due", "u1", 2 * UNITS),  # turn of arrival, never falling within a seat; 0 is set-up
    ("zone", "u1", 2 * UNITS),  # 0: arrives on its own side, k: on a hex of zone k
    ("ground", "u1", HEXES),  # bits 0-2 terrain, bit 2 + k: hex of zone k
]

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who decides, or OVER
        ("phase", "u1"),  # REINFORCE, MOVE, TARGET or ATTACKERS
        ("turn", "u1"),  # 0 during set-up, then 1 to `turns`
        ("arriving", "u1"),  # the unit to be placed now, or NOBODY
        ("target", "u2"),  # the hex under attack, or NOWHERE
        ("crew_size", "u1"),
        ("crew", "u1", CREW),  # attackers in the order chosen
        *_CONSTANTS,
        ("status", "u1", 2 * UNITS),  # AWAY, READY, MOVED, FOUGHT, CHOSEN or DEAD
        ("points", "u1", 2 * UNITS),  # movement points left
        ("cell", "u2", 2 * UNITS),  # hex, or NOWHERE
        ("above", "u1", 2 * UNITS),  # 1 + the next unit up in its hex, 0 on top
        ("stack", "u1", HEXES),  # 1 + the lowest unit there, 0 if the hex is empty
    ]
)

SCENARIO = np.dtype(
    [
        *_CONSTANTS,
        ("random_ground", "u1"),  # 1: terrain is drawn hex by hex
        ("shares", "f8", TERRAINS),  # cumulative share of each terrain, for that
        ("random_goals", "u1", 2),  # 1: the victory hexes of a seat are drawn from its side
    ]
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
    """One step, or no-move. Who is done moving may attack only if an enemy is adjacent."""
    level = plane - no_move_plane(s)
    if level >= 0:
        unit = unit_at(s, cell, level)
    else:
        way = plane - MOVE_PLANE
        direction = way // np.int64(s["stacking"])
        unit = unit_at(s, cell, way - direction * np.int64(s["stacking"]))
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
    """Compare strengths; the weaker side loses its strongest unit, both do if equal (spec 1.5)."""
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
    """By printed attack, defence, movement; the earliest chosen of equals."""
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
    """By printed defence, attack, movement; the lowest in the stack of equals."""
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
    """Pass through every phase in which nobody has anything to decide."""
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
                s["turn"] = seat  # turn 1 begins once seat 1 has set up
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
    """The first unit in the schedule that is due and has a free hex to arrive on, or -1.

    One that finds no room waits for a later turn, and those behind it are not held up (spec 1.7).
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
    """The larger share of the other seat's victory hexes wins; physical occupation counts."""
    first = goals_held(s, 0) * np.int64(s["goal_count"][0])
    second = goals_held(s, 1) * np.int64(s["goal_count"][1])
    result = 0.0
    if first != second:
        result = 1.0 if first > second else -1.0
    out[0] = result
    out[1] = -result


@kernel
def score(s, seat):
    """Share of the other seat's victory hexes that this seat stands on."""
    return goals_held(s, seat) / np.float64(s["goal_count"][1 - seat])
