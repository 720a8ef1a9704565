"""One game kept in step in both engines: a move of either is carried out in the other."""

from __future__ import annotations

from collections import Counter
from typing import Any

from follow import follow
from translate import (
    Diverged,
    Move,
    Turn,
    cell_of,
    differences,
    due,
    legal,
    setup_of,
    step,
    transforms,
    unused_spades,
)

from stratagem.agents.external_process import ExternalProcess
from stratagem.core.game import as_batch
from stratagem.games.terra_mystica import actions as ids
from stratagem.games.terra_mystica.board.hexes import CELL_LAND

FORFEIT, STRAY, DOUBLE = "spades not used", "spades strayed", "double turn in two"


class Table:
    """A game in progress: our state, the worker's game of the same name, and our turn so far."""

    def __init__(
        self, other: ExternalProcess, name: str, start: Any, ours: int, opponent: str, seed: int
    ) -> None:
        self.other, self.name, self.ours = other, name, ours
        self.states = as_batch(start).copy()
        self.exempt: Counter[str] = Counter()
        self.diverged = ""
        self.moves: list[str] = []  # the game so far, for reports
        self._turn = Turn()
        self._digs: list[Move] = []
        setup = setup_of(self.s)
        self.status = self._ask(do="new", seed=seed, opponent=opponent, **setup)
        self._guard(self._compare)

    @property
    def s(self) -> Any:
        return self.states[0]

    @property
    def over(self) -> bool:
        return bool(self.diverged) or self.status["kind"] == "over"

    def _ask(self, **request: Any) -> Any:
        return self.other.ask({"game": self.name, **request})

    def _guard(self, work: Any, *given: Any) -> None:
        """A difference ends the game and keeps its name."""
        try:
            work(*given)
        except Diverged as difference:
            self.diverged = str(difference)

    def close(self) -> None:
        self._ask(do="drop")

    # -- their moves

    def let_them_play(self) -> None:
        """Until our seat decides or the game is over."""
        while not self.over and self.status["seat"] != self.ours:
            self._guard(self._their_move)

    def _their_move(self) -> None:
        seat = int(self.s["seat"])
        answer = self._ask(do="play")
        if "refused" in answer:
            raise Diverged(f"their player is refused there: {answer['refused']}")
        self.moves.append(f"theirs {answer['moved']} {answer['move']}")
        self.status = answer
        before = self.s.copy()
        unused = follow(self.states, answer["moved"], answer["move"])
        self._give_for_unused(before, seat, unused, answer["moved"] == "turn")
        self._compare()

    # -- our moves

    def decide(self, action: int) -> None:
        """Carry out a decision of our agent, and send what it completes."""
        self._guard(self._decide, action)

    def _decide(self, action: int) -> None:
        before = self.states.copy()
        if action not in legal(before):
            raise Diverged(f"our agent chose an illegal action: {action}")
        step(self.states, action)
        kind = due(before[0])[1]
        if kind == "turn":
            self._turn.add(before, action, self.s)
            if self._turn.is_over(self.s, self.ours):
                turn, self._turn = self._turn, Turn()
                self._send_turn(before[0], turn)
        elif kind == "dig":
            self._dig(before, action)
        else:
            move = {
                "dwelling": lambda: cell_of(action),
                "card": lambda: action - ids.PASS,
                "leech": lambda: action == ids.ACCEPT,
                "cult": lambda: (action - ids.PRIEST) // 3,
            }[kind]()
            self._send(kind, move)
            self._compare()

    def _send_turn(self, before: Any, turn: Turn) -> None:
        self._send("turn", turn.moves, double=turn.double)
        self.exempt[STRAY] += turn.strays
        self.exempt[DOUBLE] += turn.double
        self._give_for_unused(before, self.ours, turn.unused, True)
        self._compare()

    def _dig(self, before: Any, action: int) -> None:
        """Reward spades: one answer for all of a round's."""
        s, unused = before[0], 0
        if action == ids.STOP:
            unused = int(s["reward"][self.ours])
        else:
            cell = cell_of(action)
            faction, terrain = int(s["faction"][self.ours]), int(s["terrain"][CELL_LAND[cell]])
            self._digs += transforms(faction, terrain, action % ids.PER_CELL, cell)
        if due(self.s) != (self.ours, "dig"):
            digs, self._digs = self._digs, []
            self._send("dig", digs)
            self._give_for_unused(s, self.ours, unused, False)
            self._compare()

    def _send(self, kind: str, move: Any, **more: Any) -> None:
        self.moves.append(f"ours {kind} {move}")
        if (self.status["seat"], self.status["kind"]) != (self.ours, kind):
            raise Diverged(f"who decides: {kind} of ours here, {self.status['kind']} there")
        answer = self._ask(do="move", move=move, **more)
        if "refused" in answer:
            raise Diverged(f"refused there: {answer['refused']}")
        self.status = answer

    # -- keeping in step

    def _give_for_unused(self, before: Any, seat: int, spades: int, in_turn: bool) -> None:
        """Spades that nobody used earn by our rules; the other side is set right, and counted."""
        given = unused_spades(before, seat, spades, in_turn)
        if given["points"] or given["power"]:
            self.exempt[FORFEIT] += spades
            fresh = self._ask(do="amend", seat=seat, **given)
            self.status = {**self.status, **fresh}

    def _compare(self) -> None:
        found = differences(self.s, self.status["table"])
        if found:
            raise Diverged("; ".join(found[:4]))
        here = due(self.s)
        there = (self.status["seat"], self.status["kind"])
        if here != there:
            raise Diverged(f"who decides: {here} here, {there} there")
