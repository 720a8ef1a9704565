"""The scripted player: guards its victory hexes, attacks what it can beat, and arrives in time.

Only the end counts, so a unit that still has time to reach a victory hex spends it fighting. Each
unit in turn goes where it is worth most: the fastest ones must arrive in time, the others stay
between the enemy and their own victory hexes. Attacks are made if they win, or trade well. Looks
one turn ahead; uses no dice.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hexwar.actions import (
    ATTACKERS,
    MOVE,
    MOVE_PLANE,
    PLACE_PLANE,
    TARGET,
    attacker_plane,
    confirm_plane,
    no_fight_plane,
    no_move_plane,
    target_plane,
)
from stratagem.games.hexwar.board import (
    area_of,
    first_with,
    hexes_between,
    holder,
    level_of,
    neighbour,
    stat,
    terrain_of,
    unit_at,
)
from stratagem.games.hexwar.bots.path_costs import FAR, costs_to, reach_from
from stratagem.games.hexwar.rules import strongest_defender
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    DEAD,
    DEFENCE,
    GOALS,
    HEXES,
    HUNDRED,
    MOVED,
    MOVEMENT,
    READY,
    UNITS,
)

# Values, in points of attack and defence.
_LATE = 3.0  # a runner that is too late, and for each movement point that it lacks
_SHORT = 0.5
_AHEAD = 0.05  # for each movement point that a runner is still away
_LEASH = 0.3  # for each movement point that a guard is away from its own victory hexes
_ON_GUARD = 0.5  # standing on one
_THERE = 6.0  # standing on an enemy victory hex when the game ends
_EFFORT = 0.001  # prefers the nearer of two equally good hexes
_RISK = 0.4  # share of a unit's value, where the enemy can attack it
_EAGER = 0.25  # willingness to trade evenly
_SAVED = 6.0  # an enemy driven from an own victory hex


@kernel
def scripted(s, ids, count, word):
    if count == 1:
        return ids[0]
    if s["phase"] == MOVE:
        return march(s)
    if s["phase"] == TARGET:
        return pick_target(s)
    if s["phase"] == ATTACKERS:
        return pick_attacker(s, ids, count)
    return pick_arrival(s, ids, count)


# -- rating a position ---------------------------------------------------------------------------


@kernel
def worth(s, unit):
    return np.float64(stat(s, unit, ATTACK) + stat(s, unit, DEFENCE))


@kernel
def strike(s, unit, cell):
    """Return the strength of a unit that attacks from a hex, in hundredths."""
    return stat(s, unit, ATTACK) * np.int64(s["attack_mods"][terrain_of(s, cell)])


@kernel
def defence_of(s, cell, extra):
    """Return the strength of a hex under attack with this much extra defence, in hundredths."""
    total = extra
    link = np.int64(s["stack"][cell])
    while link > 0:
        total += stat(s, link - 1, DEFENCE)
        link = np.int64(s["above"][link - 1])
    return total * np.int64(s["defence_mods"][terrain_of(s, cell)])


@kernel
def is_goal(s, owner, cell):
    for k in range(s["goal_count"][owner]):
        if s["goals"][owner, k] == cell:
            return True
    return False


@kernel
def on_board(s, unit):
    return s["status"][unit] != AWAY and s["status"][unit] != DEAD


@kernel
def costs_home(s, seat):
    """[HEXES] movement points from each hex to a seat's nearest own victory hex."""
    return costs_to(s, s["goals"][seat], s["goal_count"][seat])


@kernel
def costs_to_goals(s, unit):
    """[HEXES] the same to victory hexes that this unit can still take; FAR if there are none.

    Those that friends hold do not count.
    """
    seat = unit // UNITS
    ends = np.empty(GOALS, np.int64)
    count = 0
    for k in range(s["goal_count"][1 - seat]):
        cell = np.int64(s["goals"][1 - seat, k])
        link = np.int64(s["stack"][cell])
        alone = link - 1 == unit and s["above"][unit] == 0
        if holder(s, cell) != seat or alone:
            ends[count] = cell
            count += 1
    return costs_to(s, ends, count)


