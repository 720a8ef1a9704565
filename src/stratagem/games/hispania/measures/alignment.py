"""What happened in one game, and how closely it followed history.

A state remembers who controlled each region at the last count of a round, which gives ownership by
round.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.seats import OVER
from stratagem.games.hispania.board.arrays import (
    CODES,
    CONQUEST,
    GAME_DATA,
    HOLD,
    NATIONS,
    ON_MAP,
    REGIONS,
    ROUNDS,
    SETS,
)
from stratagem.games.hispania.board.data import HISTORY
from stratagem.games.hispania.measures.decisions import Followed, followed_history, lift
from stratagem.games.hispania.measures.reference import (
    RANDOM_ALIGNMENT,
    SCRIPTED_ALIGNMENT,
    reference_curve,
)

Ownership = npt.NDArray[np.int8]  # [22, 55] nation by round and region, -1 nobody, -2 not counted

_AHEAD = 4


def measures(states: npt.NDArray[np.void], actions: Sequence[int]) -> Mapping[str, float]:
    """Return the measures of a game of positions [n + 1] and n actions.

    A nation's measures are given twice: for the game, and for the seat that led the nation.
    """
    owned = ownership(states)
    last = states[-1]
    found = dict(_points(last))
    for nation, code in _playing(last):
        leader = f"seat{int(last['player'][nation])}"
        for when in range(1, ROUNDS + 1):
            if owned[when, 0] > -2:
                held = float(np.sum(owned[when] == nation))
                found[f"regions/{code}/r{when}"] = held
                found[f"{leader}/regions/{code}/r{when}"] = held
    sums = alignment_sums(owned)
    found["territorial_alignment"] = _ratio(*sums.sum(axis=0))
    found["normalised_alignment"] = (found["territorial_alignment"] - RANDOM_ALIGNMENT) / (
        SCRIPTED_ALIGNMENT - RANDOM_ALIGNMENT
    )
    for seat in range(int(last["num_seats"])):
        mine = last["player"] == seat
        found[f"seat{seat}/territorial_alignment"] = _ratio(*sums[mine].sum(axis=0))
    for nation, code in _playing(last):
        found[f"alignment/{code}"] = _ratio(*sums[nation])
        leader = f"seat{int(last['player'][nation])}"
        found[f"{leader}/alignment/{code}"] = found[f"alignment/{code}"]
    found |= _decisions(followed_history(states, actions))
    captures = incentive_sums(states)
    found["incentive_alignment"] = _ratio(*captures.sum(axis=0))
    for seat, (aligned, captured) in enumerate(captures):
        found[f"seat{seat}/incentive_alignment"] = _ratio(aligned, captured)
    found["trajectory_correlation"], found["trajectory_error"] = trajectory_similarity(owned)
    return found


def _decisions(sums: Followed) -> Iterator[tuple[str, float]]:
    whole = sums.sum(axis=0)
    yield "action_alignment", _ratio(whole[0], whole[2])
    yield "action_lift", lift(whole)
    for seat, each in enumerate(sums):
        yield f"seat{seat}/action_alignment", _ratio(each[0], each[2])
        yield f"seat{seat}/action_lift", lift(each)


def ownership(states: npt.NDArray[np.void]) -> Ownership:
    """Return who controlled each region when each round of a game was counted."""
    owned = np.full((ROUNDS + 1, REGIONS), -2, np.int8)
    for before, after in pairwise(states):
        if after["round"] != before["round"] or after["seat"] == OVER:
            owned[int(before["round"])] = after["counted"]
    return owned


def alignment_sums(owned: Ownership) -> npt.NDArray[np.float64]:
    """[nation, (weight held, weight wanted)] over the take and keep rows of history.csv."""
    sums = np.zeros((NATIONS, 2))
    for row in GAME_DATA.history:
        if HISTORY[row.kind] == "hit":
            continue
        regions = list(row.regions)
        for when in range(row.first_round, row.last_round + 1):
            if np.any(owned[when][ON_MAP] == row.nation):  # alive: on the map, not in a box
                held = np.sum(owned[when][regions] == row.nation)
                sums[row.nation] += (row.weight * held, row.weight * len(regions))
    return sums


def territorial_alignment(owned: Ownership) -> float:
    """Return the share of the weighted history rows that a game fulfils, by territory."""
    return _ratio(*alignment_sums(owned).sum(axis=0))


def incentive_alignment(states: npt.NDArray[np.void]) -> float:
    """Return the share of captured regions that can pay their captor within the next rounds."""
    return _ratio(*incentive_sums(states).sum(axis=0))


def incentive_sums(states: npt.NDArray[np.void]) -> npt.NDArray[np.float64]:
    """[seat, (captured regions that can pay, captured regions)]."""
    paying = _paying()[int(states[-1]["tables"])]
    sums = np.zeros((int(states[-1]["num_seats"]), 2))
    for before, after in pairwise(states):
        nation = int(before["nation"])
        if nation < 0:
            continue
        gained = (after["owner"] == nation) & (before["owner"] != nation) & (before["owner"] >= 0)
        if after["nation"] == nation and gained.any():
            paid = gained & paying[nation, int(before["round"])]
            sums[int(before["player"][nation])] += (paid.sum(), gained.sum())
    return sums


@cache
def _paying() -> npt.NDArray[np.bool_]:
    """[set, nation, round, region]: whether holding or taking it pays within three more rounds."""
    found = np.zeros((len(SETS), NATIONS, ROUNDS + 1, REGIONS), np.bool_)
    for at, each in enumerate(GAME_DATA.sets):
        for row in each.scoring:
            if row.kind in (HOLD, CONQUEST):
                for when in row.rounds:
                    first = max(1, when - _AHEAD + 1)
                    found[at, row.nation, first : when + 1, list(row.regions)] = True
    return found


def trajectory_similarity(owned: Ownership) -> tuple[float, float]:
    """Correlation of regions by nation and round with the reference curve, mean error."""
    counted = [when for when in range(1, ROUNDS + 1) if owned[when, 0] > -2]
    mine = np.array([[np.sum(owned[when] == n) for when in counted] for n in range(NATIONS)])
    wanted = reference_curve()[:, [when - 1 for when in counted]]
    if mine.size == 0:
        return nan, nan
    error = float(np.abs(mine - wanted).mean())
    if mine.std() == 0.0 or wanted.std() == 0.0:
        return nan, error
    return float(np.corrcoef(mine.ravel(), wanted.ravel())[0, 1]), error


def _points(last: Any) -> Iterator[tuple[str, float]]:
    seats = range(int(last["num_seats"]))
    bare = [float(sum(last["vp"][last["player"] == seat])) for seat in seats]
    full = [
        points + float(last["handicap"][seat]) for seat, points in zip(seats, bare, strict=True)
    ]
    for seat in seats:
        yield f"seat{seat}/vp_share", _ratio(full[seat], sum(full))
        yield f"seat{seat}/vp_share_without_handicap", _ratio(bare[seat], sum(bare))
    for nation, code in _playing(last):
        yield f"vp/{code}", float(last["vp"][nation])
        yield f"seat{int(last['player'][nation])}/vp/{code}", float(last["vp"][nation])


def _playing(s: Any) -> list[tuple[int, str]]:
    return [(nation, code) for nation, code in enumerate(CODES) if s["player"][nation] >= 0]


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else nan
