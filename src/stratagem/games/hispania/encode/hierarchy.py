"""Observations of Hispania: tiles, pieces with their tiles, global features; or all of it fused.

`hierarchy` returns the parts for the tile, piece and game-state encoders, `fused` the 55 x 237
board of the game-state encoder with raw pieces. Both end with `decision`, what has been chosen so
far in this move, which the paper's tensors do not contain. Rows of regions that are not in play
stay zero. `wide.py` adds what the paper's tensors leave out.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.hispania.board.arrays import (
    AREA_OF,
    BIT,
    COST,
    DEFENCE,
    HP,
    LAND,
    LEADER,
    LEADER_MIN_DIE,
    LEADER_MOVEMENT,
    MIN_DIE,
    MOVEMENT,
    NATIONS,
    NEAR,
    OFFENCE,
    POPULATION,
    REGIONS,
    RIVER,
    SEA_REACH,
    STACK,
    STRAIT,
    TERRAIN,
)
from stratagem.games.hispania.rules.step import score
from stratagem.games.hispania.state import BATTLE, DESTINATION, GROWTH, ORIGIN, OVERPOPULATION

TILE = 13  # structure 4, terrain 3, area 5, population 1
PIECE = 32  # five scalars, minimum die 6, leader 1, nation 20
GLOBAL = 32  # player 4, nation 20, turn type 5, round, points, victory points
ROW = GLOBAL + TILE + STACK * PIECE
MOST_PIECES = 128
PHASES = 9
DECISION = REGIONS + STACK + REGIONS + PHASES  # origin, group, battle site, phase
_LISTED = 14  # more pieces than a region can hold, including both sides of a battle


def _pairs(neighbours):
    """Return both ends of each link, from a bit mask per region."""
    return tuple(
        (one, other)
        for one in range(REGIONS)
        for other in range(one + 1, REGIONS)
        if int(neighbours[one]) >> other & 1
    )


LINKS = _pairs(NEAR)
RELATIONS = tuple(_pairs(kind) for kind in (LAND, RIVER, STRAIT, SEA_REACH[1]))


OPTIONS = {"strength": 0}


def strength(options):
    """With `strength=1`, reserve a number at the end for training or playing code to fill in."""
    return (ObservationSlice("strength", (1,), "vector"),) if options["strength"] else ()


def spec(scenario, options):
    return ObservationSpec(
        (
            ObservationSlice("tiles", (REGIONS, TILE), "nodes", LINKS, RELATIONS),
            ObservationSlice("pieces", (MOST_PIECES, PIECE), "tokens"),
            ObservationSlice("piece_tile", (MOST_PIECES,), "vector"),
            ObservationSlice("piece_slot", (MOST_PIECES,), "vector"),
            ObservationSlice("globals", (GLOBAL,), "vector"),
            ObservationSlice("decision", (DECISION,), "vector"),
            *strength(options),
        )
    )


def fused_spec(scenario, options):
    return ObservationSpec(
        (
            ObservationSlice("board", (REGIONS, ROW), "nodes", LINKS, RELATIONS),
            ObservationSlice("decision", (DECISION,), "vector"),
        )
    )


@kernel
def observe(s, seat, options, out):
    for region in range(REGIONS):
        write_tile(s, region, out, region * TILE)
    pieces = REGIONS * TILE
    tiles = pieces + MOST_PIECES * PIECE
    slots = tiles + MOST_PIECES
    listed = np.empty((_LISTED, 4), np.int64)
    count = 0
    for region in range(REGIONS):
        here = list_pieces(s, region, listed)
        for k in range(here):
            if count < MOST_PIECES:
                write_piece(s, listed[k], 1.0, out, pieces + count * PIECE)
                out[tiles + count] = region
                out[slots + count] = min(k, STACK - 1)
                count += 1
    for k in range(count, MOST_PIECES):
        out[tiles + k] = -1.0
        out[slots + k] = -1.0
    write_globals(s, seat, out, slots + MOST_PIECES)
    write_decision(s, out, slots + MOST_PIECES + GLOBAL)


@kernel
def observe_fused(s, seat, options, out):
    listed = np.empty((_LISTED, 4), np.int64)
    for region in range(REGIONS):
        if s["active"] & BIT[region] == 0:
            continue
        at = region * ROW
        write_globals(s, seat, out, at)
        write_tile(s, region, out, at + GLOBAL)
        stack = at + GLOBAL + TILE
        here = list_pieces(s, region, listed)
        for k in range(here):
            # Pieces beyond the sixth are averaged in the last slot.
            share = 1.0 if k < STACK - 1 else 1.0 / (here - STACK + 1)
            write_piece(s, listed[k], share, out, stack + min(k, STACK - 1) * PIECE)
    write_decision(s, out, REGIONS * ROW)


@kernel
def write_tile(s, region, out, at):
    if s["active"] & BIT[region] == 0:
        return
    out[at + np.int64(s["structure"][region])] = 1.0
    out[at + 4 + TERRAIN[region]] = 1.0
    out[at + 7 + AREA_OF[region]] = 1.0
    out[at + 12] = POPULATION[region] / 4.0


@kernel
def list_pieces(s, region, listed):
    """List (nation, kind, hit points, movement left) of each piece, in stack order.

    The acting nation's pieces come first: leader, special, cavalry, infantry; unmoved before moved.
    """
    count = 0
    if s["pending"][region] > 0:
        count = list_attackers(s, region, listed)
    nation = np.int64(s["owner"][region])
    if nation < 0:
        return count
    active = nation == s["nation"]
    for kind in (LEADER, 2, 1, 0):
        have = (
            np.int64(s["leader"][region] > 0)
            if kind == LEADER
            else np.int64(s["units"][region, kind])
        )
        moved = np.int64(s["moved"][region, kind]) if active else 0
        hurt = np.int64(s["wounded"][1]) if kind == 2 and s["site"] == region else 0
        for k in range(have):
            points = full_movement(nation, kind)
            if k >= have - moved:
                points = 0
            count = add_piece(listed, count, nation, kind, 1 if k >= have - hurt else 0, points)
    return count


@kernel
def list_attackers(s, region, listed):
    nation = np.int64(s["nation"])
    count = 0
    for kind in (LEADER, 2, 1, 0):
        have = 0
        for row in range(s["attacking"]):
            if s["attackers"][row, 0] == region and s["attackers"][row, 2] == kind:
                have += 1
        hurt = np.int64(s["wounded"][0]) if kind == 2 and s["site"] == region else 0
        for k in range(have):
            count = add_piece(listed, count, nation, kind, 1 if k >= have - hurt else 0, 0)
    return count


@kernel
def add_piece(listed, count, nation, kind, wounds, points):
    listed[count, 0] = nation
    listed[count, 1] = kind
    listed[count, 2] = 1 if kind == LEADER else HP[nation, kind] - wounds
    listed[count, 3] = points
    return count + 1


@kernel
def full_movement(nation, kind):
    return LEADER_MOVEMENT if kind == LEADER else MOVEMENT[nation, kind]


@kernel
def write_piece(s, piece, share, out, at):
    """Add `share` of a piece's vector."""
    nation = piece[0]
    kind = piece[1]
    leads = kind == LEADER
    out[at] += share * piece[2] / 2.0
    out[at + 1] += share * (5 if leads else OFFENCE[nation, kind]) / 6.0
    out[at + 2] += share * (5 if leads else DEFENCE[nation, kind]) / 6.0
    out[at + 3] += share * piece[3] / 4.0
    out[at + 4] += share * (0 if leads else COST[nation, kind]) / 12.0
    out[at + 4 + (LEADER_MIN_DIE if leads else MIN_DIE[nation, kind])] += share
    if leads:
        out[at + 11] += share
    out[at + 12 + nation] += share
    overlord = np.int64(s["overlord"][nation])
    if overlord >= 0:
        out[at + 12 + overlord] += 0.5 * share


