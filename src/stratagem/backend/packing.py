"""Data sent between processes: large pieces are in memory that both sides map.

The memory has no name: it is a file descriptor that is sent with the message, so nothing is left
behind, whichever side dies. Arrays on the other side are copy-on-write views of it.
"""

from __future__ import annotations

import mmap
import os
import pickle
import tempfile
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any

_INLINE = 1 << 16  # bytes that are sent through the pipe directly
_ALIGNED = 64  # alignment of arrays


@dataclass
class Packed:
    """An object as bytes: its pickle followed by the buffers of its arrays."""

    sizes: tuple[int, ...]  # of the pickle and of each buffer
    inline: bytes = b""  # everything, if it is small
    shared: int | None = None  # otherwise the descriptor of the memory that holds it

    @property
    def nbytes(self) -> int:
        return _offsets(self.sizes)[-1]

    def unpack(self) -> Any:
        """Return the object, with arrays of its own that may be written to."""
        if self.shared is None:
            memory = memoryview(bytearray(self.inline))
        else:  # the mapping lives as long as an array inside it
            memory = memoryview(mmap.mmap(self.shared, self.nbytes, access=mmap.ACCESS_COPY))
        starts = _offsets(self.sizes)
        parts = [memory[at : at + size] for at, size in zip(starts, self.sizes, strict=False)]
        return pickle.loads(parts[0], buffers=parts[1:])

    def send(self, connection: Connection, receiver: int) -> None:
        """Send it to the process with this id."""
        connection.send((self.sizes, self.inline, self.shared is not None))
        if self.shared is not None:
            send_handle(connection, self.shared, receiver)

    @staticmethod
    def receive(connection: Connection) -> Packed:
        """Receive what the other side sent."""
        sizes, inline, is_shared = connection.recv()
        return Packed(sizes, inline, recv_handle(connection) if is_shared else None)

    def close(self) -> None:
        """Free the memory, at the latest when this object is deleted; mappings of it stay valid."""
        if self.shared is not None:
            os.close(self.shared)
            self.shared = None

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Packed:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def pack(value: object) -> Packed:
    """Pack an object: contiguous arrays are copied once, repeated objects are packed once."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
    sizes = tuple(part.nbytes for part in parts)
    starts = _offsets(sizes)
    if starts[-1] <= _INLINE:
        inline = bytearray(starts[-1])
        for at, part in zip(starts, parts, strict=False):
            inline[at : at + part.nbytes] = part
        return Packed(sizes, bytes(inline))
    shared = _anonymous_file()
    try:
        os.ftruncate(shared, starts[-1])
        with mmap.mmap(shared, starts[-1]) as memory:
            for at, part in zip(starts, parts, strict=False):
                memory[at : at + part.nbytes] = part
    except BaseException:
        os.close(shared)
        raise
    return Packed(sizes, shared=shared)


def _offsets(sizes: tuple[int, ...]) -> list[int]:
    """Return where each part begins, and where the last one ends."""
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + -(-size // _ALIGNED) * _ALIGNED)
    return offsets


def _anonymous_file() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("stratagem")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
