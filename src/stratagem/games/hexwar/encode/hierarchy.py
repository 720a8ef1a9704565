"""Hexwar as tiles and pieces for the region network: hexes are tiles, counters are pieces.

Everything is seen from the observer's side: own goals, arrivals and units come first. A piece has
its hex and its level in the stack. Reinforcements still to come are features of the hexes where
they may arrive.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.hexwar.board import (
    area_of,
    arrives_at,
    hexes_around,
    level_of,
    stat,
    terrain_of,
)
from stratagem.games.hexwar.encode.planes import UPCOMING
from stratagem.games.hexwar.state import (
    ATTACK,
    AWAY,
    CHOSEN,
    DEAD,
    DEFENCE,
    HUNDRED,
    MOVEMENT,
    NOWHERE,
    READY,
    UNITS,
)

_GOALS = 3  # after the terrain: attack modifier, defence modifier, entry cost
_ARRIVALS = 5  # after own and enemy victory hexes
_ARRIVAL = 4  # attack, defence, movement, how soon
_TARGET = _ARRIVALS + 2 * UPCOMING * _ARRIVAL
TILE = _TARGET + 1
PIECE = 8  # attack, defence, points left; ready, moved, fought, chosen; own
MOST_PIECES = 2 * UNITS
GLOBAL = 9  # sub-phase 4, share of turns over, turns left, own move, is player one, set-up
_STRENGTH = 2.0  # printed attack and defence of the strongest unit of the paper
_STEPS = 4.0  # its movement
_MANY_TURNS = 10.0


def decision_size(scenario):
    """Return the number of tile, level and target entries of a token, as in `tokens.spec`."""
    return 2 * scenario.height * scenario.width + scenario.stacking


def spec(scenario, options):
    area = scenario.height * scenario.width
    around = hexes_around(scenario.height, scenario.width)
    links = tuple(
        (cell, int(there)) for cell in range(area) for there in around[cell] if there > cell
    )
    return ObservationSpec(
        (
            ObservationSlice("tiles", (area, TILE), "nodes", links),
            ObservationSlice("pieces", (MOST_PIECES, PIECE), "tokens"),
            ObservationSlice("piece_tile", (MOST_PIECES,), "vector"),
            ObservationSlice("piece_slot", (MOST_PIECES,), "vector"),
            ObservationSlice("globals", (GLOBAL,), "vector"),
            ObservationSlice("decision", (decision_size(scenario),), "vector"),
        )
    )


@kernel
def observe(s, seat, options, out):
    area = area_of(s)
    seat = np.int64(seat)
    write_tiles(s, seat, area, out)
    pieces = area * TILE
    write_pieces(s, seat, pieces, out)
    at = pieces + MOST_PIECES * (PIECE + 2)
    write_globals(s, seat, at, out)
    if s["target"] != NOWHERE:  # the only field of a token that has a decision of its own
        at += GLOBAL + area + np.int64(s["stacking"])
        out[at + np.int64(s["target"])] = 1.0


@kernel
def write_tiles(s, seat, area, out):
    for cell in range(area):
        terrain = terrain_of(s, cell)
        at = cell * TILE
        out[at] = np.float64(s["attack_mods"][terrain]) / HUNDRED
        out[at + 1] = np.float64(s["defence_mods"][terrain]) / HUNDRED
        out[at + 2] = np.float64(s["costs"][terrain])
    for place in range(2):
        player = (place + seat) % 2
        for k in range(s["goal_count"][player]):
            out[np.int64(s["goals"][player, k]) * TILE + _GOALS + place] = 1.0
        write_arrivals(s, player, area, _ARRIVALS + place * UPCOMING * _ARRIVAL, out)
    if s["target"] != NOWHERE:
        out[np.int64(s["target"]) * TILE + _TARGET] = 1.0


@kernel
def write_arrivals(s, player, area, first, out):
    """Write the next units to come, in schedule order, on the hexes where they may arrive."""
    span = np.float64(s["turns"]) + 1.0
    shown = 0
    for unit in range(player * UNITS, player * UNITS + np.int64(s["count"][player])):
        if s["status"][unit] != AWAY:
            continue
        left = max(0, np.int64(s["turn_due"][unit]) - np.int64(s["turn"]))
        for cell in range(area):
            if arrives_at(s, unit, cell):
                at = cell * TILE + first + shown * _ARRIVAL
                out[at] = stat(s, unit, ATTACK) / _STRENGTH
                out[at + 1] = stat(s, unit, DEFENCE) / _STRENGTH
                out[at + 2] = stat(s, unit, MOVEMENT) / _STEPS
                out[at + 3] = (span - left) / span
        shown += 1
        if shown == UPCOMING:
            return


@kernel
def write_pieces(s, seat, first, out):
    """Write own units, then the enemy's; the unused rows are marked as empty."""
    tiles = first + MOST_PIECES * PIECE
    slots = tiles + MOST_PIECES
    count = 0
    for place in range(2):
        player = (place + seat) % 2
        for unit in range(player * UNITS, player * UNITS + np.int64(s["count"][player])):
            status = np.int64(s["status"][unit])
            if status == AWAY or status == DEAD:
                continue
            at = first + count * PIECE
            out[at] = stat(s, unit, ATTACK) / _STRENGTH
            out[at + 1] = stat(s, unit, DEFENCE) / _STRENGTH
            out[at + 2] = np.float64(s["points"][unit]) / _STEPS
            out[at + 3 + status - READY] = 1.0
            out[at + PIECE - 1] = 1.0 if place == 0 else 0.0
            out[tiles + count] = np.float64(s["cell"][unit])
            out[slots + count] = np.float64(level_of(s, unit))
            count += 1
    for k in range(count, MOST_PIECES):
        out[tiles + k] = -1.0
        out[slots + k] = -1.0


@kernel
def write_globals(s, seat, at, out):
    out[at + np.int64(s["phase"])] = 1.0
    turn = np.float64(s["turn"])
    turns = np.float64(s["turns"])
    out[at + 4] = turn / turns
    out[at + 5] = (turns - turn) / _MANY_TURNS
    out[at + 6] = 1.0 if s["seat"] == seat else 0.0
    out[at + 7] = 1.0 if seat == 0 else 0.0
    out[at + 8] = 1.0 if s["turn"] == 0 else 0.0


assert CHOSEN - READY == 3 and PIECE == 3 + 4 + 1  # one flag for each status on the board
