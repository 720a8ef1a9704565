"""Self-play that continues while the network learns: rounds, taken as they finish.

A worker plays one round after another, each with the newest network. Two limits hold. A worker
pauses when it has a few finished rounds that nobody has taken: so if the learner is slower, neither
memory use nor the age of the data grows. And no round is used whose network is too old: `has_older`
says when to take more rounds before publishing.

Every round is taken once, in the worker's order. It includes the games that were unfinished at its
end, so a checkpoint made from the rounds taken is complete: later rounds are played again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from stratagem.backend import Crew
from stratagem.core.state_arrays import Arrays
from stratagem.train.alphazero.results import SelfPlayResult


@dataclass(frozen=True)
class Round:
    """One round of a worker."""

    number: int  # of this worker's rounds, from 1
    version: int  # of the network
    results: list[SelfPlayResult]
    network_seconds: float  # time spent inside it
    games: Arrays  # unfinished games at the end


@dataclass
class _Place:
    """The state of a worker in the stream."""

    rounds: int  # started so far
    waiting: int = 0  # finished but not taken
    version: int | None = None  # of the network in the current round


class RoundStream:
    """Workers that keep playing until the stream is closed."""

    def __init__(self, crew: Crew, rounds: Sequence[int], most_waiting: int) -> None:
        """`rounds`: how many each worker has played before; `most_waiting`: maximum of untaken ones
        each.

        Nothing is played before a network is published.
        """
        self._crew, self._most_waiting = crew, most_waiting
        self._places = [_Place(count) for count in rounds]
        self._finished: deque[tuple[int, Round | BaseException]] = deque()
        self._changed = threading.Condition()
        self._network: tuple[int, Any] | None = None  # version and packed arguments
        self._closed = False

    def publish(self, version: int, weights: object, sims: int, guests: object = None) -> None:
        """Set the network and guests for all rounds that start from now on."""
        prepared = self._crew.prepare(weights, version, sims, guests)
        with self._changed:
            self._network = version, prepared
            for worker in range(len(self._places)):
                self._begin(worker)

    def take(self) -> tuple[int, Round]:
        """Return (worker, the round that has waited longest); wait if there is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._finished)
            worker, outcome = self._finished.popleft()
            self._places[worker].waiting -= 1
            self._begin(worker)
        if isinstance(outcome, BaseException):
            raise outcome
        return worker, outcome

    def has_older(self, version: int) -> bool:
        """Whether a current or waiting round was played by a network older than this version."""
        with self._changed:
            waiting = [one.version for _, one in self._finished if isinstance(one, Round)]
            playing = [one.version for one in self._places if one.version is not None]
        return any(one < version for one in (*waiting, *playing))

    def close(self) -> None:
        """Start no more rounds; discard those in progress."""
        with self._changed:
            self._closed = True

    def _begin(self, worker: int) -> None:
        """Start another round of this worker, unless it is playing or too many are waiting."""
        place = self._places[worker]
        if self._closed or self._network is None:
            return
        if place.version is not None or place.waiting >= self._most_waiting:
            return
        place.rounds += 1
        place.version, prepared = self._network
        future = self._crew.submit(worker, "play_round", prepared, place.rounds)
        future.add_done_callback(lambda done: self._end(worker, done))

    def _end(self, worker: int, done: Future[Round]) -> None:
        """Handle a finished round and start the next; called in a thread of the crew."""
        with self._changed:
            place = self._places[worker]
            place.version = None
            place.waiting += 1
            if done.cancelled():  # the crew was closed
                self._closed = True
                return
            error = done.exception()
            self._finished.append((worker, done.result() if error is None else error))
            if error is None:
                self._begin(worker)
            self._changed.notify_all()
