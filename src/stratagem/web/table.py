"""One table: a game, who sits where, what happened, and the file that remembers it.

Chance outcomes and agents' seeds depend on the table's seed and on how often each has happened,
so a move that is taken back meets the same dice again. Synchronous; whoever calls holds its lock.
Knows nothing of searching, drawing and the network.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stratagem.core.game import Game, as_batch, state_hash
from stratagem.core.record import Event, GameRecord
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.web.journal import Journal, Line, TableHeader
from stratagem.web.problems import Conflict
from stratagem.web.schema import HUMAN
from stratagem.web.sight import has_hidden


class Table:
    """The positions and events of one table. Every change is in the journal before it is here."""

    def __init__(self, game: Game, header: TableHeader, journal: Journal) -> None:
        self.game = game
        self.header = header
        self.journal = journal
        self.states = [game.new_states(np.array([header.setup_seed], np.uint64))[0]]
        self.events: list[Event] = []
        self.resigned: int | None = None
        self.revision = 0

    @classmethod
    def open(cls, game: Game, journal: Journal) -> Table:
        """The table as its journal tells it."""
        header, lines = journal.read()
        table = cls(game, header, journal)
        for line in lines:
            table._do(line)
        return table

    # -- looking -----------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def seat(self) -> int:
        """Who decides now, CHANCE or OVER."""
        return int(self.state["seat"])

    @property
    def plies(self) -> int:
        return len(self.events)

    @property
    def is_finished(self) -> bool:
        return self.seat == OVER or self.resigned is not None

    @property
    def is_live(self) -> bool:
        """Whether somebody can still decide something."""
        return not self.header.is_record and not self.is_finished

    @property
    def humans(self) -> list[int]:
        if self.header.is_record:
            return []
        return [seat for seat, who in enumerate(self.header.seats) if who == HUMAN]

    @property
    def waits_for_human(self) -> bool:
        return self.is_live and self.seat in self.humans

    @property
    def viewer(self) -> int | None:
        """Whose knowledge is shown; None: everything may be seen."""
        if not self.is_live or not has_hidden(self.game) or not self.humans:
            return None
        if self.seat in self.humans:
            return self.seat
        deciders = [event.seat for event in reversed(self.events) if event.seat in self.humans]
        return deciders[0] if deciders else self.humans[0]

    @property
    def returns(self) -> tuple[float, ...] | None:
        """Results per seat once there are some. Whoever resigns against one other loses."""
        if self.seat == OVER:
            return tuple(float(value) for value in self.game.returns(as_batch(self.state))[0])
        if self.resigned is not None and self.game.num_seats == 2:
            return _lost_by(self.resigned)
        return None

    def seen_by(self, seat: int, ply: int) -> Any:
        """The position as an agent in this seat receives it."""
        seeds = self._nth("hide", ply)
        seats = np.array([seat], np.int8)
        return self.game.hidden_from(as_batch(self.states[ply]), seats, seeds)[0]

    def decision_seed(self, ply: int) -> int:
        return int(self._nth("decide", ply)[0])

    # -- doing -------------------------------------------------------------------------------

    def play(self, action: int) -> None:
        """A decision of the seat whose turn it is; the caller has checked whose that is."""
        if action not in self.game.legal_actions(self.state):
            raise Conflict(f"action {action} is not legal here: choose one from the list")
        self._commit(Line("event", self.seat, action, self._told(action)))

    def roll(self) -> None:
        """Let chance decide, as the seed has it."""
        rolls = sum(event.seat == CHANCE for event in self.events)
        outcome = int(self.game.draw(as_batch(self.state), self._nth("chance", rolls))[0])
        self._commit(Line("event", CHANCE, outcome, self._told(outcome)))

    def take_back(self, to_ply: int | None) -> None:
        """Back to a person's last decision, or to the named one if no other person is affected."""
        target = self.last_decision() if to_ply is None else to_ply
        if target is None:
            raise Conflict("there is nothing to take back")
        self._check_take_back(target)
        self._commit(Line("take_back", number=target))

    def resign(self, seat: int) -> None:
        two = self.game.num_seats == 2
        text = result_text(_lost_by(seat) if two else None, seat)
        self._commit(Line("resign", seat=seat, extra={"text": text}))

    def last_decision(self) -> int | None:
        """Where a person decided last, if it may be taken back."""
        for ply in range(self.plies - 1, -1, -1):
            if self.events[ply].seat in self.humans:
                return ply
        return None

    def can_take_back(self) -> bool:
        target = self.last_decision()
        if target is None:
            return False
        try:
            self._check_take_back(target)
        except Conflict:
            return False
        return True

    def trail_start(self) -> int:
        """The ply at which the deciding seat began the steps that it has just made in a row."""
        ply = self.plies
        while ply and self.events[ply - 1].seat == self.seat:
            ply -= 1
        return ply

    def record(self, analyses: Mapping[int, Mapping[str, Any]]) -> GameRecord:
        """The game so far, replayable, with what was analysed."""
        events = [
            Event(e.seat, e.action, e.text, {**e.extra, **analyses.get(ply, {})})
            for ply, e in enumerate(self.events)
        ]
        extra: dict[str, Any] = {**self.header.extra, "seed": self.header.seed}
        if self.resigned is not None:
            extra["resigned"] = self.resigned
        over = self.seat == OVER
        return GameRecord(
            game=self.header.game,
            version=self.header.version,
            setup_seed=self.header.setup_seed,
            agents=self.header.seats,
            events=tuple(events),
            returns=(self.returns or ()) if over else (),
            final_hash=state_hash(self.state),
            extra=extra,
        )

    # -- inside ------------------------------------------------------------------------------

    def _check_take_back(self, target: int) -> None:
        if self.resigned is not None or self.header.is_record:
            raise Conflict("this game has ended: nothing can be taken back")
        if self.seat == OVER and has_hidden(self.game):
            raise Conflict("the cards are on the table: nothing can be taken back any more")
        if target >= self.plies or self.events[target].seat not in self.humans:
            raise Conflict(f"ply {target}: no person decided there")
        seat = self.events[target].seat
        crossed = self.events[target:]
        if any(event.seat != seat and event.seat in self.humans for event in crossed):
            raise Conflict("another person has decided since: that cannot be taken back")
        if self.header.serious and any(event.seat != seat for event in crossed):
            raise Conflict("a serious game: nothing is taken back across dice or other seats")

    def _told(self, action: int) -> dict[str, str]:
        return {"text": self.game.rules.notation.format_action(self.state, action)}

    def _commit(self, line: Line) -> None:
        self.journal.append(line)
        self._do(line)
        if line.kind == "event" and self.seat == OVER:
            text = result_text(self.returns, None)
            self.journal.append(Line("over", extra={"text": text}))

    def _do(self, line: Line) -> None:
        if line.kind == "over":
            return
        self.revision += 1
        if line.kind == "take_back":
            del self.states[line.number + 1 :], self.events[line.number :]
        elif line.kind == "resign":
            self.resigned = line.seat
        else:
            extra = dict(line.extra)
            text = str(extra.pop("text", ""))
            self.states.append(self.game.after(self.state, line.number))
            self.events.append(Event(line.seat, line.number, text, extra))

    def _nth(self, purpose: str, number: int) -> Seeds:
        return derive_seeds(self.header.seed, purpose, number, count=1)


