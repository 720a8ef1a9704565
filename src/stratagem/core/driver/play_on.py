"""Games that continue without Python until a learner has something to decide.

Chance, opponents and decisions without a choice are handled inside a kernel, which is built from
the game's own functions and cached with them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.compile import Kernel, kernel, kernel_in, room_of
from stratagem.core.driver.legality import check_legal
from stratagem.core.driver.retracing import check_retraced
from stratagem.core.driver.streams import Rows
from stratagem.core.errors import BadCheckpoint, UnknownName
from stratagem.core.game import Actions, Game, States
from stratagem.core.random_kernels import advance, below, unit
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import as_bytes

NOBODY = "self"  # no opponent: every seat is a learner
RANDOM = "random"
COMPILED, LEARNS, ASKED = 0, 1, 2  # who decides for a seat: the opponent, a learner, another agent
Arrays = dict[str, npt.NDArray[np.generic]]

_FIRST_LENGTH = 2048  # events that a game has room for; doubled when it is full
_COLUMNS = ("streams", "setup_seeds", "learns", "lengths")


class CompiledBatch:
    """B games of the same kind. P seats, A actions, W width of the widest legal list.

    `opponent` is `random` or a bot of the game, or `self` if nobody plays inside the kernel.
    drawn [A] is the group of an action that is drawn at random when a learner has only actions of
    that group, -1 elsewhere.
    """

    def __init__(self, game: Game, rows: int, opponent: str, drawn: npt.NDArray[np.int64]) -> None:
        self.game = game
        self.states = np.zeros(rows, game.rules.dtype)
        self.ids = np.zeros((rows, game.width), np.int32)  # the learner's legal actions
        self.counts = np.zeros(rows, np.int32)  # how many there are
        self.setup_seeds = np.zeros(rows, np.uint64)
        self.streams = np.zeros(rows, np.uint64)
        self.learns = np.full((rows, game.num_seats), COMPILED, np.uint8)
        self.lengths = np.zeros(rows, np.int64)  # events so far
        self._events = np.zeros((rows, _FIRST_LENGTH), np.int32)
        self._drawn = drawn
        self._play_on, self._retrace = _make_kernels(game, opponent)

    def start(
        self, rows: Rows, setup_seeds: Seeds, streams: Seeds, learns: npt.NDArray[np.uint8]
    ) -> None:
        """New games in these rows. learns [rows, P]: who decides, see COMPILED."""
        self.setup_seeds[rows], self.streams[rows] = setup_seeds, streams
        self.learns[rows] = learns
        self.lengths[rows] = 0
        self.states[rows] = self.game.new_states(setup_seeds)

    def play_on(self, actions: Actions | None = None) -> Rows:
        """Take these actions (-1: none), continue to the next choices, return the rows now over."""
        nothing = np.full(len(self.states), -1, np.int32)
        self._go_on(nothing if actions is None else actions)
        while (self.lengths == self._events.shape[1]).any():
            self._make_room()
            self._go_on(nothing)
        return np.flatnonzero(self.states["seat"] == OVER)

    @property
    def asked(self) -> Rows:
        """Return the rows that wait for an agent other than the learner."""
        waiting = np.flatnonzero(self.counts > 0)
        asked: Rows = waiting[self.learns[waiting, self.states["seat"][waiting]] == ASKED]
        return asked

    def ask(self, agent: Agent, rows: Rows) -> Actions:
        """Return what an agent plays in these rows, which wait for a decision."""
        seats, hide_seeds = self.states["seat"][rows], self.next_seeds(rows)
        seen = self.game.hidden_from(self.states[rows], seats, hide_seeds)
        actions = np.asarray(agent.act(seen, self.next_seeds(rows)), np.int32)
        check_legal(agent, self.ids[rows], self.counts[rows], actions)
        return actions

    def next_seeds(self, rows: Rows | None = None) -> Seeds:
        """Return a seed for the decision in each of these rows; None: in every row."""
        wanted = range(len(self.streams)) if rows is None else rows.tolist()
        for row in wanted:
            self.streams[row] = advance(self.streams[row])
        return self.streams.copy() if rows is None else self.streams[rows]

    def events(self, row: int) -> list[int]:
        """Return what has happened in a game so far."""
        happened: list[int] = self._events[row, : self.lengths[row]].tolist()
        return happened

    def positions(self, row: int) -> States:
        """Return all positions of a game so far, from the first on."""
        events = self._events[row, : self.lengths[row]]
        states = np.zeros(len(events) + 1, self.states.dtype)
        states[:1] = self.game.new_states(self.setup_seeds[row : row + 1])
        self._retrace(states, as_bytes(states), events)
        return states

    def export(self) -> Arrays:
        """Return the games in progress as named arrays; every row waits for a decision."""
        longest = int(self.lengths.max(initial=0))
        arrays: Arrays = {name: getattr(self, name) for name in _COLUMNS}
        return {**arrays, "states": as_bytes(self.states), "events": self._events[:, :longest]}

    def restore(self, arrays: Arrays) -> None:
        """Continue exported games."""
        for name in _COLUMNS:
            if arrays[name].shape != getattr(self, name).shape:
                raise BadCheckpoint(f"games in progress: {name} has the wrong shape")
            getattr(self, name)[:] = arrays[name]
        raw = np.ascontiguousarray(arrays["states"])
        self.states[:] = raw.view(self.states.dtype).reshape(len(self.states))
        events = np.asarray(arrays["events"], np.int32)
        if ((self.lengths < 0) | (self.lengths > events.shape[1])).any():
            raise BadCheckpoint("games in progress: lengths exceed their events")
        happened = [row[:n].tolist() for row, n in zip(events, self.lengths, strict=True)]
        check_retraced(self.game, self.setup_seeds, happened, self.states)
        while self._events.shape[1] <= events.shape[1]:
            self._make_room()
        self._events[:, : events.shape[1]] = events
        self.ids[:], self.counts = self.game.legal(self.states)

    def _go_on(self, actions: Actions) -> None:
        self._play_on(
            self.states, self.streams, self.learns, self._drawn, actions, self.ids, self.counts,
            self._events, self.lengths,
        )  # fmt: skip

    def _make_room(self) -> None:
        self._events = np.hstack([self._events, np.zeros_like(self._events)])


def _make_kernels(game: Game, opponent: str) -> tuple[Kernel, Kernel]:
    """Return (play_on, retrace) for a game and an opponent."""
    rules = game.rules
    if opponent not in (NOBODY, RANDOM, *rules.bots):
        raise UnknownName("opponent", opponent, (NOBODY, RANDOM, *rules.bots))
    choose = rules.bots.get(opponent, choose_any)
    chance = rules.chance if rules.chance is not None else no_chance
    room, name = room_of(rules.reset.__module__), rules.reset.__module__
    mine = Path(__file__).resolve()
    play_on = kernel_in(room, f"{name}.play_on.{opponent}", mine)(
        _make_play_on(rules.step, rules.legal, chance, choose, rules.hide or no_hide)
    )
    return play_on, kernel_in(room, f"{name}.retrace", mine)(_make_retrace(rules.step))


@kernel
def choose_any(s, ids, count, stream):  # type: ignore[no-untyped-def]
    return ids[below(advance(stream), count)]


@kernel
def is_drawn(drawn, ids, count):  # type: ignore[no-untyped-def]
    """Whether all legal actions are in one group that is drawn at random."""
    group = drawn[ids[0]]
    same = 0
    for k in range(count):
        if drawn[ids[k]] == group:
            same += 1
    return group >= 0 and same == count


@kernel
def no_hide(s, seat, seed):  # type: ignore[no-untyped-def]
    """For games without hidden information."""


@kernel
def no_chance(s, ids, probs):  # type: ignore[no-untyped-def]
    return 0


def _make_play_on(
    step: Kernel, legal: Kernel, chance: Kernel, choose: Kernel, hide: Kernel
) -> Callable[..., Any]:
    def play_on(  # type: ignore[no-untyped-def]
        states, streams, learns, drawn, actions, ids, counts, events, lengths
    ):
        """Apply actions[i] (if any) and continue until a learner has a choice, or to the end.

        streams [B] are random states, ids [B, W] and counts [B] the legal actions found
        (none: the game is over, or events [B, M] is full), lengths [B] the events so far.
        drawn [A] is the group of an action that is drawn at random when all legal actions are of
        that group, -1 for actions that learners decide about.
        """
        probs = np.empty(ids.shape[1], np.float32)
        seen = np.zeros(1, states.dtype)  # a position as an opponent sees it
        for i in range(len(states)):
            s = states[i]
            counts[i] = 0
            action = actions[i]
            while True:
                if action >= 0:
                    step(s, action)
                    events[i, lengths[i]] = action
                    lengths[i] += 1
                seat = s["seat"]
                if seat == OVER or lengths[i] == events.shape[1]:
                    break
                if seat == CHANCE:
                    streams[i] = advance(streams[i])
                    number = chance(s, ids[i], probs)
                    target = unit(streams[i])
                    action = ids[i, number - 1]
                    for k in range(number):
                        target -= probs[k]
                        if target < 0.0:
                            action = ids[i, k]
                            break
                    continue
                number = legal(s, ids[i])
                if learns[i, seat] == COMPILED:
                    seen[0] = s
                    hide(seen[0], seat, streams[i])
                    streams[i] = advance(streams[i])
                    action = choose(seen[0], ids[i], number, streams[i])
                elif number == 1:
                    action = ids[i, 0]
                elif learns[i, seat] == LEARNS and is_drawn(drawn, ids[i], number):
                    streams[i] = advance(streams[i])
                    action = ids[i, below(streams[i], number)]
                else:
                    counts[i] = number
                    break

    return play_on


def _make_retrace(step: Kernel) -> Callable[..., Any]:
    def retrace(states, raw, events):  # type: ignore[no-untyped-def]
        """Given states[0], compute states[k + 1] from events[k]. raw: the same memory as bytes."""
        for k in range(len(events)):
            raw[k + 1, :] = raw[k, :]
            step(states[k + 1], events[k])

    return retrace
