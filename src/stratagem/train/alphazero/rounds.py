"""Self-play that goes on while the network learns: rounds, taken as they are finished.

A worker plays one round after the other, each with the newest network there is. Two bounds hold.
Finished rounds of a worker that nobody has taken are few: then it waits, so neither memory nor the
age of what is learned from grows when the learner is the slower one. And no round that is taken was
played by a network older than asked for: `has_older` says when to take more before publishing.

Every round is taken once, in the worker's order. It brings the games under way at its end, so that
a checkpoint made of taken rounds is whole: what was played after them is played again.
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
    """What a worker played in one go."""

    number: int  # of this worker's rounds, from 1
    version: int  # of the network
    results: list[SelfPlayResult]
    network_seconds: float  # spent inside it
    games: Arrays  # under way afterwards


@dataclass
class _Place:
    """A worker as the stream sees it."""

    rounds: int  # begun so far
    waiting: int = 0  # finished, not taken
    version: int | None = None  # of the network in the round under way


class RoundStream:
    """Workers that play on and on until the stream is closed."""

    def __init__(self, crew: Crew, rounds: Sequence[int], most_waiting: int) -> None:
        """`rounds`: how many each worker has played before; `most_waiting`: untaken ones of each.

        Nothing is played before a network is published.
        """
        self._crew, self._most_waiting = crew, most_waiting
        self._places = [_Place(count) for count in rounds]
        self._finished: deque[tuple[int, Round | BaseException]] = deque()
        self._changed = threading.Condition()
        self._network: tuple[int, Any] | None = None  # version and prepared arguments
        self._closed = False

    def publish(self, version: int, weights: object, sims: int, guests: object = None) -> None:
        """The network and its guests for all rounds that begin from now on."""
        prepared = self._crew.prepare(weights, version, sims, guests)
        with self._changed:
            self._network = version, prepared
            for worker in range(len(self._places)):
                self._begin(worker)

    def take(self) -> tuple[int, Round]:
        """(worker, the round that has waited longest); waits for one if there is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._finished)
            worker, outcome = self._finished.popleft()
            self._places[worker].waiting -= 1
            self._begin(worker)
        if isinstance(outcome, BaseException):
            raise outcome
        return worker, outcome

    def has_older(self, version: int) -> bool:
        """Whether a round under way or waiting has a network from before this one."""
        with self._changed:
            waiting = [one.version for _, one in self._finished if isinstance(one, Round)]
            playing = [one.version for one in self._places if one.version is not None]
        return any(one < version for one in (*waiting, *playing))

    def close(self) -> None:
        """Begin no more rounds; those under way are lost to this stream."""
        with self._changed:
            self._closed = True

    def _begin(self, worker: int) -> None:
        """Another round of this worker, unless it plays already or too many wait."""
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
        """Called in a thread of the crew when a round is finished: sends the worker on."""
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
