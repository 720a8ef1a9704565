"""A trained network as an evaluator for the search, and as numbers for everyone else."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, Observer, States
from stratagem.nets.inference import InferenceNetwork
from stratagem.search import Evaluation


class NetworkEvaluator:
    """Observes leaves, asks the network, and turns its values into one value per seat."""

    def __init__(
        self,
        game: Game,
        observer: Observer,
        network: InferenceNetwork,
        search: Mapping[str, float] | None = None,
    ) -> None:
        self.game = game
        self.observer = observer
        self.network = network
        self.search = dict(search or {})  # settings of the search that its values belong to
        self.seconds = 0.0  # spent inside the network so far

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        seats = states["seat"][rows]
        observation = np.zeros((len(rows), self.observer.spec.size), np.float32)
        self.observer.observe_into(states, rows, seats, observation)
        started = time.perf_counter()
        logits, values = self.network(observation)
        self.seconds += time.perf_counter() - started
        return Evaluation(logits, seat_values(values, seats, self.game.num_seats))


def seat_values(
    values: npt.NDArray[np.float32], seats: npt.NDArray[np.int8], num_seats: int
) -> npt.NDArray[np.float32]:
    """[B, P] by absolute seat, from what a network says relative to the deciding seat.

    One number means two seats with opposite interests; else entry k is seat (decider + k) % P.
    """
    rows = np.arange(len(seats))[:, None]
    turned = (seats[:, None].astype(np.int64) + np.arange(num_seats)) % num_seats
    result = np.empty((len(seats), num_seats), np.float32)
    relative = np.hstack([values, -values]) if values.shape[1] == 1 else values
    result[rows, turned] = relative
    return result
