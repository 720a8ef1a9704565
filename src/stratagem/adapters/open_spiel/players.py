"""Players for the other side: our agents as OpenSpiel's bots, its bots as our agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from stratagem.adapters.open_spiel.our_games import SpielGame, SpielState, to_open_spiel
from stratagem.agents.spec import make_agent
from stratagem.core.agent import FORFEIT, Agent
from stratagem.core.errors import NotAllowed
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds, derive_seeds

# (game, seed) -> a bot that decides in any state it is given.
BotMaker = Callable[[SpielGame, int], Any]

_SEEDS = 2**31  # bound of the seeds of OpenSpiel's bots


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents in a seat of a game from `to_open_spiel`.

    It sees only what its seat may know, as in our own matches. `agent` may be a spec: `random`,
    `best`, `mcts:none?sims=200`.
    """

    def __init__(self, agent: str | Agent, game: SpielGame, seat: int, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self.agent = make_agent(agent, game.game)
        self._game, self._seat, self._seed = game, seat, seed
        self._decisions = 0

    def step(self, state: SpielState) -> int:
        """Return the agent's action in a state where its seat decides."""
        hide_seed, decide_seed = derive_seeds(self._seed, "bot", self._decisions, count=2)
        self._decisions += 1
        seen = self._game.game.hidden_from(
            self._game.read(state.record),
            np.array([self._seat], np.int8),
            np.array([hide_seed], np.uint64),
        )
        action = int(self.agent.act(seen, np.array([decide_seed], np.uint64))[0])
        if action == FORFEIT:
            raise NotAllowed(f"{self.agent.spec} did not answer: play it in a match to see why")
        return action

    def restart(self) -> None:
        """Do nothing: nothing is remembered between decisions."""

    def restart_at(self, state: SpielState) -> None:
        """Do nothing, for a game that has begun."""


class BotAgent:
    """A bot of OpenSpiel as an agent for one of our games.

    `make_bot(game, seed)` is called for every decision, and its `step` gets a state without a past.
    That works for bots that look ahead, such as the one in mcts.py, but not for bots that follow a
    game from its beginning. As for every agent, hidden information has been drawn anew.
    """

    def __init__(self, game: Game, make_bot: BotMaker, spec: str) -> None:
        self.spec = spec
        self._game = to_open_spiel(game.spec)
        self._make_bot = make_bot

    def act(self, states: States, seeds: Seeds) -> Actions:
        chosen = [
            self._make_bot(self._game, int(seed) % _SEEDS).step(self._game.state_of(state))
            for state, seed in zip(states, seeds, strict=True)
        ]
        return np.array(chosen, np.int32)
