"""The player that chooses every legal action with equal probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents.spec import check_options
from stratagem.core.compile import kernel
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.random_kernels import below, start
from stratagem.core.seeding import Seeds


@dataclass(frozen=True)
class RandomAgent:
    """Chooses uniformly among the legal actions, with one seed per state."""

    game: Game
    spec: str = "random"

    def act(self, states: States, seeds: Seeds) -> Actions:
        ids, counts = self.game.legal(states)
        chosen = np.empty(len(states), np.int32)
        _choose(ids, counts, seeds, chosen)
        return chosen


@kernel
def _choose(
    ids: npt.NDArray[np.int32],  # [B, W]
    counts: npt.NDArray[np.int32],  # [B]
    seeds: Seeds,  # [B]
    out: Actions,  # [B]
) -> None:
    for i in range(len(seeds)):
        out[i] = ids[i, below(start(seeds[i]), counts[i])]


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> RandomAgent:
    """Build `random`, which has no target and no options."""
    if target:
        raise BadSetting(f"agent spec {spec!r}: random takes no target, write random")
    check_options(spec, options, ())
    return RandomAgent(game, spec)
