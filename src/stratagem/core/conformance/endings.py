"""Conformance of finished games: nobody decides, and every seat has a return."""

from __future__ import annotations

import numpy as np

from stratagem.core.conformance.failure import require, trying
from stratagem.core.conformance.playing import Played, list_chance, list_legal
from stratagem.core.game import Game

_ROUNDING = 1e-5


def check_endings(game: Game, played: Played) -> None:
    """Returns are finite, in [-1, 1] and set for every seat; those of two seats sum to 0."""
    states = played.endings
    before = states.tobytes()
    _, legal_counts = list_legal(game, states)
    require(not legal_counts.any(), "a finished game lists legal actions")
    if game.rules.chance is not None:
        require(not list_chance(game, states)[2].any(), "a finished game lists chance outcomes")
    # Start from NaN: the search passes memory that has not been cleared.
    values = np.full((len(states), game.num_seats), np.nan, np.float32)
    with trying("returns"):
        game.kernels.returns(states, values)
    require(
        bool(np.all(np.isfinite(values))),
        f"returns must write a finite value for each of the {game.num_seats} seats",
    )
    extreme = float(np.abs(values).max())
    require(extreme <= 1 + _ROUNDING, f"a return of size {extreme} is outside [-1, 1]")
    if game.num_seats == 2:
        sums = np.abs(values.sum(axis=1))
        require(float(sums.max()) < _ROUNDING, f"returns of two seats sum to {sums.max()}, not 0")
    for row in range(len(states)):
        alone = game.returns(states[row : row + 1])[0]
        require(
            bool(np.array_equal(alone, values[row])),
            "returns of a state depend on the batch it is in",
        )
    with trying("score"):
        scores = game.scores(played.everything)
    require(bool(np.all(np.isfinite(scores))), "score wrote a value that is not finite")
    require(states.tobytes() == before, "returns or score changed the state")
