"""Work in processes on this machine: one core each, with large data in shared memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any
from weakref import WeakSet

from stratagem.backend.cores import available_cores
from stratagem.backend.crew import LinkedCrew, WorkerLost, call_link
from stratagem.backend.packing import Packed, pack
from stratagem.backend.protocol import Item, Result
from stratagem.backend.worker_process import Failure, serve


class ProcessBackend:
    """Processes for workers, and others for `map` that are kept until the backend is closed."""

    is_local = True

    def __init__(self, processes: int = 0) -> None:
        self._processes = processes or available_cores()  # at most, for `map`
        self.crews: WeakSet[LinkedCrew] = WeakSet()
        self._callers: list[ProcessLink] = []

    @property
    def cores(self) -> int:
        return self._processes

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        report, results = on_result or (lambda result: None), []
        links = self._some_callers(min(self._processes, len(items)))
        free: SimpleQueue[ProcessLink] = SimpleQueue()
        for link in links:
            free.put(link)

        def run(item: Item) -> Result:
            link = free.get()
            try:
                with pack([(function, item)]) as message:
                    result: Result = call_link(link, "run", message, 0)
                    return result
            finally:
                free.put(link)

        with ThreadPoolExecutor(max(1, len(links)), thread_name_prefix="map") as threads:
            try:
                for future in [threads.submit(run, item) for item in items]:
                    results.append(future.result())
                    report(results[-1])
            except KeyboardInterrupt:  # nobody wants the rest
                threads.shutdown(wait=False, cancel_futures=True)
                self.close()
                raise
        return results

    def start_workers(self, factory: Callable[[Any], object], specs: Sequence[Any]) -> LinkedCrew:
        cores = _cores_for(len(specs))
        links = [ProcessLink(factory, spec, core) for spec, core in zip(specs, cores, strict=True)]
        crew = LinkedCrew(links, pack)
        self.crews.add(crew)
        return crew

    def close(self) -> None:
        """Stop all processes now."""
        for crew in list(self.crews):
            crew.close()
        for link in self._callers:
            link.stop()
        self._callers = []

    def _some_callers(self, count: int) -> list[ProcessLink]:
        cores = _cores_for(self._processes)
        for number in range(len(self._callers), count):
            self._callers.append(ProcessLink(Caller, None, cores[number]))
        return self._callers[:count]


class Caller:
    """A worker without state that runs functions."""

    def __init__(self, spec: None) -> None:
        pass

    def run(self, function: Callable[[Any], Any], item: Any) -> Any:
        return function(item)


class ProcessLink:
    """A worker in a spawned process, and the last state it sent."""

    def __init__(self, factory: Callable[[Any], object], spec: Any, core: int | None) -> None:
        self._factory, self._spec, self._core = factory, spec, core
        self._state: Packed | None = None
        self._process: tuple[Any, Connection] | None = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The process id of the worker."""
        return None if self._process is None else int(self._process[0].pid)

    def start(self) -> None:
        self._end_process()
        if self._stopped:
            raise WorkerLost("the crew was closed")
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process: Any = context.Process(target=serve, args=(theirs, self._core), daemon=True)
        process.start()
        theirs.close()
        self._process = process, ours
        with _noticing_loss(), pack((self._factory, self._spec)) as message:
            message.send(ours, process.pid)
            ours.send(self._state is not None)
            if self._state is not None:
                self._state.send(ours, process.pid)
        self._answer(process, ours)

    def call(self, method: str, message: Packed, index: int, own: tuple[Any, ...] = ()) -> Any:
        if self._process is None:
            raise WorkerLost("not started")
        process, connection = self._process
        with _noticing_loss():
            connection.send((method, index, own))
            message.send(connection, process.pid)
        return self._answer(process, connection)

    def stop(self) -> None:
        self._stopped = True
        self._end_process()

    def _end_process(self) -> None:
        if self._process is not None:
            process, connection = self._process
            self._process = None
            process.kill()
            process.join()
            connection.close()

    def _answer(self, process: Any, connection: Connection) -> Any:
        with _noticing_loss():
            wait([connection, process.sentinel])
            if not connection.poll():
                raise WorkerLost(f"worker {process.pid} died")
            with Packed.receive(connection) as message:
                result = message.unpack()
            if connection.recv():
                old, self._state = self._state, Packed.receive(connection)
                if old is not None:
                    old.close()
        if isinstance(result, Failure):
            raise result.error
        return result


@contextmanager
def _noticing_loss() -> Iterator[None]:
    """Treat a pipe whose other end is closed as the loss of the worker."""
    try:
        yield
    except (EOFError, OSError) as error:
        raise WorkerLost(f"worker hung up: {error}") from None


def _cores_for(workers: int) -> list[int | None]:
    """Return a core for each worker if they fill the machine; otherwise the system places them.

    Two half-full crews would otherwise share the first cores and leave the others idle.
    """
    if not hasattr(os, "sched_getaffinity") or workers < available_cores():
        return [None] * workers
    cores = sorted(os.sched_getaffinity(0))
    return [cores[number % len(cores)] for number in range(workers)]
