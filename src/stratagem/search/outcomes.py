"""The value of a finished game: its result, optionally mixed with the margin in points.

A game won by one point or by forty has the same result; in games with many points, the margin tells
a search (and a network that learns from it) far more.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, States


class Margin(Protocol):
    """How much the margin in points counts: settings of a search or of a training run."""

    @property
    def margin_share(self) -> float: ...

    @property
    def margin_scale(self) -> float: ...


def outcome_values(game: Game, states: States, settings: Margin) -> npt.NDArray[np.float32]:
    """[B, P] of finished games: (1 - share) result + share tanh(margin / scale).

    The margin is a seat's points minus the mean of the others', so two seats sum to zero.
    """
    results = game.returns(states)
    if settings.margin_share == 0 or game.num_seats == 1:
        return results
    scores = game.scores(states)
    others = (scores.sum(axis=1, keepdims=True) - scores) / (game.num_seats - 1)
    margins = np.tanh((scores - others) / np.float32(settings.margin_scale))
    share = np.float32(settings.margin_share)
    mixed: npt.NDArray[np.float32] = (1 - share) * results + share * margins
    return mixed
