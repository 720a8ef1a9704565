"""The effects of each decision and die, and the result; `turns.py` has the rest of a turn."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import NATIONS, REGIONS
from stratagem.games.hispania.rules.battle import (
    attacker_retreats,
    defender_retreats,
    offer_attacker,
    roll,
    start_battle,
    start_round,
)
from stratagem.games.hispania.rules.growth import buy
from stratagem.games.hispania.rules.movement import move_group, remove_unit
from stratagem.games.hispania.rules.reach import list_groups
from stratagem.games.hispania.rules.stacks import vacate
from stratagem.games.hispania.rules.turns import advance, end_movement
from stratagem.games.hispania.state import (
    ATTACKER,
    BATTLE,
    DEFENDER,
    DESTINATION,
    GROUP,
    GROWTH,
    ORIGIN,
)

FACES = 6


@kernel
def step(s, action):
    if s["seat"] == OVER:
        return
    nation = np.int64(s["nation"])
    if s["seat"] == CHANCE:
        roll(s, np.int64(action) + 1)
        if s["phase"] == BATTLE:
            advance(s)
        return
    phase = s["phase"]
    if phase == GROWTH:
        buy(s, nation, (action - BUY) // REGIONS, (action - BUY) % REGIONS)
        advance(s)
    elif phase == ORIGIN:
        if action == STOP:
            end_movement(s)
            advance(s)
        else:
            choose_origin(s, nation, action - FROM)
    elif phase == GROUP:
        s["group"] = action - WITH
        s["phase"] = DESTINATION
    elif phase == DESTINATION:
        move_group(s, nation, np.int64(s["origin"]), np.int64(s["group"]), action - TO)
        s["origin"] = -1
        s["group"] = 0
        s["phase"] = ORIGIN
        advance(s)
    elif phase == BATTLE:
        start_battle(s, action - FIGHT)
    elif phase == DEFENDER or phase == ATTACKER:
        answer(s, phase, action - RETREAT)
    else:
        remove(s, (action - REMOVE) // REGIONS, (action - REMOVE) % REGIONS)
        advance(s)


@kernel
def choose_origin(s, nation, region):
    """Continue with the choice of pieces, unless only one group can be formed."""
    s["origin"] = region
    groups = np.empty(64, np.int64)
    count = list_groups(s, nation, region, 0, groups)
    if count == 1:
        s["group"] = groups[0]
        s["phase"] = DESTINATION
    else:
        s["phase"] = GROUP


@kernel
def answer(s, phase, region):
    """Fight on, or retreat; the defender is asked first."""
    site = np.int64(s["site"])
    if region != site:
        if phase == DEFENDER:
            defender_retreats(s, site, region)
        else:
            attacker_retreats(s, site)
        advance(s)
    elif phase == DEFENDER:
        offer_attacker(s, site)
        if s["phase"] == BATTLE:
            advance(s)
    else:
        start_round(s)


@kernel
def remove(s, slot, region):
    remove_unit(s, region, slot)
    vacate(s, region)


@kernel
def score(s, seat):
    """Return the victory points of a seat: its nations' plus its handicap."""
    total = np.int64(s["handicap"][seat])
    for nation in range(NATIONS):
        if s["player"][nation] == seat:
            total += np.int64(s["vp"][nation])
    return float(total)


@kernel
def returns(s, out):
    """+1 for the most points, -1 for the others; tied seats share the victory."""
    seats = np.int64(s["num_seats"])
    best = -1.0e9
    for seat in range(seats):
        best = max(best, score(s, seat))
    winners = 0
    for seat in range(seats):
        if score(s, seat) == best:
            winners += 1
    for seat in range(seats):
        out[seat] = 2.0 / winners - 1.0 if score(s, seat) == best else -1.0


@kernel
def chance(s, ids, probs):
    """A die: outcomes 0 to 5 are the faces 1 to 6."""
    for face in range(FACES):
        ids[face] = face
        probs[face] = 1.0 / FACES
    return FACES
