"""Collects the games that a run learns from: who learns, what happened, how they ended.

Every game has its own random stream, derived from the run's seed and the game's number, so a game
does not depend on the games beside it.
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
    """A finished game from the learner's side (in self-play: from the first seat's)."""

    home: int  # the learner's seat
    lineup: tuple[int, ...]  # who played which seat
    setup_seed: int
    events: tuple[int, ...]
    returns: tuple[float, ...]  # one per seat
    measures: Mapping[str, float]  # the game's own measures, and `score`

    @property
    def result(self) -> float:
        """The learner's return."""
        return self.returns[self.home]


class Episodes:
    """The slots: games side by side, each restarted when it is over.

    One compiled opponent plays inside the kernel that advances the games; all others are asked in
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
        self.clocks = np.zeros((slots, seats), np.int64)  # decisions made by each seat
        self.lineups = np.full((slots, seats), SELF, np.int64)
        self._draw, self._agents = ALONE, self._named
        # Called with other agents' moves and their slots, before they are played, if they count.
        self.on_answers: Callable[[Numbers, Actions], None] = lambda slots, actions: None
        self._started = 0
        self._homes = np.zeros(slots, np.int64)  # the seat from whose side a game is reported

    def _choose_compiled(self, opponents: Opponents) -> tuple[int, str]:
        """Return (number, name) of the opponent that plays inside the kernel."""
        if not self._learn_all:
            for number, spec in enumerate(opponents.named, 1):
                if spec == RANDOM or spec in self.game.rules.bots:
                    return number, spec
        return SELF, NOBODY

    def invite(self, draw: Draw, past: Mapping[int, Agent]) -> None:
        """Set who plays in games that start from now on; earlier networks by number."""
        self._draw, self._agents = draw, {**self._named, **past}

    @property
    def states(self) -> States:
        return self.batch.states

    def begin(self) -> None:
        """Set up a game in every slot."""
        self.restart(np.arange(len(self.states)))

    def taught_seats(self, slot: int) -> Numbers:
        """Return the seats whose decisions are learned from."""
        learns = self.batch.learns[slot]
        return np.flatnonzero(learns != COMPILED if self._learn_all else learns == LEARNS)

    def next_seeds(self) -> Seeds:
        """Return a seed for the decision in each slot."""
        return self.batch.next_seeds()

    def play_on(self, actions: Actions | None = None) -> Numbers:
        """Take these actions (-1: none), go on to the learner's choices; return slots now over."""
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
        """Start new games in these slots; return the slots where no choice came before the end."""
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
        """Summarise the finished game in a slot."""
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
        """Return the games in progress as named arrays; every slot waits for a decision."""
        started: Arrays = {"started": np.array([self._started])}
        own: Arrays = {"clocks": self.clocks, "homes": self._homes, "lineups": self.lineups}
        return self.batch.export() | started | own

    def restore(self, arrays: Arrays) -> None:
        """Continue exactly where `export` left off."""
        self.clocks[:], self._homes[:] = arrays["clocks"], arrays["homes"]
        self.lineups[:] = arrays["lineups"]
        self._started = int(np.asarray(arrays["started"], np.int64)[0])
        self.batch.restore(arrays)
