"""Workers in other processes or machines: a worker that is lost is rebuilt with its state.

A worker with `export` and `restore` sends its state back with every result. When it dies, a new one
is built from the same spec, restores the last state and repeats the call, so the result is the same
as if nothing had happened.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol

_MOST_LOSSES = 3  # of one worker in one call: then the call itself is to blame


class WorkerLost(Exception):
    """The process, actor or machine of a worker is gone."""


class Link(Protocol):
    """A connection to one worker. Each method raises WorkerLost if the worker dies during it."""

    def start(self) -> None:
        """Start a new worker, replacing any old one, with the last state that it sent."""
        ...

    def call(self, method: str, message: Any, index: int, own: tuple[Any, ...] = ()) -> Any:
        """Call `worker.method(*arguments[index], *own)`; the message contains all arguments."""
        ...

    def stop(self) -> None:
        """Stop the worker now, whatever it is doing."""
        ...


class LinkedCrew:
    """Workers behind links. `pack` makes one message of everybody's arguments."""

    def __init__(self, links: Sequence[Link], pack: Callable[[Any], Any]) -> None:
        self.links, self._pack = links, pack
        # A thread per worker does nothing but wait for its results.
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="crew") for _ in links]
        self.close = weakref.finalize(self, _close, links, self._threads)
        self._gather(
            [thread.submit(_start, link) for thread, link in zip(self._threads, links, strict=True)]
        )

    def __len__(self) -> int:
        return len(self.links)

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        if len(arguments) != len(self.links):
            raise ValueError(f"{len(arguments)} calls for {len(self.links)} workers")
        message = self._pack(list(arguments))
        return self._gather(
            [
                thread.submit(call_link, link, method, message, index)
                for index, (thread, link) in enumerate(zip(self._threads, self.links, strict=True))
            ]
        )

    def prepare(self, *arguments: Any) -> Any:
        return self._pack([arguments])

    def submit(self, worker: int, method: str, prepared: Any, *own: Any) -> Future[Any]:
        link = self.links[worker]
        return self._threads[worker].submit(call_link, link, method, prepared, 0, own)

    def _gather(self, futures: Sequence[Future[Any]]) -> list[Any]:
        try:
            return [future.result() for future in futures]
        except KeyboardInterrupt:  # do not wait for minutes of play that nobody wants
            self.close()
            raise
        finally:  # no worker is in the middle of a call when an error reaches the caller
            for future in futures:
                with suppress(Exception):
                    future.exception()


def _start(link: Link) -> None:
    for left in reversed(range(_MOST_LOSSES)):
        try:
            return link.start()
        except WorkerLost:
            if not left:
                raise


def call_link(link: Link, method: str, message: Any, index: int, own: tuple[Any, ...] = ()) -> Any:
    """Make a call, and repeat it on a replacement if the worker dies."""
    for left in reversed(range(_MOST_LOSSES)):
        try:
            return link.call(method, message, index, own)
        except WorkerLost:
            if not left:
                raise
            _start(link)


def _close(links: Sequence[Link], threads: Sequence[ThreadPoolExecutor]) -> None:
    for link in links:
        link.stop()
    for thread in threads:
        thread.shutdown(wait=False, cancel_futures=True)
