"""Players whose team does not coordinate: `independent:PATH?sims=N`.

They search joint actions like `mcts:` with the same options, but each agent of the team then takes
what was visited most often for it alone, whatever its teammates do. How much weaker that is than
`mcts:` says how much of a team's strength lies in choosing together.
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
    """A search over joint actions, of which each agent takes its own part."""

    def __init__(self, search: mcts.MctsAgent, game: Game, spec: str) -> None:
        self.spec = spec
        self._search = search
        self._parts = game.actions.parts

    def act(self, states: States, seeds: Seeds) -> Actions:
        return choose_apart(self._search.analyse(states, seeds), self._parts)


def choose_apart(report: RootReport, parts: Sequence[int]) -> Actions:
    """For each position the legal action made of what each agent would do for itself."""
    picked = np.empty(len(report.counts), np.int32)
    for row, count in enumerate(report.counts):
        actions, visits = report.actions[row, :count], report.visits[row, :count].astype(float)
        liking = np.zeros(count)
        for choices, size in zip(np.unravel_index(actions, tuple(parts)), parts, strict=True):
            own = np.bincount(choices, visits, size)
            liking += np.log(own[choices] / visits.sum() + _TINY)
        # Where two wishes do not go together, the pair of wishes that does and is liked best.
        picked[row] = actions[liking.argmax()]
    return picked


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> IndependentAgent:
    """`independent:PATH?sims=N`, with the options of `mcts:`."""
    if len(game.actions.parts) < 2:
        raise BadSetting(
            f"agent spec {spec!r}: an action of {game.spec} is one choice, write mcts:{target}"
        )
    return IndependentAgent(mcts.build(target, options, game, spec), game, spec)
