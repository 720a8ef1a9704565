"""Measures of the games of an iteration, as declared by their game.

The means go into the run's metrics, so that every run has curves of them at no extra cost.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from stratagem.core.game import Game, States
from stratagem.runs.metrics import MeanOf
from stratagem.train.alphazero.results import FinishedGame

_MOST_GAMES = 256  # games measured per iteration: more would only cost time
_SEAT = re.compile(r"seat\d+/")


def measure_games(games: Sequence[Game], finished: Sequence[FinishedGame]) -> dict[str, MeanOf]:
    """Return the mean of each measure over these games and seats."""
    values: dict[str, list[float]] = defaultdict(list)
    for one in finished[:_MOST_GAMES]:
        measures = games[one.scenario_index].rules.measures
        if measures is None:
            continue
        for name, value in measures(_positions(games[one.scenario_index], one), one.events).items():
            if not math.isnan(value):
                values[_SEAT.sub("", name)].append(float(value))
    return {
        name: MeanOf(mean=round(float(np.mean(numbers)), 4), count=len(numbers))
        for name, numbers in values.items()
    }


def _positions(game: Game, finished: FinishedGame) -> States:
    """Return every position of a game, from first to last."""
    positions = np.empty(len(finished.events) + 1, game.rules.dtype)
    positions[:1] = game.new_states(np.array([finished.setup_seed], np.uint64))
    for number, event in enumerate(finished.events):
        positions[number + 1] = positions[number]
        game.kernels.step(positions[number + 1 : number + 2], np.array([event], np.int32))
    return positions
