"""The other players of self-play games: who they are, when they are asked, what their moves teach.

Two copies of one network soon agree on how a game goes; players that play differently show them
what they never try. How a game with others ends is always learned, in their positions too. Their
own moves are learned if the settings say so. With `search.fixed_perspective` the learner observes
its whole game, the opponent's turns too, and learns what to expect there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents.kinds.random import RandomAgent
from stratagem.agents.kinds.scripted import ScriptedAgent
from stratagem.core.agent import Agent
from stratagem.core.game import Values
from stratagem.train.lineups import SELF, Draw, Lineups, Numbers


@dataclass(frozen=True)
class OtherPlayers:
    """Who sits beside the learner."""

    draw: Draw
    agents: Mapping[int, Agent]  # by number: those of the draw, and of games under way
    learn: str = "values"  # see Opponents.learn_from_opponents

    def ready(self, lineups: Lineups, players: Numbers, searching: bool) -> npt.NDArray[np.bool_]:
        """Which of the players [slots] that are waited for to ask now (SELF: none is waited for).

        Compiled players answer at once. Others cost about the same for one position as for many,
        so they are asked when half of their games wait for them.
        """
        wanted: npt.NDArray[np.bool_] = players != SELF
        if not searching:
            return wanted
        for player in np.unique(players[wanted]).tolist():
            if isinstance(self.agents[player], RandomAgent | ScriptedAgent):
                continue
            waiting = players == player
            if 2 * int(waiting.sum()) < int((lineups == player).any(axis=1).sum()):
                wanted &= ~waiting
        return wanted


@dataclass(frozen=True)
class Ending:
    """What a finished game teaches, decision by decision."""

    lineup: Numbers  # [P]
    returns: npt.NDArray[np.float32]  # [P]
    deciders: npt.NDArray[np.int8]  # [n]
    fixed_perspective: bool
    learn: str

    @property
    def of_others(self) -> npt.NDArray[np.bool_]:
        """[n] decisions that the learner did not take."""
        others: npt.NDArray[np.bool_] = self.lineup[self.deciders] != SELF
        return others

    def observer_seats(self) -> npt.NDArray[np.int8]:
        """[n] who observes each decision: the deciding seat, or always the learner's."""
        if self.fixed_perspective and (self.lineup != SELF).any():
            return np.full(len(self.deciders), np.flatnonzero(self.lineup == SELF)[0], np.int8)
        return self.deciders.copy()

    def policy_weights(self, searched: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """[n] how much each decision teaches the policy; `searched` is what searches gave them."""
        others = self.of_others
        learned = np.zeros(len(others), bool)
        if self.fixed_perspective or self.learn == "all":
            learned = others
        elif self.learn == "winners":
            best = self.returns[self.lineup == SELF].max()
            learned = others & (self.returns[self.deciders] > best)
        return np.where(others, learned, searched).astype(np.float32)

    def search_values(
        self, found: npt.NDArray[np.float32], values: Values
    ) -> npt.NDArray[np.float32]:
        """[n] the observer's value by search; where none was made, what the game was worth."""
        seats = self.observer_seats().astype(np.int64)
        own = np.take_along_axis(values, seats[:, None], axis=1)[:, 0]
        return np.where(np.isnan(found), own, found).astype(np.float32)
