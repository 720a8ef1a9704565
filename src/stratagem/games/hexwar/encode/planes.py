"""Hexwar as planes over the board.

19S + 12(R + 1) planes with S the stacking limit and R = 3 upcoming reinforcements per player.
Positions are shown with player 1 first, whoever is to move, in raw values. With the option
`own_first` the observer comes first instead, so that a network has one game to learn and not two;
with `turns_left` one more plane says how many turns are left, which the share of turns played does
not tell if games differ in length.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.hexwar.board import (
    area_of,
    arrives_at,
    level_of,
    stat,
    terrain_of,
)
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    CHOSEN,
    DEAD,
    DEFENCE,
    FOUGHT,
    HUNDRED,
    MOVED,
    MOVEMENT,
    NOWHERE,
    READY,
    UNITS,
)

OPTIONS = {
    "own_first": 0,  # 1: the observer's planes come before the other player's
    "turns_left": 0,  # 1: a last plane with the number of turns after this one
}
UPCOMING = 3  # reinforcements shown per player: R of the paper
_GOALS = 3  # first plane of the victory hexes, after the terrain
_ARRIVALS = 5
_UNITS = _ARRIVALS + 2 * 6 * UPCOMING
_MANY_TURNS = 10.0  # counts as one in the plane of turns left

# Group of planes of each status: ready, moved, attacked. Chosen units have not attacked yet.
_GROUP = np.array([-1, 0, 1, 2, 1, -1], np.int64)
assert (AWAY, READY, MOVED, FOUGHT, CHOSEN, DEAD) == (0, 1, 2, 3, 4, 5)


def plane_groups(stacking):
    """Return (name, number of planes) of each part of the observation, in order."""
    return (
        ("terrain: attack modifier, defence modifier, entry cost", 3),
        ("victory hexes of player 1, of player 2", 2),
        ("reinforcements of player 1", 6 * UPCOMING),
        ("reinforcements of player 2", 6 * UPCOMING),
        ("units of player 1", 9 * stacking),
        ("units of player 2", 9 * stacking),
        ("target", 1),
        ("attackers", stacking),
        ("sub-phases", 4),
        ("turn", 1),
        ("player", 1),
    )


def spec(scenario, options):
    for name, value in options.items():
        if value not in (0, 1):
            raise BadSetting(f"encoding option {name}={value}: give 0 or 1")
    planes = sum(count for _, count in plane_groups(scenario.stacking)) + options["turns_left"]
    return ObservationSpec(
        (ObservationSlice("board", (planes, scenario.height, scenario.width), "planes"),)
    )


@kernel
def observe(s, seat, options, out):
    area = area_of(s)
    stacking = np.int64(s["stacking"])
    draw_terrain(s, area, out)
    first = np.int64(seat) if options[0] == 1 else 0
    for place in range(2):
        player = (place + first) % 2
        for k in range(s["goal_count"][player]):
            out[(_GOALS + place) * area + s["goals"][player, k]] = 1.0
        draw_arrivals(s, player, (_ARRIVALS + 6 * UPCOMING * place) * area, area, out)
        draw_units(s, player, (_UNITS + 9 * stacking * place) * area, area, out)
    at = (_UNITS + 18 * stacking) * area
    if s["target"] != NOWHERE:
        out[at + s["target"]] = 1.0
    for k in range(s["crew_size"]):
        unit = np.int64(s["crew"][k])
        out[at + (1 + level_of(s, unit)) * area + s["cell"][unit]] = 1.0
    at += (1 + stacking) * area
    fill(out, at + np.int64(s["phase"]) * area, area, 1.0)
    fill(out, at + 4 * area, area, np.float64(s["turn"]) / np.float64(s["turns"]))
    # For the waiting side it is half as much: with own planes first, nothing else tells who moves.
    size = 0.5 if options[0] == 1 and s["seat"] != seat else 1.0
    fill(out, at + 5 * area, area, size if s["seat"] == 0 else -size)
    if options[1] == 1:
        left = np.float64(s["turns"]) - np.float64(s["turn"])
        fill(out, at + 6 * area, area, left / _MANY_TURNS)


@kernel
def fill(out, at, count, value):
    for k in range(at, at + count):
        out[k] = value


@kernel
def draw_terrain(s, area, out):
    for cell in range(area):
        terrain = terrain_of(s, cell)
        out[cell] = np.float64(s["attack_mods"][terrain]) / HUNDRED
        out[area + cell] = np.float64(s["defence_mods"][terrain]) / HUNDRED
        out[2 * area + cell] = np.float64(s["costs"][terrain])


@kernel
def draw_arrivals(s, player, at, area, out):
    """Draw the next units in schedule order: where and what (3 planes), when (3 planes)."""
    span = np.int64(s["turns"]) + 1
    shown = 0
    first = player * UNITS
    for unit in range(first, first + np.int64(s["count"][player])):
        if s["status"][unit] != AWAY:
            continue
        left = max(0, np.int64(s["turn_due"][unit]) - np.int64(s["turn"]))
        for cell in range(area):
            if arrives_at(s, unit, cell):
                out[at + cell] = stat(s, unit, ATTACK)
                out[at + area + cell] = stat(s, unit, DEFENCE)
                out[at + 2 * area + cell] = stat(s, unit, MOVEMENT)
        fill(out, at + 3 * area, 3 * area, (span - left) / span)
        at += 6 * area
        shown += 1
        if shown == UPCOMING:
            return


@kernel
def draw_units(s, player, at, area, out):
    """Draw units by status, then level, then attack, defence and movement points left."""
    stacking = np.int64(s["stacking"])
    first = player * UNITS
    for unit in range(first, first + np.int64(s["count"][player])):
        group = _GROUP[s["status"][unit]]
        if group < 0:
            continue
        where = at + (group * stacking + level_of(s, unit)) * 3 * area + s["cell"][unit]
        out[where] = stat(s, unit, ATTACK)
        out[where + area] = stat(s, unit, DEFENCE)
        out[where + 2 * area] = s["points"][unit]