@kernel
def write_globals(s, seat, out, at):
    out[at + np.int64(seat)] = 1.0
    nation = np.int64(s["nation"])
    if nation >= 0:
        out[at + 4 + nation] = 1.0
        out[at + 30] = s["pool"][nation] / 60.0
    phase = s["phase"]
    types = at + 4 + NATIONS
    if phase == GROWTH:
        out[types] = 1.0
    elif ORIGIN <= phase <= DESTINATION:
        out[types + 1] = 1.0
    elif BATTLE <= phase < OVERPOPULATION:
        out[types + 2] = 1.0
    elif phase == OVERPOPULATION:
        out[types + 4] = 1.0
    if s["second"] > 0 and phase < OVERPOPULATION:  # two bits in the second pass
        out[types + 3] = 1.0
    out[at + 29] = s["round"] / 21.0
    rival = -1.0e9 if s["num_seats"] > 1 else 0.0
    for other in range(s["num_seats"]):
        if other != seat:
            rival = max(rival, score(s, other))
    out[at + 31] = (score(s, seat) - rival) / 100.0


@kernel
def write_decision(s, out, at):
    if s["origin"] >= 0:
        out[at + np.int64(s["origin"])] = 1.0
    for k in range(STACK):
        out[at + REGIONS + k] = (np.int64(s["group"]) >> k) & 1
    if s["site"] >= 0:
        out[at + REGIONS + STACK + np.int64(s["site"])] = 1.0
    if s["phase"] < PHASES:
        out[at + 2 * REGIONS + STACK + np.int64(s["phase"])] = 1.0
