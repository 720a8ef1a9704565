"""The socket that the server listens on."""

import socket

from stratagem.web.serving import _bind
from stratagem.web.settings import ServerSettings


def test_answers_are_sent_without_delay(tmp_path):
    """asyncio switches Nagle's algorithm off for sockets that say they are TCP, and only those."""
    settings = ServerSettings(data=tmp_path, runs=tmp_path, port=0)
    with _bind(settings) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP
