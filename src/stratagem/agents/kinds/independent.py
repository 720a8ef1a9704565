"""Players whose team does not coordinate: `independent:PATH?sims=N`.

They search joint actions like `mcts:` with the same options, but each agent of the team then takes
its own most visited choice, whatever its teammates do. How much weaker this is than `mcts:` shows
how much of a team's strength comes from choosing together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from stratagem.agents.kinds import mcts
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds
from stratagem.search import RootReport

_TINY = 1e-9


class IndependentAgent:
    """Searches joint actions, of which each agent of the team takes its own part."""

    def __init__(self, search: mcts.MctsAgent, game: Game, spec: str) -> None:
        self.spec = spec
        self._search = search
        self._parts = game.actions.parts

    def act(self, states: States, seeds: Seeds) -> Actions:
        return choose_apart(self._search.analyse(states, seeds), self._parts)


def choose_apart(report: RootReport, parts: Sequence[int]) -> Actions:
    """Return for each position the legal action made of each agent's own choice."""
    picked = np.empty(len(report.counts), np.int32)
    for row, count in enumerate(report.counts):
        actions, visits = report.actions[row, :count], report.visits[row, :count].astype(float)
        liking = np.zeros(count)
        for choices, size in zip(np.unravel_index(actions, tuple(parts)), parts, strict=True):
            own = np.bincount(choices, visits, size)
            liking += np.log(own[choices] / visits.sum() + _TINY)
        # If the choices are not legal together, take the most visited legal pair of choices.
        picked[row] = actions[liking.argmax()]
    return picked


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> IndependentAgent:
    """Build `independent:PATH?sims=N`, with the options of `mcts:`."""
    if len(game.actions.parts) < 2:
        raise BadSetting(
            f"agent spec {spec!r}: an action of {game.spec} is one choice, write mcts:{target}"
        )
    return IndependentAgent(mcts.build(target, options, game, spec), game, spec)
