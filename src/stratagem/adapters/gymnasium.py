"""Any game as a Gymnasium environment: one seat learns, your agents play the others.

    from stratagem.adapters.gymnasium import SeatEnv
    env = SeatEnv("battlefield", opponents=["goal-rush"])
    observation, info = env.reset(seed=1)
    while True:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated:
            break

Dice and the others' moves happen inside `reset` and `step`, so in every observation but the last
the learner decides. What its seat may not know goes through `hide` before it is observed. The
reward is the return of the learner's seat and comes at the end. An action outside the mask loses
the game at once, as in PettingZoo's wrapper, because Gymnasium's own tools sample actions without a
mask.

Importing this module registers `Stratagem-v0` for `gymnasium.make`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from stratagem.agents.spec import make_agent
from stratagem.core.agent import Agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, Observer, as_batch
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.core.session import HUMAN, GameSession, SessionSetup

ENV_ID = "Stratagem-v0"
_LOSS = -1.0
_ATTEMPTS = 100  # to find a game in which the learner decides something
_STREAM = "gymnasium"

Array = npt.NDArray[Any]
Step = tuple[Array, float, bool, bool, dict[str, Any]]


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # gymnasium's types are not read here
    """One seat of a game. `game` is the original, `learner` the seat of this episode.

    `opponents` are agents or agent specs: one for every other seat, or a single one for all of
    them; they take the remaining seats in order. With `seat` None the learner's seat is drawn anew
    for every episode. `reset(seed=s)` starts the first episode of seed s; further resets without a
    seed play the following episodes of it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponents: Sequence[str | Agent] = ("random",),
        seat: int | None = 0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise BadSetting(f"render_mode {render_mode!r}: write 'ansi' or leave it out")
        self.game: Game = load_game(game)
        others = self.game.num_seats - 1
        if isinstance(opponents, str) or len(opponents) not in (1, others):
            raise BadSetting(
                f"opponents {opponents!r}: use a list of one agent, or of {others}, one "
                f"for each other seat of {self.game.spec}"
            )
        if seat is not None and not 0 <= seat < self.game.num_seats:
            raise BadSetting(f"seat {seat}: {self.game.spec} has seats 0 to {others}")
        self.render_mode = render_mode
        agents = [make_agent(agent, self.game) for agent in opponents]
        self._opponents = agents * others if len(agents) == 1 else agents
        self._seat = seat
        self.learner = 0 if seat is None else seat
        self._observer: Observer = self.game.observer()
        slices = self._observer.spec.slices
        shape = slices[0].shape if len(slices) == 1 else (self._observer.spec.size,)
        self.observation_space = spaces.Box(-np.inf, np.inf, shape, np.float32)
        self.action_space = spaces.Discrete(self.game.actions.size)
        self._episode = 0
        self._root: int | None = None
        self._session: GameSession | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._root, self._episode = seed, 0
        elif self._root is None:
            self._root = int(self.np_random.integers(2**62))
        number, self._episode = self._episode, self._episode + 1
        if self._seat is None:
            self.learner = derive_seed(self._root, _STREAM, "seat", number) % self.game.num_seats
        others = [seat for seat in range(self.game.num_seats) if seat != self.learner]
        self._others = dict(zip(others, self._opponents, strict=True))
        names = [HUMAN] * self.game.num_seats
        for seat, agent in self._others.items():
            names[seat] = agent.spec
        # An opponent may win before the learner has decided anything; then another game is started.
        for attempt in range(_ATTEMPTS):
            game_seed = derive_seed(self._root, _STREAM, number, attempt)
            session = GameSession(self.game, SessionSetup.new(self.game, names, game_seed))
            self._play_on(session)
            if not session.is_finished:
                self._session = session
                return self._observation(session), self._info(session)
        raise BadSetting(f"seat {self.learner} of {self.game.spec} never decides: choose another")

    def step(self, action: int) -> Step:
        session = self._session
        if session is None or session.is_finished:
            raise BadSetting("there is no game in progress: call reset() first")
        if not self._mask(session)[action]:
            self._session = None
            observation, info = self._observation(session), self._info(session)
            return observation, _LOSS, True, False, {**info, "illegal": True}
        session.play(int(action))
        self._play_on(session)
        reward, over = 0.0, session.is_finished
        if over:
            reward = 1.0 if session.returns is None else session.returns[self.learner]
        return self._observation(session), reward, over, False, self._info(session)

    def render(self) -> str | None:
        """Return the position as text; None unless created with render_mode="ansi"."""
        if self.render_mode is None or self._session is None:
            return None
        return self.game.rules.notation.format_state(self._session.seen_by(self.learner))

    def _play_on(self, session: GameSession) -> None:
        """Play dice and opponents until the learner decides or the game is over."""
        for _ in session.advance(self._others):
            pass

    def _observation(self, session: GameSession) -> Array:
        seen = as_batch(session.seen_by(self.learner))
        out = np.zeros((1, self._observer.spec.size), np.float32)
        seats = np.array([self.learner], np.int8)
        self._observer.observe_into(seen, np.zeros(1, np.int64), seats, out)
        return out.reshape(self.observation_space.shape)

    def _mask(self, session: GameSession) -> npt.NDArray[np.int8]:
        """[A] 1 for the learner's legal actions; all zero once the game is over."""
        mask = self.game.legal_mask(as_batch(session.state))[0]
        return np.asarray(mask, np.int8)

    def _info(self, session: GameSession) -> dict[str, Any]:
        return {"action_mask": self._mask(session), "seat": self.learner}


gymnasium.register(ENV_ID, entry_point=f"{__name__}:SeatEnv", kwargs={"game": "connect_four"})