def table_of_record(record: GameRecord, game: Game) -> Table:
    """A table in memory on which a record that has been replayed is looked at."""
    header = TableHeader(
        id="", game=record.game, version=record.version, seed=0, setup_seed=record.setup_seed,
        title=title_of(game), seats=record.agents, created="", is_record=True,
    )  # fmt: skip
    table = Table(game, header, Journal(Path(os.devnull)))
    for line in record_lines(record.events):
        table._do(line)
    return table


def record_lines(events: Sequence[Event], returns: Sequence[float] = ()) -> list[Line]:
    """Recorded events as lines of a journal."""
    lines = [
        Line("event", event.seat, event.action, {**event.extra, "text": event.text})
        for event in events
    ]
    if returns:
        lines.append(Line("over", extra={"text": result_text(returns, None)}))
    return lines


def title_of(game: Game) -> str:
    about, scenario = game.rules.about, game.scenario
    own = scenario.title not in ("", about.title)
    return f"{about.title}: {scenario.title}" if own else about.title


def result_text(returns: Sequence[float] | None, resigned: int | None) -> str:
    """How a game ended, in a few words for people, who count players from one."""
    gave_up = "" if resigned is None else f"player {resigned + 1} resigned"
    if returns is None:
        return gave_up
    best = max(returns)
    winners = [seat for seat, value in enumerate(returns) if value == best]
    if len(winners) == len(returns):
        told = "a draw"
    elif len(winners) == 1:
        told = f"player {winners[0] + 1} wins"
    else:
        numbers = " and ".join(str(seat + 1) for seat in winners)
        told = f"players {numbers} share the first place"
    return f"{told}: {gave_up}" if gave_up else told


def _lost_by(loser: int) -> tuple[float, ...]:
    return tuple(-1.0 if seat == loser else 1.0 for seat in range(2))
