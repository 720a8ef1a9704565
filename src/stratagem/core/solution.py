"""What is known about a position of a solvable game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Solution:
    """A position under best play by all seats, from the view of the deciding seat."""

    value: int  # above 0: a win, 0: a draw, below 0: a loss; larger is better
    best: tuple[int, ...]  # actions that reach this value
    holding: tuple[int, ...]  # actions that keep the result: win, draw or loss
