"""The life of a worker in its own process: build it, answer calls, end with the parent."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from stratagem.backend.packing import Packed, pack


def serve(connection: Connection, core: int | None) -> None:
    """Answer calls until the parent hangs up. Messages are those of `ProcessLink`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    leave_with_parent()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    os.environ["OMP_NUM_THREADS"] = "1"  # a worker is one thread; others use the other cores
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        worker = _build(connection)
        while worker is not None:
            _answer(connection, worker)


def leave_with_parent() -> None:
    """Exit this process when its parent is gone, even in the middle of a call."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _build(connection: Connection) -> object | None:
    try:
        with Packed.receive(connection) as message:
            factory, spec = message.unpack()
        worker: Any = factory(spec)
        if connection.recv():
            with Packed.receive(connection) as state:
                worker.restore(state.unpack())
    except Exception as error:
        _reply(connection, travelling(error), None)
        return None
    _reply(connection, None, None)
    return worker  # type: ignore[no-any-return]


def _answer(connection: Connection, worker: object) -> None:
    method, index, own = connection.recv()
    with Packed.receive(connection) as message:
        arguments = (*message.unpack()[index], *own)
    try:
        result = getattr(worker, method)(*arguments)
        state = state_after(worker, method)
    except Exception as error:
        result, state = travelling(error), None
    _reply(connection, result, state)


def _reply(connection: Connection, result: object, state: object) -> None:
    """Send the result, and the state that a replacement would start with."""
    parent = os.getppid()
    with pack(result) as message:
        message.send(connection, parent)
    connection.send(state is not None)
    if state is not None:
        with pack(state) as message:
            message.send(connection, parent)


def state_after(worker: Any, method: str) -> object | None:
    """Return what `restore` needs to get here again; None if there is nothing new to keep."""
    if method == "export" or not (hasattr(worker, "export") and hasattr(worker, "restore")):
        return None
    state: object = worker.export()
    return state


class Failure:
    """An error in a worker, to be raised by its caller."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def travelling(error: Exception) -> Failure:
    """Add the worker's traceback as a note; an error that cannot be pickled is simplified."""
    where = "".join(traceback.format_exception(error))
    try:
        copied = pickle.loads(pickle.dumps(error))
        if str(copied) == str(error):
            error.add_note(f"in a worker:\n{where}")
            return Failure(error)
    except Exception:  # some constructors fail with other arguments
        pass
    return Failure(RuntimeError(where))
