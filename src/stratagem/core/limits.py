"""The allowed values of a position's fields, so that bad positions from a file are refused.

Kernels use fields as indices without checking them: with a record that somebody else wrote they
could leave their arrays. A game declares limits; the rest is checked automatically: seats exist,
what a scenario fixes equals that of a fresh position, floats are finite, and the legal actions are
counted once with room to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stratagem.core.seats import CHANCE, OVER

if TYPE_CHECKING:
    from stratagem.core.game import Game, States

Mask = npt.NDArray[np.bool_]
_CHUNK = 4096  # positions checked at a time


@dataclass(frozen=True)
class Limits:
    """Fields that are not named may hold anything that their type can."""

    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # lowest and highest
    special: Mapping[str, int] = field(default_factory=dict)  # one allowed value outside the range
    constants: tuple[str, ...] = ()  # fields that are the same in every position of a scenario
    ties: Callable[[States], Mask] | None = None  # [B] whether fields fit together


def wrong_field(game: Game, states: States) -> str:
    """Return the first field of these positions with a value unsafe for kernels; empty: none."""
    for first in range(0, len(states), _CHUNK):
        if wrong := _wrong_among(game, states[first : first + _CHUNK]):
            return wrong
    return ""


def _wrong_among(game: Game, states: States) -> str:
    limits, fresh, seats = game.limits, game.new_state(0), states["seat"]
    lowest = OVER if game.rules.chance is None else min(OVER, CHANCE)
    if not ((seats < game.num_seats) & (seats >= lowest)).all():
        return "seat"
    if game.rules.chance is None and (seats == CHANCE).any():
        return "seat"
    for name in states.dtype.names or ():
        column = states[name]
        if column.dtype.kind == "f" and not np.isfinite(column).all():
            return name
        if name in limits.constants and not (column == fresh[name]).all():
            return name
        if name in limits.ranges and not _within(limits, name, column):
            return name
    if limits.ties is not None and not limits.ties(states).all():
        return "fields that contradict each other"
    return "" if _legal_fit(game, states) else "the number of its legal actions"


def _within(limits: Limits, name: str, column: npt.NDArray[np.generic]) -> bool:
    low, high = limits.ranges[name]
    numbers = column.astype(np.int64)
    fits = (numbers >= low) & (numbers <= high)
    if name in limits.special:
        fits |= numbers == limits.special[name]
    return bool(fits.all())


def _legal_fit(game: Game, states: States) -> bool:
    """Whether every list of legal actions fits into the space that the game asks for."""
    deciding = states[states["seat"] >= 0]
    room = max(game.actions.size, game.width) + 1
    ids, counts = np.zeros((len(deciding), room), np.int32), np.zeros(len(deciding), np.int32)
    game.kernels.legal(deciding, ids, counts)
    listed = np.arange(room)[None, :] < counts[:, None]
    known = (ids >= 0) & (ids < game.actions.size)
    return bool(((counts >= 1) & (counts <= game.width)).all() and known[listed].all())
