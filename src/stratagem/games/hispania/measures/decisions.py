"""How many decisions follow history, and how many of the legal ones would.

This counts destinations of moves, places of purchases, and a defender's choices where history has
its nation keep the ground. A move counts at its last decision, so the legal ones are the
destinations of the chosen group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.games.hispania.actions import BUY, MOST_LEGAL, RETREAT, TO
from stratagem.games.hispania.board.arrays import GAME_DATA, NATIONS, NEAR, REGIONS, ROUNDS, mask_of
from stratagem.games.hispania.board.data import HISTORY
from stratagem.games.hispania.rules.legal import legal
from stratagem.games.hispania.state import DEFENDER, DESTINATION, GROWTH

Followed = npt.NDArray[np.float64]  # [P, (aligned, aligned share of legal decisions, counted)]


@dataclass(frozen=True)
class Wishes:
    """What history expects of each nation in each round, as bit masks [nation, round]."""

    own: npt.NDArray[np.int64]  # regions to take or keep
    near: npt.NDArray[np.int64]  # those, and the neighbours of regions to take
    keep: npt.NDArray[np.int64]
    hit: npt.NDArray[np.int64]  # nations


@cache
def wishes() -> Wishes:
    """The rows of history.csv by nation and round."""
    own, near, keep, hit = (np.zeros((NATIONS, ROUNDS + 1), np.int64) for _ in range(4))
    for row in GAME_DATA.history:
        rounds = slice(row.first_round, row.last_round + 1)
        kind = HISTORY[row.kind]
        if kind == "hit":
            hit[row.nation, rounds] |= mask_of(row.nations)
            continue
        regions = mask_of(row.regions)
        own[row.nation, rounds] |= regions
        near[row.nation, rounds] |= regions
        if kind == "keep":
            keep[row.nation, rounds] |= regions
        else:
            for region in row.regions:
                near[row.nation, rounds] |= NEAR[region]
    return Wishes(own, near, keep, hit)


def followed_history(states: npt.NDArray[np.void], actions: Sequence[int]) -> Followed:
    """Return per seat: decisions that follow history, the share of legal ones, the total."""
    sums = np.zeros((int(states[-1]["num_seats"]), 3))
    ids = np.empty(MOST_LEGAL, np.int32)
    for state, action in zip(states, actions, strict=False):
        seat = int(state["seat"])
        if seat < 0 or not _counts(state):
            continue
        count = int(legal(state, ids))
        aligned = [follows(state, int(each)) for each in ids[:count]]
        sums[seat] += (follows(state, int(action)), float(np.mean(aligned)), 1.0)
    return sums


def follows(state: Any, action: int) -> bool:
    """Whether this decision, one that counts, is what history expects."""
    wanted, nation, when = wishes(), int(state["nation"]), int(state["round"])
    phase = int(state["phase"])
    if phase == GROWTH:
        return _has(wanted.near[nation, when], (action - BUY) % REGIONS)
    if phase == DEFENDER:
        return action - RETREAT == int(state["site"])
    there = action - TO
    owner = int(state["owner"][there])
    foe = owner >= 0 and int(state["player"][owner]) != int(state["player"][nation])
    return _has(wanted.own[nation, when], there) or (foe and _has(wanted.hit[nation, when], owner))


def lift(sums: npt.NDArray[np.float64]) -> float:
    """(p agent - p legal) / (1 - p legal): 0 no better than chance, 1 always aligned."""
    aligned, by_chance, counted = sums
    if counted == 0 or by_chance >= counted:
        return nan
    return float((aligned - by_chance) / (counted - by_chance))


def _counts(state: Any) -> bool:
    phase = int(state["phase"])
    if phase == DEFENDER:
        defender = int(state["owner"][int(state["site"])])
        return _has(wishes().keep[defender, int(state["round"])], int(state["site"]))
    return phase in (GROWTH, DESTINATION)


def _has(mask: np.int64, member: int) -> bool:
    return bool(int(mask) >> member & 1)
