"""A trained network as an evaluator for the search and for other uses."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, Observer, States
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.inference.shared import SharedNetwork
from stratagem.nets.strength import USUAL, write_strength
from stratagem.search import Evaluation, turn_to_seats


class NetworkEvaluator:
    """Observes leaves, runs the network, and converts its values to one value per seat."""

    def __init__(
        self,
        game: Game,
        observer: Observer,
        network: InferenceNetwork | SharedNetwork,
        search: Mapping[str, float] | None = None,
        strength: float = USUAL,
    ) -> None:
        self.game = game
        self.observer = observer
        self.network = network
        self.search = dict(search or {})  # search settings that its values depend on
        self.strength = strength  # of its reference policy, if that is an input
        self.seconds = 0.0  # spent inside the network so far
        self._seen = np.zeros((0, observer.spec.size), np.float32)

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        return self.evaluate_for(states, rows, states["seat"][rows])

    def evaluate_for(
        self, states: States, rows: npt.NDArray[np.int64], observer_seats: npt.NDArray[np.int8]
    ) -> Evaluation:
        """Evaluate what `observer_seats` see; the values are theirs."""
        observation = self._blank(len(rows))
        self.observer.observe_into(states, rows, observer_seats, observation)
        write_strength(self.observer.spec, observation, self.strength)
        started = time.perf_counter()
        logits, values = self.network(observation)
        self.seconds += time.perf_counter() - started
        by_seat = np.empty((len(observer_seats), self.game.num_seats), np.float32)
        turn_to_seats(values, observer_seats, by_seat)
        return Evaluation(logits, by_seat)

    def _blank(self, count: int) -> npt.NDArray[np.float32]:
        """Return [count, D] to observe into. The memory is reused: new pages would be slower."""
        if len(self._seen) < count:
            self._seen = np.empty((count, self._seen.shape[1]), np.float32)
        blank = self._seen[:count]
        if not self.observer.encoding.clears:
            blank.fill(0.0)
        return blank
