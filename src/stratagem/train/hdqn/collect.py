"""The games that a run learns from: who learns in them, what happened, how they ended.

Every game has its own random stream, named by the run's seed and the game's number, so a game does
not depend on its neighbours' luck.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.core.driver import CompiledBatch
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.train.hdqn.settings import SELF, EpisodeSection

Numbers = npt.NDArray[np.int64]
Arrays = dict[str, npt.NDArray[np.generic]]

_OF_SEAT = re.compile(r"seat(\d+)/(.+)")


@dataclass(frozen=True)
class Episode:
    """A finished game from its learner's side (self-play: from the first seat's)."""

    home: int  # the learner's seat
    setup_seed: int
    events: tuple[int, ...]
    result: float  # the learner's return
    measures: Mapping[str, float]  # the game's own numbers, and `score`


class Episodes:
    """The slots: games side by side, each begun anew when it is over."""

    def __init__(
        self,
        game: Game,
        settings: EpisodeSection,
        opponent: str,
        specialists: Collection[str],
        seed: int,
    ) -> None:
        self.game = game
        self._settings = settings
        self._self_play = opponent == SELF
        self._seed = seed
        drawn = np.full(game.actions.size, -1, np.int64)
        for number, group in enumerate(game.rules.groups(game.scenario)):
            if group.name not in specialists:
                drawn[group.start : group.stop] = number
        slots, seats = settings.slots, game.num_seats
        self.batch = CompiledBatch(game, slots, opponent, drawn)
        self.clocks = np.zeros((slots, seats), np.int64)  # decisions that each seat has taken
        self._started = 0
        self._homes = np.zeros(slots, np.int64)  # the seat that a game is reported for

    @property
    def states(self) -> States:
        return self.batch.states

    def begin(self) -> None:
        """Set up a game in every slot."""
        self.restart(np.arange(len(self.states)))

    def learner_seats(self, slot: int) -> Numbers:
        return np.flatnonzero(self.batch.learns[slot])

    def next_seeds(self) -> Seeds:
        """A seed for the decision in each slot."""
        return self.batch.next_seeds()

    def play_on(self, actions: Actions) -> Numbers:
        """Take these actions (-1: none) and go on to the next choices; the slots now over."""
        return self.batch.play_on(actions)

    def restart(self, slots: Numbers) -> Numbers:
        """New games in these slots; the slots that are over again (games without a choice)."""
        numbers = np.arange(self._started, self._started + len(slots))
        self._started += len(slots)
        seeds = np.array(
            [derive_seeds(self._seed, "episode", n, count=2) for n in numbers.tolist()]
        )
        rotate = self._settings.seats == "rotate"
        self._homes[slots] = numbers % self.game.num_seats if rotate else 0
        learns = np.full((len(slots), self.game.num_seats), self._self_play, np.uint8)
        learns[np.arange(len(slots)), self._homes[slots]] = 1
        self.clocks[slots] = 0
        streams = np.maximum(seeds[:, 1], np.uint64(1))
        self.batch.start(slots, seeds[:, 0], streams, learns)
        return self.batch.play_on()

    def report(self, slot: int) -> Episode:
        """How the finished game in a slot went."""
        home = int(self._homes[slot])
        events, states = self.batch.events(slot), self.batch.positions(slot)
        found = {"score": float(self.game.scores(states[-1:])[0, home])}
        if self.game.rules.measures is not None:
            for name, value in self.game.rules.measures(states, events).items():
                of_seat = _OF_SEAT.fullmatch(name)
                if of_seat is None:
                    found[name] = value
                elif int(of_seat[1]) == home:
                    found[of_seat[2]] = value
        return Episode(
            home=home,
            setup_seed=int(self.batch.setup_seeds[slot]),
            events=tuple(events),
            result=float(self.game.returns(states[-1:])[0, home]),
            measures=found,
        )

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Arrays:
        """The games under way as named arrays; every slot waits for a decision."""
        started: Arrays = {"started": np.array([self._started])}
        return self.batch.export() | started | {"clocks": self.clocks, "homes": self._homes}

    def restore(self, arrays: Arrays) -> None:
        """Take up exactly where `export` left off."""
        self.clocks[:], self._homes[:] = arrays["clocks"], arrays["homes"]
        self._started = int(np.asarray(arrays["started"], np.int64)[0])
        self.batch.restore(arrays)
