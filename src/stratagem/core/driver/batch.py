"""Many games side by side, advanced event by event."""

from __future__ import annotations

import numpy as np

from stratagem.core.agent import FORFEIT, Agent
from stratagem.core.driver.legality import answers_of, check_legal
from stratagem.core.driver.streams import Rows, Streams
from stratagem.core.game import Actions, Game, States
from stratagem.core.seats import OVER
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import put, take


class GameBatch:
    """Games of the same kind, one per row, with their positions, streams and events.

    Callers name the rows to act on; the others are left alone. An agent gets positions only from
    `ask`: copies in which hidden information has been drawn anew.
    """

    def __init__(
        self, game: Game, rows: int, streams: Streams, recorded: int | None = None
    ) -> None:
        """Set up no game yet. `recorded`: the rows that keep their events; None: all."""
        self.game, self.streams = game, streams
        self.states = np.zeros(rows, game.rules.dtype)
        self.setup_seeds = np.zeros(rows, np.uint64)
        self.num_events = np.zeros(rows, np.int64)
        self.events: list[list[int]] = [[] for _ in range(rows if recorded is None else recorded)]
        self._num_rolls = np.zeros(rows, np.int64)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def seats(self) -> Rows:
        """[rows] who decides: a seat, CHANCE or OVER."""
        return self.states["seat"].astype(np.int64)

    @property
    def running(self) -> Rows:
        """Return the rows whose games are not over."""
        return np.flatnonzero(self.states["seat"] != OVER)

    def start(self, rows: Rows) -> None:
        """Start new games in these rows."""
        seeds = self.streams.setup(rows)
        self.setup_seeds[rows] = seeds
        put(self.states, rows, self.game.new_states(seeds))
        self.num_events[rows] = self._num_rolls[rows] = 0
        for row in rows[rows < len(self.events)].tolist():
            self.events[row] = []

    def roll(self, rows: Rows) -> Actions:
        """Draw a chance outcome in each of these games where chance decides; -1 in the others."""
        seeds = self.streams.chance(rows, self._num_rolls[rows])
        outcomes = self.game.draw(take(self.states, rows), seeds)
        drawn = outcomes >= 0
        self._num_rolls[rows[drawn]] += 1
        self.step(rows[drawn], outcomes[drawn])
        return outcomes

    def seen(self, rows: Rows, seeds: Seeds | None = None) -> States:
        """Return copies of these positions, limited to what their deciding seats can know."""
        states = take(self.states, rows)
        if self.game.kernels.hide is None:
            return states
        if seeds is None:
            seeds = self.streams.hide(rows, self.num_events[rows])
        return self.game.hidden_from(states, states["seat"], seeds)

    def ask(
        self, agent: Agent, rows: Rows, seeds: Seeds | None = None, may_forfeit: bool = False
    ) -> Actions:
        """Ask an agent for its actions in these games; `seeds` replace those of the streams.

        An agent that fails to answer raises an error, unless it `may_forfeit`.
        """
        hide_seeds = decide_seeds = seeds
        if hide_seeds is None or decide_seeds is None:
            hide_seeds = self.streams.hide(rows, self.num_events[rows])
            decide_seeds = self.streams.decide(rows, self.num_events[rows])
        given = agent.act(self.seen(rows, hide_seeds), decide_seeds)
        actions = answers_of(agent, given, len(rows))
        answered = actions != FORFEIT if may_forfeit else np.ones(len(rows), bool)
        check_legal(agent, *self.game.legal(take(self.states, rows[answered])), actions[answered])
        return actions

    def end(self, rows: Rows) -> None:
        """Stop these games: nobody decides any more, and the caller knows the results."""
        self.states["seat"][rows] = OVER

    def step(self, rows: Rows, actions: Actions) -> None:
        """Apply one event to each of these games: a legal action or a chance outcome."""
        states = take(self.states, rows)
        self.game.kernels.step(states, actions)
        put(self.states, rows, states)
        self.num_events[rows] += 1
        kept = rows < len(self.events)
        for row, action in zip(rows[kept].tolist(), actions[kept].tolist(), strict=True):
            self.events[row].append(action)
