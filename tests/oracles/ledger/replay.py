"""Replaying a ledger, decision by decision, through the rules in explicit mode.

Every seat has its own stream of commands; the rules say who decides what, and the command that
answers is taken from that seat's stream. Answers to power offers may stand late in a ledger: what
a seat owns changes only by its own commands, so taking them when the rules ask is the same,
unless the seat itself has acted in between (possible where `strict-leech` is off).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pydantic import ValidationError

from stratagem.core.errors import BadRecord
from stratagem.core.scenario import explain
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.tiles import CULTS
from stratagem.games.terra_mystica.rules.replaying import (
    apply_first,
    legal_first,
    proceed_first,
    take_power_late,
)
from stratagem.games.terra_mystica.rules.turns import (
    ALL_DECLINED,
    GOT_INCOME,
    GOT_REWARD,
    SCORED_CULT,
    SCORED_NETWORK,
    SCORED_RESOURCES,
    TOOK_POWER,
)
from stratagem.games.terra_mystica.scenario import TerraMysticaScenario
from stratagem.games.terra_mystica.setup import reset

from .check import Trace
from .reasons import reason_why_not
from .text import BadLedger, Command, Ledger

# Commands that may wait while another choice of the same seat is looked up.
SOFT = {
    "leech",
    "decline",
    "favour",
    "town",
    "cult",
    "forfeit",
    "ordain_less",
    "idle",
    "convert",
    "burn",
}


@dataclass
class Replay:
    """A game being replayed: states[0] is the position."""

    ledger: Ledger
    trace: Trace
    watch: Callable[[Any, int], None] | None = None  # called with each position and its decision
    states: Any = None
    void: list[tuple[int, int, int]] = field(default_factory=list)  # (seat, builder, amount)
    late: list[tuple[int, int, int]] = field(default_factory=list)
    offers: dict[tuple[int, int], int] = field(default_factory=dict)  # (row, seat): amount
    last: Command | None = None  # what to blame if a stream ends
    line: int = 0  # of the action being carried out
    decisions: int = 0

    def __post_init__(self) -> None:
        cards = [card for card in range(1, 10) if card not in self.ledger.deleted]
        try:
            scenario = TerraMysticaScenario(
                players=len(self.ledger.factions),
                factions=self.ledger.factions,
                round_tiles=self.ledger.tiles,
                bonus_cards=cards,
                conversions="explicit",
                conversion_cap=250,
            )
        except ValidationError as error:
            raise BadRecord(f"set-up of the ledger: {explain(error)}") from None
        self.states = np.zeros(1, kinds.DTYPE)
        reset(self.states[0], scenario.pack()[0], np.uint64(1))
        for seat in range(len(self.ledger.factions)):
            self.trace.tick(self.s, seat, "setup")

    @property
    def s(self) -> Any:
        return self.states[0]

    # -- the stream of a seat

    def drop_idle(self, seat: int) -> None:
        stream = self.ledger.streams[seat]
        while stream and stream[0].verb == "idle":
            self._done(seat, stream.pop(0))

    def head(self) -> Command | None:
        stream = self.ledger.streams[int(self.s["seat"])]
        return stream[0] if stream else None

    def find(self, wanted: Callable[[Command], bool]) -> Command | None:
        """The first command of the deciding seat that fits, before its next action."""
        for command in self.ledger.streams[int(self.s["seat"])]:
            if wanted(command):
                return command
            if command.verb not in SOFT:
                return None
        return None

    def require(self, verb: str, missing: str) -> Command:
        found = self.find(lambda command: command.verb == verb)
        if found is None:
            raise self.blame(missing)
        return found

    def blame(self, reason: str) -> BadLedger:
        """The error at the deciding seat's next command, or after the last one."""
        seat = int(self.s["seat"])
        who = self.ledger.factions[seat]
        command = self.head()
        if command is not None:
            return BadLedger(command.line, command.text, f"{who}: {reason}")
        line = self.last.line if self.last else 0
        text = self.last.text if self.last else ""
        return BadLedger(line, text, f"the ledger ends here, but {who}: {reason}")

    def same_line(self) -> list[Command]:
        """The commands of the deciding seat that stand on the line of its next one."""
        stream = self.ledger.streams[int(self.s["seat"])]
        return [command for command in stream if command.line == stream[0].line]

    # -- doing

    def perform(self, action: int, *commands: Command) -> None:
        """Carry out an action that these commands ask for, and let the game go on."""
        seat = int(self.s["seat"])
        ids = np.zeros(action_ids.MOST_LEGAL, np.int32)
        count = legal_first(self.states, ids)
        if action not in ids[:count]:
            reason = reason_why_not(self.states, seat, action, commands)
            command = commands[0] if commands else self.head()
            if command is None:
                raise self.blame(reason)
            who = self.ledger.factions[seat]
            raise BadLedger(command.line, command.text, f"{who}: {reason}")
        if self.watch is not None:
            self.watch(self.states, action)
        self.decisions += 1
        event = apply_first(self.states, action)
        if event - event % 16 == TOOK_POWER:
            self._report(event)
        for command in commands:
            self.ledger.streams[seat].remove(command)
            self._done(seat, command)
        self._settle_late()
        while self.s["kind"] == kinds.NOTHING and self.s["seat"] != OVER:
            self._note_offers()
            self._report(proceed_first(self.states))
            self._note_void()

    def _done(self, seat: int, command: Command) -> None:
        self.last = command
        if command.verb == "idle" and not self.trace.is_next(seat, command.text):
            return
        self.trace.tick(self.s, seat, command.text)

    def _report(self, event: int) -> None:
        """Compare after what the game did by itself."""
        sort, seat = event - event % 16, event % 16
        if sort == GOT_INCOME:
            self.trace.tick(self.s, seat, "other_income_for_faction")
        elif sort == GOT_REWARD:
            self.trace.tick(self.s, seat, "cult_income_for_faction")
        elif sort == TOOK_POWER:
            self.trace.tick(self.s, seat, "[opponent accepted power]")
        elif sort == ALL_DECLINED:
            self.trace.tick(self.s, seat, "[all opponents declined power]")
        elif sort == SCORED_RESOURCES:
            self.trace.tick(self.s, seat, "score_resources")
        elif sort == SCORED_CULT:
            self._report_prizes(CULTS[seat])
        elif sort == SCORED_NETWORK:
            self._report_prizes("network")
        self._remember_points()

    def _remember_points(self) -> None:
        self.points = [int(vp) for vp in self.s["vp"]]

    def _report_prizes(self, what: str) -> None:
        for seat in range(len(self.ledger.factions)):
            prize = int(self.s["vp"][seat]) - self.points[seat]
            if prize > 0:
                self.trace.tick(self.s, seat, f"+{prize}vp for {what}")

    # -- power offers

    def _note_offers(self) -> None:
        offers = self.s["offer"]
        self.offers = {
            (row, seat): int(offers[row, seat])
            for row in range(2)
            for seat in range(len(self.ledger.factions))
            if offers[row, seat]
        }
        self.builder = int(self.s["builder"])

    def _note_void(self) -> None:
        """Offers that vanished without being asked had no effect; a ledger may answer them."""
        for (row, seat), amount in self.offers.items():
            if self.s["offer"][row, seat] == 0:
                self.void.append((seat, self.builder, amount))
                self.settle_void(seat)

    def settle_void(self, seat: int) -> None:
        """Tick off answers to void offers that stand next in a stream."""
        stream = self.ledger.streams[seat]
        while stream and stream[0].verb in ("leech", "decline"):
            command = stream[0]
            offer = (seat, self.builder_of(command), int(command.words[0]))
            if offer not in self.void:
                return
            self.void.remove(offer)
            self._done(seat, stream.pop(0))

    def _settle_late(self) -> None:
        """Answers that stand after the seat's own action are applied as soon as they are next."""
        for seat in {late[0] for late in self.late}:
            stream = self.ledger.streams[seat]
            while stream and stream[0].verb in ("leech", "decline"):
                command = stream[0]
                offer = (seat, self.builder_of(command), int(command.words[0]))
                if offer not in self.late:
                    break
                self.late.remove(offer)
                if command.verb == "leech":
                    take_power_late(self.states, seat, offer[2])
                self._done(seat, stream.pop(0))

    def settle_answers(self, seat: int) -> None:
        """Answers at the head of a stream must be to void or late offers."""
        self.settle_void(seat)
        self._settle_late()
        stream = self.ledger.streams[seat]
        if stream and stream[0].verb in ("leech", "decline"):
            command = stream[0]
            amount = int(command.words[0])
            self.builder_of(command)
            raise BadLedger(
                command.line, command.text, f"no {amount} power is offered to them there"
            )

    def builder_of(self, command: Command) -> int:
        if command.words[1] not in self.ledger.factions:
            raise BadLedger(command.line, command.text, f"{command.words[1]!r} is not in this game")
        return self.ledger.factions.index(command.words[1])