@kernel
def menaces(s, seat):
    """[HEXES] the strength with which the other seat could attack each hex in its next turn."""
    found = np.zeros(HEXES, np.int64)
    seen_by = np.full(HEXES, -1, np.int64)
    price = np.empty(HEXES, np.int64)
    first_step = np.empty(HEXES, np.int64)
    reached = np.empty(HEXES, np.int64)
    other = 1 - seat
    for unit in range(other * UNITS, other * UNITS + np.int64(s["count"][other])):
        if not on_board(s, unit):
            continue
        start = np.int64(s["cell"][unit])
        limit = stat(s, unit, MOVEMENT)
        for k in range(reach_from(s, start, limit, -1, price, first_step, reached)):
            for direction in range(6):
                there = neighbour(s, reached[k], direction)
                if there >= 0 and seen_by[there] != unit:
                    seen_by[there] = unit
                    found[there] += stat(s, unit, ATTACK) * HUNDRED
    return found


@kernel
def threats(s, seat, home):
    """Count enemies that may reach this seat's victory hexes in time; `home`: path costs there."""
    found = 0
    other = 1 - seat
    later = np.int64(s["turns"]) - np.int64(s["turn"]) + (1 if seat == 0 else 0)
    for unit in range(other * UNITS, other * UNITS + np.int64(s["count"][other])):
        if s["status"][unit] == AWAY:
            found += 1
        elif s["status"][unit] != DEAD:
            if home[s["cell"][unit]] <= later * stat(s, unit, MOVEMENT):
                found += 1
    return found


@kernel
def time_left(s, unit, costs):
    """Return the movement points that a unit has to spare on its way to a victory hex."""
    later = np.int64(s["turns"]) - np.int64(s["turn"])
    points = np.int64(s["points"][unit]) if s["status"][unit] == READY else 0
    return later * stat(s, unit, MOVEMENT) + points - costs[s["cell"][unit]]


@kernel
def is_runner(s, unit, costs):
    """Whether a unit has the most time to spare, among as many units as goals remain."""
    seat = unit // UNITS
    open_goals = 0
    for k in range(s["goal_count"][1 - seat]):
        cell = np.int64(s["goals"][1 - seat, k])
        if holder(s, cell) != seat or s["cell"][unit] == cell:
            open_goals += 1
    mine = time_left(s, unit, costs)
    better = 0
    for other in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if other == unit or not on_board(s, other):
            continue
        if is_goal(s, 1 - seat, s["cell"][other]):
            continue
        spare = time_left(s, other, costs)
        if spare > mine or (spare == mine and other < unit):
            better += 1
    return better < open_goals


# -- moving --------------------------------------------------------------------------------------


@kernel
def march(s):
    """Return the next step of the first ready unit towards the best hex it can reach now."""
    seat = np.int64(s["seat"])
    area = area_of(s)
    unit = first_with(s, seat, READY)
    start = np.int64(s["cell"][unit])
    level = level_of(s, unit)
    price = np.empty(HEXES, np.int64)
    first_step = np.empty(HEXES, np.int64)
    reached = np.empty(HEXES, np.int64)
    points = np.int64(s["points"][unit])
    count = reach_from(s, start, points, seat, price, first_step, reached)
    goals = costs_to_goals(s, unit)
    home = costs_home(s, seat)
    menace = menaces(s, seat)
    guarded = threats(s, seat, home) > 0
    runs = not guarded or is_runner(s, unit, goals)
    best = -1.0e18
    chosen = start
    for k in range(count):
        cell = reached[k]
        found = stand(s, unit, cell, runs, goals, home, menace) - _EFFORT * price[cell]
        if found > best:
            best = found
            chosen = cell
    if chosen == start:
        return (no_move_plane(s) + level) * area + start
    plane = MOVE_PLANE + first_step[chosen] * np.int64(s["stacking"]) + level
    return plane * area + start


@kernel
def stand(s, unit, cell, runs, goals, home, menace):
    """Rate a unit's ending its move on a hex."""
    later = np.int64(s["turns"]) - np.int64(s["turn"])
    value = 0.0
    if runs and goals[cell] < FAR:
        short = goals[cell] - later * stat(s, unit, MOVEMENT)
        if short > 0:
            value -= _LATE + _SHORT * short
        value -= _AHEAD * goals[cell]
    elif home[cell] < FAR:
        value -= _LEASH * home[cell]
        if home[cell] == 0:
            value += _ON_GUARD
    if later == 0 and goals[cell] == 0:
        value += _THERE
    value += best_strike(s, unit, cell)
    here = cell == s["cell"][unit]
    extra = 0 if here else stat(s, unit, DEFENCE)
    held = defence_of(s, cell, extra)
    if menace[cell] >= held:
        value -= _RISK * worth(s, unit) * (1.0 if menace[cell] > held else 0.5)
    return value


