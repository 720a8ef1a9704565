"""Measures of one finished game: focus of fire, cohesion, control of the centre and more.

Each measure is given per seat (`seat0/cohesion`) and as the mean of both seats (`cohesion`); a
measure that does not apply (hits of a seat that never shot) is NaN.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.games.battlefield.actions import FIRST_SHOT, SHIFT
from stratagem.games.battlefield.board import (
    cover_of_holder,
    crossfire,
    holds_goal,
    shot_victim,
)
from stratagem.games.battlefield.notation import digits
from stratagem.games.battlefield.rules import shoot
from stratagem.games.battlefield.shaping import can_hit, cohesion_term
from stratagem.games.battlefield.state import GONE

_SOON = 4  # plies within which two hits on one enemy are one attack


@dataclass
class _Tally:
    """What one seat did, counted ply by ply."""

    volleys: list[bool] = field(default_factory=list)  # two shooters or more: on one enemy?
    nearness: list[float] = field(default_factory=list)  # of living teammates
    holding: list[bool] = field(default_factory=list)  # own plies that ended on the goal
    hits: list[bool] = field(default_factory=list)  # of each shot
    threats: list[int] = field(default_factory=list)  # agents that could hit somebody
    struck: list[tuple[int, int, int]] = field(default_factory=list)  # (ply, shooter, victim)
    crossed: list[bool] = field(default_factory=list)  # enemies in reach: of two agents or more?
    covered: list[bool] = field(default_factory=list)  # holding: is a mate near or guarding it?
    standing: int = 0  # agents alive at the end
    team: int = 0
    deaths: int = 0
    shot_dead: int = 0

    def measures(self) -> dict[str, float]:
        return {
            "focus_fire_rate": _mean(self.volleys),
            "shared_target_rate": _mean(_shared_targets(self.struck)),
            "crossfire_rate": _mean(self.crossed),
            "cover_rate": _mean(self.covered),
            "whole_at_end": float(self.standing == self.team) if self.team > 1 else nan,
            "cohesion": _mean(self.nearness),
            "centre_control": _mean(self.holding),
            "ammo_efficiency": _mean(self.hits),
            "threats": _mean(self.threats),
            "shrink_losses": float(self.deaths - self.shot_dead),
        }


def measures(states: npt.NDArray[np.void], actions: Sequence[int]) -> Mapping[str, float]:
    """The measures of a game: positions [n + 1] and the n actions between them."""
    tallies = (_Tally(), _Tally())
    for ply, action in enumerate(actions):
        for seat in range(2):
            _count_position(tallies[seat], states[ply], seat)
        mover = int(states[ply]["seat"])
        _count_ply(tallies, states[ply : ply + 1].copy(), ply, int(action))
        tallies[mover].holding.append(bool(holds_goal(states[ply + 1], mover)))
        _count_team(tallies[mover], states[ply + 1], mover)
    for seat in range(2):
        tallies[seat].standing = _living(states[-1], seat)
        tallies[seat].team = _living(states[0], seat)
        tallies[seat].deaths = tallies[seat].team - tallies[seat].standing
    by_seat = [tally.measures() for tally in tallies]
    found = {}
    for name in by_seat[0]:
        for seat in range(2):
            found[f"seat{seat}/{name}"] = by_seat[seat][name]
        found[name] = _mean([values[name] for values in by_seat if not isnan(values[name])])
    return found


def _count_position(tally: _Tally, s: Any, seat: int) -> None:
    agents = range(int(s["team_size"]))
    tally.threats.append(sum(bool(can_hit(s, seat, agent)) for agent in agents))
    if _living(s, seat) > 1:
        tally.nearness.append(float(cohesion_term(s, seat)))


def _count_team(tally: _Tally, s: Any, seat: int) -> None:
    """Count what the agents do for each other at the end of their team's ply."""
    if _living(s, seat) < 2:
        return
    reached, crossed = crossfire(s, seat)
    tally.crossed += [True] * crossed + [False] * (reached - crossed)
    cover = cover_of_holder(s, seat)
    if cover >= 0:
        tally.covered.append(cover == 1)


def _shared_targets(struck: Sequence[tuple[int, int, int]]) -> list[bool]:
    """For each hit: whether a teammate hit the same enemy in this ply or the last few."""
    found = []
    for number, (ply, shooter, victim) in enumerate(struck):
        near = [(other, whom) for when, other, whom in struck[:number] if ply - when <= _SOON]
        found.append(any(other != shooter and whom == victim for other, whom in near))
    return found


def _count_ply(
    tallies: tuple[_Tally, _Tally], scratch: npt.NDArray[np.void], ply: int, action: int
) -> None:
    """Play a ply agent by agent on a copy of the position, and count what each shot did."""
    s = scratch[0]
    mover = int(s["seat"])
    victims = []
    before = _living(s, 1 - mover)
    for agent, digit in enumerate(digits(s, action)):
        if digit >= FIRST_SHOT:
            victims.append(int(shot_victim(s, mover, agent, digit - FIRST_SHOT)))
            if victims[-1] >= 0:
                tallies[mover].struck.append((ply, agent, victims[-1]))
            shoot(s, mover, agent, digit - FIRST_SHOT)
        elif digit > 0:
            s["cells"][mover, agent] = int(s["cells"][mover, agent]) + SHIFT[digit]
    tallies[mover].hits += [victim >= 0 for victim in victims]
    if len(victims) > 1:
        struck = [victim for victim in victims if victim >= 0]
        tallies[mover].volleys.append(len(set(struck)) < len(struck))
    tallies[1 - mover].shot_dead += before - _living(s, 1 - mover)


def _living(s: Any, seat: int) -> int:
    return int(np.count_nonzero(s["cells"][seat] != GONE))


def _mean(values: Sequence[float]) -> float:
    return float(sum(values) / len(values)) if values else nan
