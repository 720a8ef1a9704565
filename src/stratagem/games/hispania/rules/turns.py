"""The course of a game: rounds, nation turns and phases, up to the next decision."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.hispania.board.arrays import (
    ARRIVAL_FROM,
    ARRIVAL_UNTIL,
    BIT,
    CAN_VASSALISE,
    NATIONS,
    ON_MAP,
    REGIONS,
    SUBMITS_AT,
)
from stratagem.games.hispania.rules.arrivals import start_round
from stratagem.games.hispania.rules.battle import battles, start_battle
from stratagem.games.hispania.rules.growth import can_buy, collect, end_growth
from stratagem.games.hispania.rules.movement import rest_pieces, trim_stacks
from stratagem.games.hispania.rules.reach import can_move
from stratagem.games.hispania.rules.scoring import count_points, score_conquests
from stratagem.games.hispania.rules.stacks import (
    has_leader,
    has_pieces,
    held_by,
    low,
    size,
    units_in,
    vacate,
)
from stratagem.games.hispania.state import (
    AFTER_BATTLES,
    BATTLE,
    GROWTH,
    NEXT_NATION,
    NEXT_ROUND,
    ORIGIN,
    OVERPOPULATION,
)

LOYAL_ABOVE = 3  # an overlord with no more regions than this loses its vassals


@kernel
def advance(s):
    """Continue until somebody has to decide, dice have to be rolled, or the game is over."""
    while True:
        phase = s["phase"]
        nation = np.int64(s["nation"])
        if phase == NEXT_ROUND:
            start_round(s)
            s["nation"] = -1
            s["phase"] = NEXT_NATION
        elif phase == NEXT_NATION:
            if end_or_next_nation(s):
                return
        elif phase == GROWTH:
            if can_buy(s, nation):
                return
            end_growth(s, nation)
            rest_pieces(s)
            s["phase"] = ORIGIN
        elif phase == ORIGIN:
            if can_move(s, nation):
                return
            end_movement(s)
        elif phase == BATTLE:
            waiting = battles(s)
            s["seat"] = s["player"][nation]
            if waiting == 0:
                end_battles(s, nation)
            elif waiting & (waiting - 1) == 0:
                start_battle(s, low(waiting))
                return
            else:
                return
        elif phase == AFTER_BATTLES:
            submit(s, nation)
            s["phase"] = OVERPOPULATION
        else:  # OVERPOPULATION
            if surplus(s, nation) > 0:
                return
            score_conquests(s, nation)
            end_turn(s)


@kernel
def end_or_next_nation(s):
    """Pass the turn to the next nation with pieces; after the last one the round ends."""
    nation = np.int64(s["nation"]) + 1
    while nation < NATIONS and not (s["player"][nation] >= 0 and has_pieces(s, nation)):
        nation += 1
    if nation < NATIONS:
        s["nation"] = nation
        s["seat"] = s["player"][nation]
        s["phase"] = GROWTH
        collect(s, nation)
        return False
    end_of_round(s)
    if s["round"] == s["last_round"]:
        s["seat"] = OVER
        return True
    s["round"] += 1
    s["phase"] = NEXT_ROUND
    return False


@kernel
def end_of_round(s):
    """Count VP; then expired leaders leave, and vassals of weak overlords are freed."""
    count_points(s)
    first = ARRIVAL_FROM[s["tables"]] - 1
    for region in range(REGIONS):
        s["counted"][region] = s["owner"][region] if units_in(s, region) > 0 else -1
        leader = np.int64(s["leader"][region])
        if leader > 0 and ARRIVAL_UNTIL[first + leader] <= s["round"]:
            s["leader"][region] = 0
            vacate(s, region)
    for nation in range(NATIONS):
        overlord = np.int64(s["overlord"][nation])
        if overlord >= 0 and size(held_by(s, overlord)) <= LOYAL_ABOVE:
            s["overlord"][nation] = -1
    s["nation"] = -1


@kernel
def end_movement(s):
    trim_stacks(s, np.int64(s["nation"]))
    s["phase"] = BATTLE


@kernel
def end_battles(s, nation):
    """Let a major invasion move and fight a second time."""
    if s["second"] == 0 and s["major"] & BIT[nation] != 0:
        s["second"] = 1
        rest_pieces(s)
        s["phase"] = ORIGIN
    else:
        s["phase"] = AFTER_BATTLES


@kernel
def submit(s, nation):
    """Make weak nations that lost a region to this one its vassals."""
    if s["submission"] == 0:
        return
    for other in range(NATIONS):
        if s["beaten"] & CAN_VASSALISE[nation] & BIT[other] != 0:
            regions = size(held_by(s, other))
            if 1 <= regions <= SUBMITS_AT[other] and not has_leader(s, other):
                s["overlord"][other] = nation


@kernel
def surplus(s, nation):
    """Count units on the map beyond two for each region."""
    units = 0
    regions = 0
    for region in range(REGIONS):
        if ON_MAP[region] and s["owner"][region] == nation:
            here = units_in(s, region)
            units += here
            if here > 0:
                regions += 1
    return units - 2 * regions


@kernel
def end_turn(s):
    s["beaten"] = 0
    s["second"] = 0
    rest_pieces(s)
    s["phase"] = NEXT_NATION
