"""What every player offers: one batched decision function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from stratagem.core.game import Actions, States
from stratagem.core.seeding import Seeds

FORFEIT = -1  # instead of an action: this player gives no answer that counts


@runtime_checkable
class Agent(Protocol):
    """A player of one game.

    `act` is a pure function of its arguments: the same state and seed always give the same action,
    whatever else is in the batch. A seat (never chance) decides in every state, and everything that
    this seat cannot see has already been replaced by a random guess (`GameBatch.ask`,
    `GameSession.seen_by`).
    """

    @property
    def spec(self) -> str:
        """The text from which `make_agent` builds this agent."""
        ...

    def act(self, states: States, seeds: Seeds) -> Actions:
        """A legal action [B] int32 for each of states [B]; seeds [B] uint64 feed all randomness."""
        ...


@runtime_checkable
class MayForfeit(Protocol):
    """A player that can fail to answer, because it runs outside of this program.

    It returns FORFEIT then. In a match that game is lost by rule, and the others go on.
    """

    @property
    def failures(self) -> Mapping[str, int]:
        """What went wrong so far, in words, and how often."""
        ...
