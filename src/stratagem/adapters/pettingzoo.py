"""Any game as a PettingZoo AEC environment.

    from stratagem.adapters.pettingzoo import env
    game = env("connect_four")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        over = termination or truncation
        game.step(None if over else game.action_space(agent).sample(info["action_mask"]))

Chance is resolved inside, from the seed; what an agent may not see goes through `hide` before it is
observed. Rewards come only at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, Observer, as_batch
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.core.session import GameSession, SessionSetup

Observation = dict[str, npt.NDArray[Any]]

_ILLEGAL_REWARD = -1.0


def env(game_spec: str, seed: int = 0, render_mode: str | None = None) -> Any:
    """Return a game with PettingZoo's usual guards: an illegal move loses, misuse raises."""
    guarded = wrappers.TerminateIllegalWrapper(
        StratagemEnv(game_spec, seed, render_mode), illegal_reward=_ILLEGAL_REWARD
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class StratagemEnv(AECEnv):  # type: ignore[misc]  # pettingzoo ships no types
    """One game, stepped by one agent at a time; agents are player_0, player_1, …

    `reset(seed=s)` starts the first episode of seed s; further resets without a seed play the
    following episodes of it, so a program that seeds once is fully reproducible.
    """

    def __init__(self, game_spec: str, seed: int = 0, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise BadSetting(f"render_mode {render_mode!r}: write 'ansi' or leave it out")
        self.game: Game = load_game(game_spec)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_seats)]
        self.agents: list[str] = []
        self._observer: Observer = self.game.observer()
        self._shape = _observation_shape(self._observer)
        self._observation_spaces = {agent: self._new_space() for agent in self.possible_agents}
        self._action_spaces = {
            agent: spaces.Discrete(self.game.actions.size) for agent in self.possible_agents
        }
        self._root = seed
        self._episode = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._root, self._episode = seed, 0
        episode_seed = derive_seed(self._root, "pettingzoo", self._episode)
        self._episode += 1
        setup = SessionSetup.new(self.game, self.possible_agents, episode_seed)
        self._session = GameSession(self.game, setup)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._settle()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self.infos[agent]["action_mask"][action]:
            raise BadSetting(f"action {action} is illegal for {agent}: choose one from its mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._session.play(int(action))
        self._settle()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        seen = as_batch(self._session.seen_by(seat))
        out = np.zeros((1, self._observer.spec.size), np.float32)
        self._observer.observe_into(seen, np.zeros(1, np.int64), np.array([seat], np.int8), out)
        return {"observation": out.reshape(self._shape), "action_mask": self._masks[seat].copy()}

    def render(self) -> str | None:
        """Return the position as text; None unless created with render_mode="ansi"."""
        if self.render_mode is None:
            return None
        return self.game.rules.notation.format_state(self._session.state)

    def close(self) -> None:
        """Do nothing: there are no open resources."""

    def _settle(self) -> None:
        """Roll dice until a seat decides or the game is over, and select that agent."""
        for _ in self._session.advance({}):
            pass
        returns = self._session.returns
        if returns is not None:
            for agent, value in zip(self.agents, returns, strict=True):
                self.rewards[agent] = value
                self.terminations[agent] = True
        else:
            self.agent_selection = self.possible_agents[self._session.seat]
        self._masks = self._legal_masks()
        self.infos = {
            agent: {"action_mask": self._masks[self.possible_agents.index(agent)].copy()}
            for agent in self.agents
        }

    def _legal_masks(self) -> npt.NDArray[np.int8]:
        """[P, A]: 1 for each legal action of the deciding seat, zero for all others."""
        masks = np.zeros((self.game.num_seats, self.game.actions.size), np.int8)
        if self._session.seat >= 0:
            ids, counts = self.game.legal(as_batch(self._session.state))
            masks[self._session.seat, ids[0, : counts[0]]] = 1
        return masks

    def _new_space(self) -> spaces.Space[Any]:
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self._shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self.game.actions.size,), np.int8),
            }
        )


def _observation_shape(observer: Observer) -> tuple[int, ...]:
    """Return the shape of a single slice, such as planes [C, H, W]; several stay one vector."""
    slices = observer.spec.slices
    return slices[0].shape if len(slices) == 1 else (observer.spec.size,)
