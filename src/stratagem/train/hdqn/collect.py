"""The games that a run learns from: who learns in them, what happened, how they ended.

Every game has its own random stream, named by the run's seed and the game's number, so a game does
not depend on its neighbours' luck.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents import make_agent
from stratagem.core.agent import Agent
from stratagem.core.driver import ASKED, COMPILED, LEARNS, NOBODY, RANDOM, CompiledBatch
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.core.state_arrays import Arrays
from stratagem.train.hdqn.settings import EpisodeSection
from stratagem.train.lineups import ALONE, SELF, Draw
from stratagem.train.sections import Opponents

Numbers = npt.NDArray[np.int64]

_OF_SEAT = re.compile(r"seat(\d+)/(.+)")


@dataclass(frozen=True)
class Episode:
    """A finished game from its learner's side (self-play: from the first seat's)."""

    home: int  # the learner's seat
    lineup: tuple[int, ...]  # who sat where
    setup_seed: int
    events: tuple[int, ...]
    returns: tuple[float, ...]  # of each seat
    measures: Mapping[str, float]  # the game's own numbers, and `score`

    @property
    def result(self) -> float:
        """The learner's return."""
        return self.returns[self.home]


class Episodes:
    """The slots: games side by side, each begun anew when it is over.

    One compiled opponent plays inside the kernel that moves the games on; all others are asked in
    batches.
    """

    def __init__(
        self,
        game: Game,
        settings: EpisodeSection,
        opponents: Opponents,
        specialists: Collection[str],
        seed: int,
    ) -> None:
        self.game = game
        self._settings = settings
        self._seed = seed
        drawn = np.full(game.actions.size, -1, np.int64)
        for number, group in enumerate(game.rules.groups(game.scenario)):
            if group.name not in specialists:
                drawn[group.start : group.stop] = number
        slots, seats = settings.slots, game.num_seats
        self._learn_all = opponents.learn_from_opponents == "all"
        self._inside, compiled = self._choose_compiled(opponents)
        self.batch = CompiledBatch(game, slots, compiled, drawn)
        self._named: dict[int, Agent] = {
            number: make_agent(spec, game)
            for number, spec in enumerate(opponents.named, 1)
            if number != self._inside
        }
        self.clocks = np.zeros((slots, seats), np.int64)  # decisions that each seat has taken
        self.lineups = np.full((slots, seats), SELF, np.int64)
        self._draw, self._agents = ALONE, self._named
        # Told what other agents play, in which slots, before it is played; if it is learned.
        self.on_answers: Callable[[Numbers, Actions], None] = lambda slots, actions: None
        self._started = 0
        self._homes = np.zeros(slots, np.int64)  # the seat that a game is reported for

    def _choose_compiled(self, opponents: Opponents) -> tuple[int, str]:
        """(number, name) of the opponent that plays inside the kernel."""
        if not self._learn_all:
            for number, spec in enumerate(opponents.named, 1):
                if spec == RANDOM or spec in self.game.rules.bots:
                    return number, spec
        return SELF, NOBODY

    def invite(self, draw: Draw, past: Mapping[int, Agent]) -> None:
        """Who sits in games that begin from now on; earlier networks by number."""
        self._draw, self._agents = draw, {**self._named, **past}

    @property
    def states(self) -> States:
        return self.batch.states

    def begin(self) -> None:
        """Set up a game in every slot."""
        self.restart(np.arange(len(self.states)))

    def taught_seats(self, slot: int) -> Numbers:
        """The seats whose decisions are learned from."""
        learns = self.batch.learns[slot]
        return np.flatnonzero(learns != COMPILED if self._learn_all else learns == LEARNS)

    def next_seeds(self) -> Seeds:
        """A seed for the decision in each slot."""
        return self.batch.next_seeds()

    def play_on(self, actions: Actions | None = None) -> Numbers:
        """Take these actions (-1: none) and go on to the learner's choices; the slots now over."""
        over = self.batch.play_on(actions)
        while len(slots := self.batch.asked):
            players = self.lineups[slots, self.states["seat"][slots]]
            answers = np.full(len(self.states), -1, np.int32)
            for player in np.unique(players).tolist():
                rows = slots[players == player]
                answers[rows] = self.batch.ask(self._agents[player], rows)
            if self._learn_all:
                self.on_answers(slots, answers[slots])
            over = self.batch.play_on(answers)
        return over

    def restart(self, slots: Numbers) -> Numbers:
        """New games in these slots; the slots that are over again (games without a choice)."""
        numbers = np.arange(self._started, self._started + len(slots))
        self._started += len(slots)
        seeds = np.array(
            [derive_seeds(self._seed, "episode", n, count=2) for n in numbers.tolist()]
        )
        rotate = self._settings.seats == "rotate"
        self._homes[slots] = numbers % self.game.num_seats if rotate else 0
        lineups = self._draw.from_seeds(seeds[:, 0], self.game.num_seats, self._homes[slots])
        self.lineups[slots] = lineups
        inside = (lineups == self._inside) & (lineups != SELF)
        learns = np.where(lineups == SELF, LEARNS, np.where(inside, COMPILED, ASKED))
        self.clocks[slots] = 0
        streams = np.maximum(seeds[:, 1], np.uint64(1))
        self.batch.start(slots, seeds[:, 0], streams, learns.astype(np.uint8))
        return self.play_on()

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
            lineup=tuple(self.lineups[slot].tolist()),
            setup_seed=int(self.batch.setup_seeds[slot]),
            events=tuple(events),
            returns=tuple(self.game.returns(states[-1:])[0].tolist()),
            measures=found,
        )

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Arrays:
        """The games under way as named arrays; every slot waits for a decision."""
        started: Arrays = {"started": np.array([self._started])}
        own: Arrays = {"clocks": self.clocks, "homes": self._homes, "lineups": self.lineups}
        return self.batch.export() | started | own

    def restore(self, arrays: Arrays) -> None:
        """Pick up exactly where `export` left off."""
        self.clocks[:], self._homes[:] = arrays["clocks"], arrays["homes"]
        self.lineups[:] = arrays["lineups"]
        self._started = int(np.asarray(arrays["started"], np.int64)[0])
        self.batch.restore(arrays)
