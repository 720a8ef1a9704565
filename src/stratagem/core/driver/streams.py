"""Sources of random seeds for the games of a batch.

In matches every game has streams of its own, so that neither the batch size nor the other games
change what happens in it. Training draws all seeds from one generator, in the order of use.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from stratagem.core.seeding import Seeds, derive_seeds, nth_seeds, random_seeds

Rows = npt.NDArray[np.int64]  # indices of games


class Streams(Protocol):
    """One seed for each row of a batch. `events` and `rolls` count what has happened there."""

    def setup(self, rows: Rows) -> Seeds:
        """For the start of a new game."""
        ...

    def chance(self, rows: Rows, rolls: Rows) -> Seeds:
        """For the next chance outcome."""
        ...

    def hide(self, rows: Rows, events: Rows) -> Seeds:
        """For what the deciding seat cannot see."""
        ...

    def decide(self, rows: Rows, events: Rows) -> Seeds:
        """For the agent's own choice."""
        ...


class GameStreams:
    """Streams of its own for each game. Games of one group share their set-up and their dice."""

    def __init__(self, seed: int, groups: Rows) -> None:
        """groups [games], in ascending order from 0."""
        games, num_groups = len(groups), int(groups[-1]) + 1
        self._setup = derive_seeds(seed, "setup", count=num_groups)[groups]  # [games]
        self._chance = derive_seeds(seed, "chance", count=num_groups)[groups]
        self._decide = derive_seeds(seed, "decide", count=games)
        self._hide = derive_seeds(seed, "hide", count=games)

    def setup(self, rows: Rows) -> Seeds:
        return self._setup[rows]

    def chance(self, rows: Rows, rolls: Rows) -> Seeds:
        # The n-th roll of twin games is the same, however many decisions came between.
        return nth_seeds(self._chance[rows], rolls)

    def hide(self, rows: Rows, events: Rows) -> Seeds:
        return nth_seeds(self._hide[rows], events)

    def decide(self, rows: Rows, events: Rows) -> Seeds:
        return nth_seeds(self._decide[rows], events)


class GeneratorStreams:
    """All seeds from one generator: the same calls in the same order give the same games."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def setup(self, rows: Rows) -> Seeds:
        return random_seeds(self._generator, len(rows))

    def chance(self, rows: Rows, rolls: Rows) -> Seeds:
        return random_seeds(self._generator, len(rows))

    def hide(self, rows: Rows, events: Rows) -> Seeds:
        return random_seeds(self._generator, len(rows))

    def decide(self, rows: Rows, events: Rows) -> Seeds:
        return random_seeds(self._generator, len(rows))
