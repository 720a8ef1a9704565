"""One person against an agent: turns, dice, taking back, hints. Reads and prints nothing.

Chance outcomes and the agent's choices depend on the seed and on how often each has happened, so
a move that is taken back meets the same dice again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.agents import make_agent
from stratagem.agents.mcts import MctsAgent
from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.game import Game, as_batch
from stratagem.core.record import GameRecord, record_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.evaluate.analysis import analyse_positions, searching_agent

PERSON = "person"


class Sitting:
    """A game with a person in one seat and the same agent in all others."""

    def __init__(self, game: Game, seat: int, opponent: str, seed: int) -> None:
        if not 0 <= seat < game.num_seats:
            raise BadSetting(f"seat {seat}: {game.spec} has seats 0 to {game.num_seats - 1}")
        self.game = game
        self.seat = seat
        self.seed = seed
        self._agent = make_agent(opponent, game)
        self._adviser: MctsAgent | None = None
        self._setup = int(derive_seeds(seed, "setup", count=1)[0])
        self._states = [game.new_states(np.array([self._setup], np.uint64))[0]]
        self._actions: list[int] = []

    # -- looking -----------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self._states[-1]

    @property
    def over(self) -> bool:
        return int(self.state["seat"]) == OVER

    @property
    def returns(self) -> tuple[float, ...]:
        """Results per seat, once the game is over."""
        return tuple(float(value) for value in self.game.returns(as_batch(self.state))[0])

    def board(self) -> str:
        """The position as the person may see it."""
        if self.game.kernels.hide is None or self.over:
            return self.game.rules.notation.format_state(self.state)
        text = self.game.rules.notation.format_state(self._seen(self.seat))
        return f"{text}\n(what you cannot see is drawn at random here)"

    def moves(self) -> list[str]:
        """The person's legal moves in notation."""
        notation = self.game.rules.notation
        return [
            notation.format_action(self.state, action)
            for action in self.game.legal_actions(self.state)
        ]

    def read_move(self, text: str) -> int:
        """A legal action from notation, or from its number in `moves` (`3`, or surely `#3`)."""
        legal = self.game.legal_actions(self.state)
        number = text.removeprefix("#").strip()
        if not text.startswith("#"):
            try:
                action = self.game.rules.notation.parse_action(self.state, text)
            except StratagemError as error:
                if not number.isdecimal():
                    raise BadSetting(str(error)) from None
            else:
                if action in legal:
                    return action
                if not number.isdecimal():
                    raise BadSetting(f"move {text!r} is not legal here")
        if number.isdecimal() and 1 <= int(number) <= len(legal):
            return legal[int(number) - 1]
        raise BadSetting(f"move {text!r}: write a move or its number from 1 to {len(legal)}")

    # -- doing -------------------------------------------------------------------------------

    def play(self, action: int) -> list[str]:
        """The person's move and what follows it, told line by line."""
        return [self._apply(action, "you play"), *self.go_on()]

    def go_on(self) -> list[str]:
        """Dice and the agent's moves until the person decides or the game ends."""
        lines = []
        while not self.over and int(self.state["seat"]) != self.seat:
            seat = int(self.state["seat"])
            if seat == CHANCE:
                seeds = self._nth("chance", self._rolls())
                outcome = int(self.game.draw(as_batch(self.state), seeds)[0])
                lines.append(self._apply(outcome, "chance:"))
            else:
                seen = as_batch(self._seen(seat))
                seeds = self._nth("decide", len(self._actions))
                action = int(self._agent.act(seen, seeds)[0])
                lines.append(self._apply(action, f"seat {seat} plays"))
        return lines

    def undo(self) -> bool:
        """Back to the person's last decision; False if there was none."""
        earlier = [i for i, s in enumerate(self._states[:-1]) if int(s["seat"]) == self.seat]
        if not earlier:
            return False
        del self._states[earlier[-1] + 1 :], self._actions[earlier[-1] :]
        return True

    def hint(self, count: int = 3) -> list[str]:
        """The best candidates of a search, told line by line."""
        if self._adviser is None:
            searches = isinstance(self._agent, MctsAgent)
            spec = self._agent.spec if searches else ""
            self._adviser = searching_agent(spec, self.game)
        turn = analyse_positions(
            self.game, self._adviser, as_batch(self.state), [0], [], self.seed
        )[0]
        return [
            f"hint {move.order + 1}: {move.move} (prior {100 * move.prior:.0f} %, "
            f"{move.visits} of {turn.visits} visits, value {move.value:+.2f})"
            for move in turn.moves[:count]
            if move.value is not None
        ]

    def record(self) -> GameRecord:
        """The game so far, replayable."""
        names = [self._agent.spec] * self.game.num_seats
        names[self.seat] = PERSON
        return record_game(self.game, self._setup, self._actions, tuple(names), {"seed": self.seed})

    def _apply(self, action: int, who: str) -> str:
        text = self.game.rules.notation.format_action(self.state, action)
        self._states.append(self.game.after(self.state, action))
        self._actions.append(action)
        return f"{who} {text}"

    def _seen(self, seat: int) -> Any:
        seats = np.array([seat], np.int8)
        seeds = self._nth("hide", len(self._actions))
        return self.game.hidden_from(as_batch(self.state), seats, seeds)[0]

    def _rolls(self) -> int:
        return sum(int(state["seat"]) == CHANCE for state in self._states[:-1])

    def _nth(self, purpose: str, number: int) -> Seeds:
        return derive_seeds(self.seed, purpose, number, count=1)
