"""One game being played: seeded streams, moves and dice, taking back, text and record.

All randomness comes from the session's seed, in four streams: the set-up, the dice (by the number
of earlier rolls), the agents' seeds, and what is redrawn where something is hidden (both by ply).
So a move that is taken back meets the same dice again.

An agent sees a position only through `seen_by`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from stratagem.core.agent import FORFEIT, Agent
from stratagem.core.errors import BadRecord, NotAllowed
from stratagem.core.game import Game, as_batch, state_hash
from stratagem.core.journal import Change, Ended, Resigned, TakenBack
from stratagem.core.record import Event, GameRecord
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.core.sentences import Reader, as_event

HUMAN = "human"  # the name of a seat played by a person


class Sink(Protocol):
    """Where changes are written before they are applied."""

    def append(self, *changes: Change) -> None: ...


@dataclass(frozen=True)
class SessionSetup:
    """What a session starts from; it never changes."""

    game: str
    version: int
    seed: int  # root of all randomness
    setup_seed: int
    agents: tuple[str, ...]  # by seat: HUMAN or the name of an agent
    is_record: bool = False  # a finished recording, which cannot be continued
    serious: bool = False  # moves cannot be taken back across dice or other seats
    extra: Mapping[str, Any] = field(default_factory=dict)  # more keys for the record's header

    @classmethod
    def new(
        cls, game: Game, agents: Sequence[str], seed: int, *, serious: bool = False
    ) -> SessionSetup:
        """Set up a new game."""
        setup_seed = int(derive_seeds(seed, "setup", count=1)[0])
        return cls(game.spec, game.version, seed, setup_seed, tuple(agents), serious=serious)

    @classmethod
    def of_record(cls, record: GameRecord) -> SessionSetup:
        """Set up a recorded game for viewing."""
        extra = dict(record.extra)
        seed = extra.pop("seed", 0)
        return cls(
            record.game, record.version, seed if isinstance(seed, int) and seed >= 0 else 0,
            record.setup_seed, record.agents, is_record=True, extra=extra,
        )  # fmt: skip


class GameSession:
    """One game in progress: its positions and events. Changes are written to the sink first."""

    def __init__(
        self,
        game: Game,
        setup: SessionSetup,
        sink: Sink | None = None,
        changes: Sequence[Change] = (),
    ) -> None:
        """`changes` have already happened: the sink knows them."""
        self.game = game
        self.setup = setup
        self.states = [game.new_states(np.array([setup.setup_seed], np.uint64))[0]]
        self.events: list[Event] = []
        self.resigned: int | None = None
        self.revision = 0
        self._rolls = 0
        self._sink = sink
        unasked = game.rules.about.unasked.split()
        groups = game.rules.groups(game.scenario)
        self._unasked = [group for group in groups if group.name in unasked]
        for change in changes:
            self._apply(change)

    # -- looking -----------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The true position, including everything hidden."""
        return self.states[-1]

    @property
    def seat(self) -> int:
        """Who decides now, CHANCE or OVER."""
        return int(self.state["seat"])

    @property
    def plies(self) -> int:
        """The number of decisions and chance outcomes so far."""
        return len(self.events)

    @property
    def is_finished(self) -> bool:
        """Whether the game has ended, by its rules or by resignation."""
        return self.seat == OVER or self.resigned is not None

    @property
    def is_live(self) -> bool:
        """Whether somebody can still make a decision."""
        return not self.setup.is_record and not self.is_finished

    @property
    def humans(self) -> list[int]:
        """The seats played by people."""
        if self.setup.is_record:
            return []
        return [seat for seat, agent in enumerate(self.setup.agents) if agent == HUMAN]

    @property
    def waits_for_human(self) -> bool:
        """Whether a person decides now."""
        return self.is_live and self.seat in self.humans and self.forced() is None

    def forced(self, ply: int | None = None) -> int | None:
        """Return the action played automatically for a person at this ply, if any.

        It is the only legal one, of a kind that game.toml says need not be asked for (`unasked`).
        """
        if not self._unasked:
            return None
        state = self.states[self.plies if ply is None else ply]
        if int(state["seat"]) not in self.humans:
            return None
        only, *others = self.game.legal_actions(state)
        is_one = not others and any(group.start <= only < group.stop for group in self._unasked)
        return int(only) if is_one else None

    @property
    def viewer(self) -> int | None:
        """The seat whose knowledge is shown; None: everything may be shown."""
        if not self.is_live or not self.game.has_hidden or not self.humans:
            return None
        if self.waits_for_human:
            return self.seat
        last = self.last_decision()
        return self.humans[0] if last is None else self.events[last].seat

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The results of all seats, once the game has ended; with two players, resigning loses."""
        if self.seat == OVER:
            return tuple(float(value) for value in self.game.returns(as_batch(self.state))[0])
        return None if self.resigned is None else self._lost_by(self.resigned)

    def seen_by(self, seat: int, ply: int | None = None) -> Any:
        """Return a position as this seat sees it; what it cannot see is a random guess."""
        chosen = self.plies if ply is None else ply
        self._check_seat(seat)
        if not 0 <= chosen <= self.plies:
            raise NotAllowed(f"ply {chosen}: the plies of this game are 0 to {self.plies}")
        seen = as_batch(self.states[chosen])
        hide = self.game.kernels.hide
        if hide is not None:
            hide(seen, np.array([seat], np.int8), self._stream("hide", chosen))
        return seen[0]

    def decision_seed(self, ply: int | None = None) -> int:
        """Return the seed that an agent receives for its decision at this ply."""
        return int(self._stream("decide", self.plies if ply is None else ply)[0])

    def text(self, action: int) -> str:
        """Write an action or chance outcome of the current position in the game's notation."""
        return self.game.rules.notation.format_action(self.state, action)

    @property
    def reader(self) -> Reader:
        """Who reads about events: the person who plays is `you`, if there is exactly one."""
        people = self.humans
        return Reader.of(self.game.num_seats, people[0] if len(people) == 1 else None)

    def sentence(self, ply: int) -> str:
        """Describe event number `ply` in a sentence."""
        event = self.events[ply]
        text = self.game.describe(self.states[ply], event.action, self.states[ply + 1])
        return as_event(text, event.seat, self.reader)

    def record(self, extras: Mapping[int, Mapping[str, Any]] | None = None) -> GameRecord:
        """Return the game so far as a record; `extras` adds keys to its events, by ply."""
        added = extras or {}
        events = [
            replace(event, extra={**event.extra, **added.get(ply, {})})
            for ply, event in enumerate(self.events)
        ]
        extra: dict[str, Any] = {**self.setup.extra, "seed": self.setup.seed}
        if self.resigned is not None:
            extra["resigned"] = self.resigned
        return GameRecord(
            game=self.setup.game,
            version=self.setup.version,
            setup_seed=self.setup.setup_seed,
            agents=self.setup.agents,
            events=tuple(events),
            returns=(self.returns or ()) if self.seat == OVER else (),
            final_hash=state_hash(self.state),
            extra=extra,
        )

    # -- doing -------------------------------------------------------------------------------

    def play(self, action: int) -> Event:
        """Play an action for the deciding seat."""
        if not self.is_live:
            raise NotAllowed("this game has ended: there are no more moves")
        if self.seat < 0 or action not in self.game.legal_actions(self.state):
            raise NotAllowed(f"action {action} is not legal here: choose one from the list")
        return self._happen(int(action))

    def roll(self) -> Event:
        """Let chance decide; the outcome follows from the session's seed."""
        if self.seat != CHANCE or self.is_finished:
            raise NotAllowed(
                "chance does not decide here: use play(action), unless the game is over"
            )
        seeds = self._stream("chance", self._rolls)
        return self._happen(int(self.game.draw(as_batch(self.state), seeds)[0]))

    def advance(self, agents: Mapping[int, Agent]) -> Iterator[Event]:
        """Roll dice and let these agents move until another seat decides or the game ends."""
        while not self.is_finished:
            if self.seat == CHANCE:
                yield self.roll()
            elif self.seat in agents:
                seen = as_batch(self.seen_by(self.seat))
                seeds = self._stream("decide", self.plies)
                action = int(agents[self.seat].act(seen, seeds)[0])
                if action == FORFEIT:
                    self.resign(self.seat)
                    return
                yield self.play(action)
            elif (only := self.forced()) is not None:
                yield self.play(only)
            else:
                return

    def take_back(self, to_ply: int | None = None) -> None:
        """Return to a person's last decision, or to this ply if no other person is affected."""
        target = self.last_decision() if to_ply is None else to_ply
        if target is None:
            raise NotAllowed("there is nothing to take back")
        self._check_take_back(target)
        self._change(TakenBack(target))

    def resign(self, seat: int) -> None:
        """Resign for a seat."""
        self._check_seat(seat)
        if not self.is_live:
            raise NotAllowed("this game has ended: nobody can resign")
        self._change(Resigned(seat, result_text(self._lost_by(seat), seat)))

    def last_decision(self) -> int | None:
        """Return the ply of a person's last decision; moves played automatically do not count."""
        people = self.humans
        decided = (
            ply
            for ply in reversed(range(self.plies))
            if self.events[ply].seat in people and self.forced(ply) is None
        )
        return next(decided, None)

    def can_take_back(self) -> bool:
        """Whether `take_back` would be allowed now."""
        target = self.last_decision()
        if target is None:
            return False
        try:
            self._check_take_back(target)
        except NotAllowed:
            return False
        return True

    # -- inside ------------------------------------------------------------------------------

    def _check_take_back(self, target: int) -> None:
        if self.resigned is not None or self.setup.is_record:
            raise NotAllowed("this game has ended: moves cannot be taken back")
        if self.seat == OVER and self.game.has_hidden:
            raise NotAllowed("all cards have been shown: moves can no longer be taken back")
        known = 0 <= target < self.plies and self.events[target].seat in self.humans
        if not known or self.forced(target) is not None:
            raise NotAllowed(f"ply {target}: no person decided there")
        seat = self.events[target].seat
        crossed = self.events[target:]
        if any(event.seat != seat and event.seat in self.humans for event in crossed):
            raise NotAllowed("another person has decided since: that cannot be taken back")
        if self.setup.serious and any(event.seat != seat for event in crossed):
            raise NotAllowed("in a serious game you cannot take back past dice or other seats")

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.num_seats:
            raise NotAllowed(
                f"seat {seat}: the seats of this game are 0 to {self.game.num_seats - 1}"
            )

    def _happen(self, action: int) -> Event:
        event = Event(self.seat, action, self.text(action))
        self._change(event)
        if self.seat == OVER and self._sink is not None:
            self._sink.append(Ended(result_text(self.returns, None)))
        return event

    def _change(self, change: Change) -> None:
        if self._sink is not None:
            self._sink.append(change)
        self._apply(change)

    def _apply(self, change: Change) -> None:
        match change:
            case Ended():
                return
            case TakenBack(ply):
                if ply > self.plies:
                    raise BadRecord(
                        f"ply {ply} was taken back, but there are only {self.plies}: "
                        "the game's file is damaged, delete it"
                    )
                self._rolls -= sum(event.seat == CHANCE for event in self.events[ply:])
                del self.states[ply + 1 :], self.events[ply:]
            case Resigned(seat):
                self.resigned = seat
            case Event():
                if change.seat != self.seat:  # an earlier event was lost
                    raise BadRecord(
                        f"ply {self.plies}: recorded for seat {change.seat}, but seat {self.seat} "
                        "decides there: the game's file is damaged, delete it"
                    )
                self.states.append(self.game.after(self.state, change.action))
                self.events.append(change)
                self._rolls += change.seat == CHANCE
        self.revision += 1

    def _lost_by(self, loser: int) -> tuple[float, ...] | None:
        if self.game.num_seats != 2:
            return None
        return tuple(-1.0 if seat == loser else 1.0 for seat in range(2))

    def _stream(self, purpose: str, number: int) -> Seeds:
        return derive_seeds(self.setup.seed, purpose, number, count=1)


def result_text(returns: Sequence[float] | None, resigned: int | None) -> str:
    """Describe how a game ended, in a few words for people, who count players from one."""
    gave_up = "" if resigned is None else f"player {resigned + 1} resigned"
    if returns is None:
        return gave_up
    best = max(returns)
    winners = [seat for seat, value in enumerate(returns) if value == best]
    if len(winners) == len(returns):
        text = "a draw"
    elif len(winners) == 1:
        text = f"player {winners[0] + 1} wins"
    else:
        numbers = " and ".join(str(seat + 1) for seat in winners)
        text = f"players {numbers} share first place"
    return f"{text}: {gave_up}" if gave_up else text