@kernel
def best_strike(s, unit, cell):
    """Return what attacks from a hex bring, including friends ready next to the target."""
    seat = unit // UNITS
    best = 0.0
    for direction in range(6):
        there = neighbour(s, cell, direction)
        if there < 0 or holder(s, there) != 1 - seat:
            continue
        total = strike(s, unit, cell) + friends_beside(s, there, unit)
        best = max(best, spoils(s, unit, there, total))
    return best


@kernel
def friends_beside(s, target, unit):
    """Return the strength of the other own units that are next to a hex, or may still get there."""
    seat = unit // UNITS
    total = force_beside(s, seat, target)[0]
    for other in range(seat * UNITS, seat * UNITS + np.int64(s["count"][seat])):
        if other != unit and s["status"][other] == READY:
            steps = hexes_between(s, np.int64(s["cell"][other]), target)
            if steps <= np.int64(s["points"][other]) + 1:
                total += stat(s, other, ATTACK) * HUNDRED
    return total


@kernel
def force_beside(s, seat, target):
    """Return (strength, the most valuable unit or -1) of those that may attack a hex."""
    total = 0
    finest = -1
    for direction in range(6):
        there = neighbour(s, target, direction)
        if there < 0 or holder(s, there) != seat:
            continue
        link = np.int64(s["stack"][there])
        while link > 0:
            if s["status"][link - 1] == MOVED:
                total += strike(s, link - 1, there)
                if finest < 0 or worth(s, link - 1) > worth(s, finest):
                    finest = link - 1
            link = np.int64(s["above"][link - 1])
    return total, finest


@kernel
def spoils(s, unit, target, total):
    """Return what an attack of this strength on a hex brings; negative: better not."""
    seat = unit // UNITS
    held = defence_of(s, target, 0)
    if total < held:
        return -1.0
    lost = worth(s, strongest_defender(s, target))
    gain = lost + (_SAVED if is_goal(s, seat, target) else 0.0)
    if total == held:
        gain -= worth(s, unit)
    return gain


# -- fighting ------------------------------------------------------------------------------------


@kernel
def pick_target(s):
    """Choose the best attack if it brings anything, else no-fight for the first unit."""
    seat = np.int64(s["seat"])
    area = area_of(s)
    first = first_with(s, seat, MOVED)
    best = 0.0
    chosen = -1
    for cell in range(area):
        if holder(s, cell) != 1 - seat:
            continue
        total, finest = force_beside(s, seat, cell)
        if finest < 0:
            continue
        gain = spoils(s, finest, cell, total) + _EAGER
        if gain > best:
            best = gain
            chosen = cell
    if chosen >= 0:
        return target_plane(s) * area + chosen
    return (no_fight_plane(s) + level_of(s, first)) * area + np.int64(s["cell"][first])


@kernel
def pick_attacker(s, ids, count):
    """Confirm as soon as the attack wins; until then add the strongest unit that can join."""
    area = area_of(s)
    total = 0
    for k in range(s["crew_size"]):
        unit = np.int64(s["crew"][k])
        total += strike(s, unit, np.int64(s["cell"][unit]))
    confirm = confirm_plane(s) * area + np.int64(s["target"])
    if s["crew_size"] > 0 and total > defence_of(s, np.int64(s["target"]), 0):
        return confirm
    best = -1
    chosen = confirm
    for k in range(count):
        if ids[k] == confirm:
            continue
        plane = ids[k] // area
        cell = ids[k] - plane * area
        force = strike(s, unit_at(s, cell, plane - attacker_plane(s)), cell)
        if force > best:
            best = force
            chosen = ids[k]
    return chosen


@kernel
def pick_arrival(s, ids, count):
    """Place units: in set-up on guard, later where paths to both sides' victory hexes are short."""
    seat = np.int64(s["seat"])
    home = costs_home(s, seat)
    goals = costs_home(s, 1 - seat)
    best = 1.0e18
    chosen = ids[0]
    for k in range(count):
        cell = ids[k] - PLACE_PLANE * area_of(s)
        found = np.float64(home[cell])
        if s["turn"] > 0:
            found = 0.5 * found + goals[cell]
        if found < best:
            best = found
            chosen = ids[k]
    return chosen
