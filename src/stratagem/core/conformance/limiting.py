"""Conformance of limits: every position that can occur is within the declared limits."""

from __future__ import annotations

from stratagem.core.conformance.failure import require
from stratagem.core.conformance.playing import Played
from stratagem.core.game import Game
from stratagem.core.limits import wrong_field


def check_limits(game: Game, played: Played) -> None:
    """Limits name only existing fields, and accept every position of the random games."""
    limits, names = game.limits, set(game.rules.dtype.names or ())
    for name in (*limits.ranges, *limits.special, *limits.constants):
        require(name in names, f"limits name {name!r}, but a position has no such field")
    wrong = wrong_field(game, played.everything)
    require(not wrong, f"limits refuse a position of a random game: see {wrong}")
