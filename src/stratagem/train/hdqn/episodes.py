"""Games under way, side by side: who learns in them, what happened, how they ended.

Every game has its own random stream, named by the run's seed and the game's number, so a game does
not depend on its neighbours' luck. Knows nothing about networks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game
from stratagem.core.random_kernels import advance
from stratagem.core.seats import OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.train.hdqn.playing import make_kernels
from stratagem.train.hdqn.settings import SELF, EpisodeSection

Numbers = npt.NDArray[np.int64]
Arrays = dict[str, npt.NDArray[np.generic]]

_FIRST_LENGTH = 2048  # events that a game has room for; doubled where that is not enough
_OF_SEAT = re.compile(r"seat(\d+)/(.+)")


@dataclass(frozen=True)
class Episode:
    """A finished game from its learner's side (self-learning: from the first seat's)."""

    home: int  # the learner's seat
    setup_seed: int
    events: tuple[int, ...]
    result: float  # the learner's return
    measures: Mapping[str, float]  # the game's own numbers, and `score`


class Episodes:
    """The slots. B slots, P seats, W width of the widest legal list."""

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
        self._kernels = make_kernels(game, opponent)
        slots, seats = settings.slots, game.num_seats
        self.states = np.zeros(slots, game.rules.dtype)
        self.clocks = np.zeros((slots, seats), np.int64)  # decisions that each seat has taken
        self.ids = np.zeros((slots, game.width), np.int32)
        self.counts = np.zeros(slots, np.int32)
        self.started = 0
        self._drawn = np.full(game.actions.size, -1, np.int64)  # see playing.py
        for number, group in enumerate(game.rules.groups(game.scenario)):
            if group.name not in specialists:
                self._drawn[group.start : group.stop] = number
        self._words = np.zeros(slots, np.uint64)
        self._setups = np.zeros(slots, np.uint64)
        self._learns = np.zeros((slots, seats), np.uint8)
        self._homes = np.zeros(slots, np.int64)  # the seat that a game is reported for
        self._events = np.zeros((slots, _FIRST_LENGTH), np.int32)
        self._lengths = np.zeros(slots, np.int64)

    def begin(self) -> None:
        """Set up a game in every slot."""
        self._set_up(np.arange(len(self.states)))
        self.play_on(np.full(len(self.states), -1, np.int32))

    def learner_seats(self, slot: int) -> Numbers:
        return np.flatnonzero(self._learns[slot])

    def next_seeds(self) -> Seeds:
        """A seed for the decision in each slot."""
        for slot in range(len(self._words)):
            self._words[slot] = advance(self._words[slot])
        return self._words.copy()

    def play_on(self, actions: npt.NDArray[np.int32]) -> Numbers:
        """Take these actions (-1: none) and go on to the next choices; the slots now over."""
        self._go_on(actions)
        while (self._lengths == self._events.shape[1]).any():
            self._events = np.hstack([self._events, np.zeros_like(self._events)])
            self._go_on(np.full(len(actions), -1, np.int32))
        return np.flatnonzero(self.states["seat"] == OVER)

    def restart(self, slots: Numbers) -> Numbers:
        """New games in these slots; the slots that are over again (games without a choice)."""
        self._set_up(slots)
        return self.play_on(np.full(len(self.states), -1, np.int32))

    def report(self, slot: int) -> Episode:
        """How the finished game in a slot went."""
        home = int(self._homes[slot])
        events = self._events[slot, : self._lengths[slot]]
        states = np.zeros(len(events) + 1, self.states.dtype)
        states[:1] = self.game.new_states(self._setups[slot : slot + 1])
        raw = states.view(np.uint8).reshape(len(states), -1)
        self._kernels.retrace(states, raw, events)
        found = {"score": float(self.game.scores(states[-1:])[0, home])}
        if self.game.rules.measures is not None:
            for name, value in self.game.rules.measures(states, events.tolist()).items():
                of_seat = _OF_SEAT.fullmatch(name)
                if of_seat is None:
                    found[name] = value
                elif int(of_seat[1]) == home:
                    found[of_seat[2]] = value
        return Episode(
            home=home,
            setup_seed=int(self._setups[slot]),
            events=tuple(events.tolist()),
            result=float(self.game.returns(states[-1:])[0, home]),
            measures=found,
        )

    def _go_on(self, actions: npt.NDArray[np.int32]) -> None:
        self._kernels.play_on(
            self.states, self._words, self._learns, self._drawn, actions, self.ids, self.counts,
            self._events, self._lengths,
        )  # fmt: skip

    def _set_up(self, slots: Numbers) -> None:
        for slot in slots:
            number = self.started
            self.started += 1
            setup, word = derive_seeds(self._seed, "episode", number, count=2)
            self._setups[slot], self._words[slot] = setup, max(int(word), 1)
            rotate = self._settings.seats == "rotate"
            self._homes[slot] = number % self.game.num_seats if rotate else 0
            self._learns[slot] = self._self_play
            self._learns[slot, self._homes[slot]] = 1
            self.clocks[slot] = 0
            self._lengths[slot] = 0
        self.states[slots] = self.game.new_states(self._setups[slots])

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Arrays:
        """The games under way as named plain arrays; every slot waits for a decision."""
        longest = int(self._lengths.max(initial=0))
        arrays: Arrays = {name: getattr(self, name) for name in _COLUMNS}
        arrays["states"] = self.states.view(np.uint8).reshape(len(self.states), -1)
        arrays["events"] = self._events[:, :longest]
        arrays["started"] = np.array([self.started])
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Take up exactly where `export` left off."""
        for name in _COLUMNS:
            getattr(self, name)[:] = arrays[name]
        raw = np.ascontiguousarray(arrays["states"])
        self.states[:] = raw.view(self.states.dtype).reshape(len(self.states))
        self.started = int(arrays["started"][0])
        events = arrays["events"]
        while self._events.shape[1] <= events.shape[1]:
            self._events = np.hstack([self._events, np.zeros_like(self._events)])
        self._events[:, : events.shape[1]] = events
        self.counts[:] = 0
        ids, self.counts = self.game.legal(self.states)
        self.ids[:] = ids


_COLUMNS = ("clocks", "_words", "_setups", "_learns", "_homes", "_lengths")
