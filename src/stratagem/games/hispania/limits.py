"""The allowed values of a Hispania position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.core.seats import OVER
from stratagem.games.hispania.board.arrays import (
    LEADER,
    MOST_ARRIVALS,
    NATIONS,
    PLAYERS,
    REGIONS,
    ROUNDS,
    STACK,
)
from stratagem.games.hispania.state import (
    AFTER_BATTLES,
    ATTACKER,
    DEFENDER,
    DESTINATION,
    GROUP,
    MOST_ATTACKERS,
    ROLL,
)

_NATION_OR_NOBODY = (-1, NATIONS - 1)
_REGION_OR_NONE = (-1, REGIONS - 1)
_BIT_PER_NATION = (0, 2**NATIONS - 1)
_BIT_PER_REGION = (0, 2**REGIONS - 1)
_MOST_PIECES = STACK + 1  # of one side in a region: the encoders have room for twice as many


def limits(scenario):
    return Limits(
        ranges={
            "player": (-1, PLAYERS - 1),
            "major": _BIT_PER_NATION,
            "halved": _BIT_PER_NATION,
            "beaten": _BIT_PER_NATION,
            "conquered": _BIT_PER_REGION,
            "round": (0, ROUNDS + 1),
            "nation": _NATION_OR_NOBODY,
            "phase": (0, AFTER_BATTLES),
            "second": (0, 1),
            "origin": _REGION_OR_NONE,
            "group": (0, 2**STACK - 1),
            "owner": _NATION_OR_NOBODY,
            "units": (0, _MOST_PIECES),
            "moved": (0, _MOST_PIECES),
            "waiting": (0, _MOST_PIECES),
            "leader": (0, MOST_ARRIVALS),
            "structure": (0, 3),
            "builder": _NATION_OR_NOBODY,
            "counted": _NATION_OR_NOBODY,
            "overlord": _NATION_OR_NOBODY,
            "attacking": (0, MOST_ATTACKERS),
            "site": _REGION_OR_NONE,
            "force": (0, MOST_ATTACKERS),
            "wounded": (0, _MOST_PIECES),
        },
        constants=("active", "handicap", "player", "tables", "last_round", "num_seats",
                   "submission"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    """Whether attackers come from and go to regions, stacks are small enough, the round exists."""
    rows = states["attackers"]
    highest = np.array([REGIONS - 1, REGIONS - 1, LEADER, 1, MOST_ARRIVALS])
    attackers = (rows <= highest).all(axis=(1, 2))
    pieces = states["units"].sum(axis=2, dtype=np.int64) + (states["leader"] > 0)
    return (
        attackers
        & (_at_one_site(states) <= _MOST_PIECES)
        & (pieces <= _MOST_PIECES).all(axis=1)
        & (states["round"] <= states["last_round"].astype(np.int64) + 1)
        & _choice_holds(states)
        & _attack_holds(states)
    )


def _choice_holds(states):
    """Whether the deciding side has a nation, chooses pieces of a region, and fights somewhere."""
    phase = states["phase"]
    choosing = (phase == GROUP) | (phase == DESTINATION)
    fighting = (phase == ROLL) | (phase == DEFENDER) | (phase == ATTACKER)
    return (
        ((states["nation"] >= 0) | (states["seat"] == OVER))
        & ((states["origin"] >= 0) | ~choosing)
        & ((states["site"] >= 0) | ~fighting)
    )


def _attack_holds(states):
    """Whether `pending` and `force` agree with the attackers' list, which has room for more.

    During a battle, some of the attackers may be gone from the list.
    """
    used = np.arange(MOST_ATTACKERS) < states["attacking"][:, None]
    rows, places = np.nonzero(used)
    sites, kinds = (states["attackers"][rows, places, column] for column in (0, 2))
    there = np.zeros((len(states), REGIONS, LEADER + 1), np.int64)
    np.add.at(there, (rows, np.minimum(sites, REGIONS - 1), np.minimum(kinds, LEADER)), 1)
    leaders = there[:, :, LEADER]
    pending = there[:, :, :LEADER].sum(axis=2) + 16 * leaders
    site = states["site"].astype(np.int64)
    force = np.where(site[:, None] >= 0, there[np.arange(len(states)), site], 0)
    own = states["owner"] == states["nation"][:, None]
    pieces = (states["units"].sum(axis=2, dtype=np.int64) + (states["leader"] > 0)) * own
    return (
        ((pending == states["pending"]) | (np.arange(REGIONS) == site[:, None])).all(axis=1)
        & (leaders <= 1).all(axis=1)
        & (force == states["force"]).all(axis=1)
        & (pieces.sum(axis=1) + states["attacking"] <= MOST_ATTACKERS)
    )


def _at_one_site(states):
    """[B] how many attackers have gone to the same region at most."""
    used = np.arange(MOST_ATTACKERS) < states["attacking"][:, None]
    sites = np.where(used, states["attackers"][:, :, 0], REGIONS)
    counts = (sites[:, :, None] == np.arange(REGIONS)).sum(axis=1)
    return counts.max(axis=1)
