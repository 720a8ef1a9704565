"""Checks agents' actions. The rules do not: an illegal action would quietly corrupt the game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import FORFEIT, Agent, MayForfeit
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions


def answers_of(agent: Agent, given: object, count: int) -> Actions:
    """Return what an agent's `act` returned as int32 [count]; refuse anything else, even 3.7."""
    actions = np.asarray(given)
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        raise BadSetting(
            f"agent {agent.spec!r} returned {actions.dtype} of shape {actions.shape} for {count} "
            "positions: act must return one whole number for each"
        )
    return actions.astype(np.int32, copy=False)


def check_legal(
    agent: Agent, ids: npt.NDArray[np.int32], counts: npt.NDArray[np.int32], actions: Actions
) -> None:
    """Refuse an agent's actions unless each is among the first counts [B] of its ids [B, W]."""
    if isinstance(agent, MayForfeit) and (actions == FORFEIT).any():
        reasons = "; ".join(agent.failures)
        raise BadSetting(f"agent {agent.spec!r} did not answer: {reasons}")
    listed = np.arange(ids.shape[1])[None, :] < counts[:, None]
    legal = ((ids == actions[:, None]) & listed).any(axis=1)
    if not legal.all():
        action = int(actions[~legal][0])
        raise BadSetting(f"agent {agent.spec!r} chose illegal action {action}: fix the agent")
