"""The other players of self-play games: who they are, when they move, what is learned from them.

Two copies of one network soon agree on how a game goes; players with other styles show them what
they never try. The results of games with others are always learned from, for their positions too.
Their moves are learned from if the settings say so. With `search.fixed_perspective` the learner
observes the whole game, opponents' turns included, and learns what to expect there.
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
    """The players beside the learner."""

    draw: Draw
    agents: Mapping[int, Agent]  # by number: those in the draw, and in unfinished games
    learn: str = "values"  # see Opponents.learn_from_opponents

    def ready(self, lineups: Lineups, players: Numbers, searching: bool) -> npt.NDArray[np.bool_]:
        """Decide which awaited players [slots] to ask now (SELF: none is awaited).

        Compiled players are asked at once. Others take about as long for one position as for many,
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
        """[n] decisions made by others."""
        others: npt.NDArray[np.bool_] = self.lineup[self.deciders] != SELF
        return others

    def observer_seats(self) -> npt.NDArray[np.int8]:
        """[n] who observes each decision: the deciding seat, or always the learner's."""
        if self.fixed_perspective and (self.lineup != SELF).any():
            return np.full(len(self.deciders), np.flatnonzero(self.lineup == SELF)[0], np.int8)
        return self.deciders.copy()

    def policy_weights(self, searched: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """[n] weight of each decision for the policy; `searched` are the searches' own weights."""
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
        """[n] the observer's value by search; without a search, the game's outcome."""
        seats = self.observer_seats().astype(np.int64)
        own = np.take_along_axis(values, seats[:, None], axis=1)[:, 0]
        return np.where(np.isnan(found), own, found).astype(np.float32)
