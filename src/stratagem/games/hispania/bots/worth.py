"""The value of a region to a nation in a round, for the scripted players.

A static table from the VP rows and the history rows; it ignores the position.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    AREA,
    AREA_OF,
    CAPITAL,
    CONQUEST,
    GAME_DATA,
    HOLD,
    HOLD_CASTLE,
    HOLD_CITY,
    KILL,
    NATIONS,
    ON_MAP,
    POPULATION,
    REGIONS,
    ROUNDS,
    SETS,
)
from stratagem.games.hispania.board.data import HISTORY

_SHARE = {HOLD: 1.0, CAPITAL: 1.5, HOLD_CITY: 0.5, HOLD_CASTLE: 0.2, AREA: 0.3}
_AHEAD = 4  # this round and the three after it
_DISCOUNT = 0.7
_HISTORY = 0.5
_POPULATION = 0.25


def _points():
    """[set, nation, round, region] discounted victory points of the coming rounds."""
    found = np.zeros((len(SETS), NATIONS, ROUNDS + 1, REGIONS), np.float32)
    for at, each in enumerate(GAME_DATA.sets):
        for row in each.scoring:
            regions = list(row.regions)
            if row.kind == AREA:
                regions = [r for r in range(REGIONS) if AREA_OF[r] in row.areas]
            for now in range(1, ROUNDS + 1):
                if row.kind in _SHARE:
                    ahead = sum(
                        _DISCOUNT ** (when - now)
                        for when in row.rounds
                        if now <= when < now + _AHEAD
                    )
                    found[at, row.nation, now, regions] += _SHARE[row.kind] * row.vp * ahead
                elif row.kind == CONQUEST and now in row.rounds:
                    found[at, row.nation, now, regions] += row.vp
    return found


def _history():
    """Weights [nation, round, region] of take and keep rows, [nation, round, nation] of hits."""
    places = np.zeros((NATIONS, ROUNDS + 1, REGIONS), np.float32)
    foes = np.zeros((NATIONS, ROUNDS + 1, NATIONS), np.float32)
    for row in GAME_DATA.history:
        rounds = slice(row.first_round, row.last_round + 1)
        if HISTORY[row.kind] == "hit":
            for other in row.nations:
                foes[row.nation, rounds, other] += row.weight
        else:
            for region in row.regions:
                places[row.nation, rounds, region] += row.weight
    return places, foes


def _kill_points():
    """[set, nation, round, enemy, slot] points for a destroyed unit."""
    found = np.zeros((len(SETS), NATIONS, ROUNDS + 1, NATIONS, 3), np.float32)
    for at, each in enumerate(GAME_DATA.sets):
        for row in each.scoring:
            if row.kind == KILL:
                slots = range(3) if row.param < 0 else [row.param]
                for now in row.rounds:
                    for other in row.nations:
                        for slot in slots:
                            found[at, row.nation, now, other, slot] += row.vp
    return found


POINTS = _points()
PLACES, FOES = _history()
KILL_POINTS = _kill_points()


@kernel
def worth(s, nation, region, history):
    """Return the table's value; `history` weighs the history rows, 1 for the usual player."""
    now = s["round"]
    value = np.float64(POINTS[s["tables"], nation, now, region])
    value += history * _HISTORY * np.float64(PLACES[nation, now, region])
    if ON_MAP[region]:
        return value + _POPULATION * POPULATION[region]
    return value if value != 0.0 else -1.0


@kernel
def kill_worth(s, nation, enemy, region):
    """Return the points for destroying every unit of a stack."""
    now = s["round"]
    total = 0.0
    for slot in range(3):
        here = np.float64(KILL_POINTS[s["tables"], nation, now, enemy, slot])
        total += here * np.int64(s["units"][region, slot])
    return total


@kernel
def foe_worth(s, nation, enemy):
    """Return the weight of the history rows that send a nation against another."""
    return np.float64(FOES[nation, s["round"], enemy])
