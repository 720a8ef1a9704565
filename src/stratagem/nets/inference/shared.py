"""One network shared by several threads: their positions become one batch.

A GPU is as fast with a thousand positions as with a hundred, so self-play's workers do not call it
separately. Each thread that has joined waits for the others; the last to call runs the network for
all of them. Threads that leave are no longer waited for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np

from stratagem.nets.inference.runner import Array

Network = Callable[[Array], tuple[Array, Array]]


@dataclass
class _Question:
    observations: Array
    answer: tuple[Array, Array] | None = None
    error: BaseException | None = None


_shared: WeakValueDictionary[Hashable, SharedNetwork] = WeakValueDictionary()
_sharing = threading.Lock()


def share_network(key: Hashable, make: Callable[[], Network]) -> SharedNetwork:
    """Return the network that others hold under this key, or a new one."""
    with _sharing:
        found = _shared.get(key)
        if found is None:
            found = _shared[key] = SharedNetwork(make())
        return found


class SharedNetwork:
    """A network (observations -> logits, values) for threads that call it at the same rate."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._changed = threading.Condition()
        self._joined: dict[int, int] = {}  # thread -> its position in a batch
        self._waiting: dict[int, _Question] = {}  # thread -> its question

    @contextmanager
    def joined(self, place: int) -> Iterator[None]:
        """Take part during the block; `place` orders the parts of a batch."""
        me = threading.get_ident()
        with self._changed:
            self._joined[me] = place
        try:
            yield
        finally:
            with self._changed:
                del self._joined[me]
                self._run_if_complete()

    def __call__(self, observations: Array) -> tuple[Array, Array]:
        me, question = threading.get_ident(), _Question(observations)
        with self._changed:
            if me not in self._joined:
                raise RuntimeError("join before calling")
            self._waiting[me] = question
            self._run_if_complete()
            self._changed.wait_for(lambda: question.answer or question.error)
        if question.error is not None:
            raise question.error
        assert question.answer is not None
        return question.answer

    def _run_if_complete(self) -> None:
        """Run the network if every thread that has joined is waiting."""
        if not self._waiting or len(self._waiting) < len(self._joined):
            return
        asked = [self._waiting[me] for me in sorted(self._waiting, key=self._joined.__getitem__)]
        self._waiting = {}
        try:
            logits, values = self._network(np.concatenate([one.observations for one in asked]))
            ends = np.cumsum([len(one.observations) for one in asked])[:-1]
            parts = zip(np.split(logits, ends), np.split(values, ends), strict=True)
            for question, answer in zip(asked, parts, strict=True):
                question.answer = answer
        except BaseException as error:
            for question in asked:
                question.error = error
        self._changed.notify_all()
