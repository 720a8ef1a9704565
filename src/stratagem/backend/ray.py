"""Work on a Ray cluster: an actor for each worker, a task for each item of a map.

Every machine needs this package; run folders and the checkpoints that agent specs name must be
where all machines can read them.
"""

from __future__ import annotations

import pickle
import socket
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakSet

import ray
from ray.exceptions import ObjectLostError, RayActorError, RaySystemError

from stratagem.backend.crew import LinkedCrew, WorkerLost
from stratagem.backend.protocol import Item, Result
from stratagem.backend.worker_process import Failure, state_after, travelling
from stratagem.core.errors import BadSetting

_LOST = (RayActorError, ObjectLostError, RaySystemError)
_WAITING = 2  # running or waiting tasks of a map, for each core of the cluster


class RayBackend:
    """The cluster at an address (`auto`, `host:port`, `ray://host:port`); empty: this machine."""

    is_local = False

    def __init__(self, address: str = "") -> None:
        self._is_mine = not ray.is_initialized()
        if self._is_mine:
            _join(address)
        self.crews: WeakSet[LinkedCrew] = WeakSet()

    @property
    def cores(self) -> int:
        """The cores of all machines that are in the cluster now."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        report = on_result or (lambda result: None)
        results: list[Result] = []
        errors: list[Exception] = []
        under_way: deque[Any] = deque()
        most = _WAITING * self.cores

        def take() -> None:
            outcome = pickle.loads(ray.get(under_way.popleft()))
            if isinstance(outcome, Failure):
                errors.append(outcome.error)
            elif not errors:
                results.append(outcome)
                report(outcome)

        for item in items:
            if len(under_way) >= most:
                take()
            under_way.append(_REMOTE_RUN.remote(pickle.dumps((function, item))))
        while under_way:
            take()
        if errors:
            raise errors[0]
        return results

    def start_workers(self, factory: Callable[[Any], object], specs: Sequence[Any]) -> LinkedCrew:
        crew = LinkedCrew([RayLink(factory, spec) for spec in specs], _stored)
        self.crews.add(crew)
        return crew

    def close(self) -> None:
        """Stop all workers; leave the cluster if it was joined here."""
        for crew in list(self.crews):
            crew.close()
        if self._is_mine:
            ray.shutdown()


def _join(address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdigit():  # Ray itself would wait for minutes for an answer
            socket.create_connection((host, int(port)), timeout=5).close()
        ray.init(
            address=address or None, log_to_driver=False, include_dashboard=False,
            logging_level="warning",
        )  # fmt: skip
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise BadSetting(
            f"--address {address}: no Ray cluster there ({reason}); "
            "start one with `ray start --head`"
        ) from None


class RayLink:
    """One worker in an actor, and the last state it sent, kept here where no node can lose it."""

    def __init__(self, factory: Callable[[Any], object], spec: Any) -> None:
        self._made_from = pickle.dumps((factory, spec))
        self._state: bytes | None = None
        self.actor: Any = None
        self._stopped = False

    def start(self) -> None:
        self._end_actor()
        if self._stopped:
            raise WorkerLost("the crew was closed")
        self.actor = _REMOTE_WORKER.remote()
        self._get(self.actor.build.remote(self._made_from, self._state))

    def call(self, method: str, message: Any, index: int, own: tuple[Any, ...] = ()) -> Any:
        if self.actor is None:
            raise WorkerLost("not started")
        return self._get(self.actor.call.remote(method, message, index, pickle.dumps(own)))

    def stop(self) -> None:
        self._stopped = True
        self._end_actor()

    def _end_actor(self) -> None:
        actor, self.actor = self.actor, None
        if actor is not None and ray.is_initialized():
            ray.kill(actor)

    def _get(self, reference: Any) -> Any:
        try:
            packed, state = ray.get(reference)
        except _LOST as error:
            raise WorkerLost(str(error)) from None
        if state is not None:
            self._state = state
        result = pickle.loads(packed)
        if isinstance(result, Failure):
            raise result.error
        return result


def _stored(arguments: list[Any]) -> Any:
    """Put the arguments of all workers into the object store: each machine fetches them once."""
    return ray.put(pickle.dumps(arguments))


class _Worker:
    """A worker on some machine. Data is sent as bytes, so that arrays may be written to."""

    def build(self, made_from: bytes, state: bytes | None) -> tuple[bytes, None]:
        try:
            factory, spec = pickle.loads(made_from)
            self._worker = factory(spec)
            if state is not None:
                self._worker.restore(pickle.loads(state))
        except Exception as error:
            return pickle.dumps(travelling(error)), None
        return pickle.dumps(None), None

    def call(
        self, method: str, message: bytes, index: int, own: bytes
    ) -> tuple[bytes, bytes | None]:
        """Return the result, and the state that a replacement would start with."""
        try:
            arguments = (*pickle.loads(message)[index], *pickle.loads(own))
            result = getattr(self._worker, method)(*arguments)
            state = state_after(self._worker, method)
        except Exception as error:
            return pickle.dumps(travelling(error)), None
        return pickle.dumps(result), None if state is None else pickle.dumps(state)


def _run(task: bytes) -> bytes:
    try:
        function, item = pickle.loads(task)
        return pickle.dumps(function(item))
    except Exception as error:
        return pickle.dumps(travelling(error))


_REMOTE_WORKER: Any = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(_Worker)
_REMOTE_RUN: Any = ray.remote(num_cpus=1, max_retries=3, scheduling_strategy="SPREAD")(_run)
