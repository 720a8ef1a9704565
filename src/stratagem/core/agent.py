"""The agent protocol: one batched decision function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from stratagem.core.game import Actions, States
from stratagem.core.seeding import Seeds

FORFEIT = -1  # in place of an action: the player gave no valid answer


@runtime_checkable
class Agent(Protocol):
    """A player of one game.

    `act` is a pure function of its arguments: the same state and seed always give the same action,
    whatever else is in the batch. In every state a seat decides (never chance), and everything
    that seat cannot see has already been replaced by a random guess (`GameBatch.ask`,
    `GameSession.seen_by`).
    """

    @property
    def spec(self) -> str:
        """The string from which `make_agent` builds this agent."""
        ...

    def act(self, states: States, seeds: Seeds) -> Actions:
        """Return a legal action [B] int32 per state [B]; seeds [B] uint64 drive all randomness."""
        ...


@runtime_checkable
class MayForfeit(Protocol):
    """A player that may fail to answer because it runs outside this program.

    It then returns FORFEIT: in a match it loses that game, and the other games go on.
    """

    @property
    def failures(self) -> Mapping[str, int]:
        """The failures so far, in words, and how often each happened."""
        ...
