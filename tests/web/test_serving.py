"""The socket that the server listens on."""

import gc
import socket
import threading
import time

import uvicorn

from stratagem.web import http_protocol
from stratagem.web.http_protocol import ImpatientProtocol
from stratagem.web.serving import _bind, serve
from stratagem.web.settings import ServerSettings


def test_answers_are_sent_without_delay(tmp_path):
    """asyncio switches Nagle's algorithm off for sockets that say they are TCP, and only those."""
    settings = ServerSettings(data=tmp_path, runs=tmp_path, port=0)
    with _bind(settings) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


def test_garbage_collection_halts_answers_rarely(tmp_path, monkeypatch):
    """A full one takes 0.2 s with fifty games open, and would come every four seconds."""
    usual, found = gc.get_threshold(), []

    def run(server, sockets):
        found.extend([gc.get_freeze_count(), gc.get_threshold()])

    monkeypatch.setattr(uvicorn.Server, "run", run)
    try:
        serve(ServerSettings(data=tmp_path, runs=tmp_path, port=0), lambda address: None)
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
    frozen, threshold = found
    assert frozen > 10_000  # what was imported
    assert threshold == (*usual[:2], 10 * usual[2])


REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


async def answer(scope, receive, send):
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


def ask(connection: socket.socket) -> bytes:
    """Send a request and read its whole answer, which may arrive in several pieces."""
    connection.sendall(REQUEST)
    received = b""
    while not received.endswith(b"ok"):
        piece = connection.recv(1000)
        assert piece, f"closed after {received!r}"
        received += piece
    return received


def test_connections_that_never_finish_a_request_are_closed(tmp_path, monkeypatch):
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.3)
    listener = _bind(ServerSettings(data=tmp_path, runs=tmp_path, port=0))
    config = uvicorn.Config(answer, http=ImpatientProtocol, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    address = listener.getsockname()
    with (
        socket.create_connection(address, timeout=20) as silent,
        socket.create_connection(address, timeout=20) as half,
        socket.create_connection(address, timeout=20) as whole,
    ):
        half.sendall(REQUEST[:20])
        assert b"200" in ask(whole)
        assert silent.recv(10) == b""  # closed by the server
        assert half.recv(10) == b""
        time.sleep(0.5)
        assert b"200" in ask(whole)  # who asked before may think for longer
    server.should_exit = True
    thread.join(20)
