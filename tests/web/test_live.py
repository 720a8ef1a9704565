"""What is told over WebSockets."""

import json
import time
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


@contextmanager
def listening(server, path):
    address = str(server.client.base_url).replace("http", "ws").rstrip("/")
    # A test that waits for something else does not read, and so answers no pings.
    with connect(f"{address}/api/{path}/live", max_size=None, ping_interval=None) as socket:
        yield socket


def messages(socket, wanted, seconds=300):
    """Messages up to the first that `wanted` accepts."""
    found, limit = [], time.monotonic() + seconds
    while not found or not wanted(found[-1]):
        found.append(json.loads(socket.recv(timeout=max(0.01, limit - time.monotonic()))))
    return found


def is_state(plies):
    return lambda message: message["type"] == "state" and message["state"]["plies"] == plies


def test_every_change_of_a_table_is_told(server):
    session = server.begin("connect_four", "human", "mcts:none?sims=50")["id"]
    with listening(server, f"sessions/{session}") as socket:
        first = messages(socket, is_state(0))[-1]["state"]
        assert first == server.state(session)
        server.ok(f"sessions/{session}/act", {"action": 3, "ply": 0})
        told = messages(socket, is_state(2))
        last = told[-1]["state"]
        assert last["position"] == server.state(session)["position"]
        events = {}
        for message in told:
            if message["type"] == "state":
                for event in message["state"]["events"]:
                    events[event["ply"]] = event
        assert [events[ply] for ply in sorted(events)] == server.state(session)["events"]
        assert any(message["type"] == "thinking" for message in told)
        server.ok(f"sessions/{session}/take-back")
        assert messages(socket, is_state(0))[-1]["state"]["possible"]["act"]


def test_agents_among_themselves_play_while_somebody_watches(server):
    session = server.begin("connect_four", "random", "random", pace_ms=0)["id"]
    time.sleep(0.2)
    assert server.state(session)["plies"] == 0
    with listening(server, f"sessions/{session}") as socket:
        server.ok(f"sessions/{session}/pause", {"paused": True})
        halted = server.state(session)
        assert halted["status"] == "paused"
        server.ok(f"sessions/{session}/pause", {"paused": False, "pace_ms": 0})
        told = messages(socket, lambda m: m["type"] == "state" and m["state"]["status"] == "over")
    assert told[-1]["state"]["result"]["reason"] == "finished"
    assert told[-1]["state"]["plies"] >= 7


def test_an_analysis_is_told_while_it_grows(server):
    session = server.begin("battlefield", "human", "random")["id"]
    with listening(server, f"sessions/{session}") as socket:
        body = {"maxVisits": 1500, "agent": "mcts:none?rollouts=16", "reportDuringSearchEvery": 0.1}
        final = server.ok(f"sessions/{session}/analyse", body)
        told = messages(
            socket,
            lambda m: m["type"] == "analysis" and not m["analysis"]["isDuringSearch"],
        )
    found = [message["analysis"] for message in told if message["type"] == "analysis"]
    assert found[-1] == final and len(found) > 1
    visits = [one["rootInfo"]["visits"] for one in found]
    assert visits == sorted(visits)


def test_the_graph_is_told_while_it_grows(server):
    session = server.begin("connect_four", "human", "random")["id"]
    server.act(session)
    with listening(server, f"sessions/{session}") as socket:
        server.ok(f"sessions/{session}/graph", {"maxVisits": 20})
        told = messages(socket, lambda m: m["type"] == "graph" and not m["graph"]["running"])
    assert told[-1]["graph"]["done"] == 3


@pytest.mark.parametrize("text", ["{}", "x", '{"type": "act"}', '{"type": "ping", "more": 1}'])
def test_a_client_may_only_ping(server, text):
    session = server.begin("connect_four", "human", "human")["id"]
    with listening(server, f"sessions/{session}") as socket:
        socket.send('{"type": "ping"}')
        assert messages(socket, lambda m: m["type"] == "pong")
        socket.send(text)
        assert "HTTP" in messages(socket, lambda m: m["type"] == "error")[-1]["detail"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=100)
    assert closed.value.rcvd.code == 1003
    assert server.state(session)["plies"] == 0


def test_an_oversized_or_binary_message_ends_the_connection(server):
    session = server.begin("connect_four", "human", "human")["id"]
    for message in ("x" * 20_000, b"\x00\x01"):
        with listening(server, f"sessions/{session}") as socket:
            socket.recv(timeout=100)
            socket.send(message)
            with pytest.raises(ConnectionClosed):
                for _ in range(3):
                    socket.recv(timeout=100)
    assert server.state(session)["plies"] == 0


@pytest.mark.parametrize("path", ["sessions/000000000000", "sessions/x", "runs/nothing"])
def test_nothing_to_listen_to(server, path):
    with listening(server, path) as socket:
        assert messages(socket, lambda m: m["type"] == "error")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=100)
    assert closed.value.rcvd.code == 4004


@pytest.mark.parametrize("name", ["%F0%9F%92%A5" * 40, "%C3%A9%0A" * 60, "%00", "x" * 5000])
def test_a_reason_is_told_whatever_letters_it_has(server, name):
    """The reason of a close frame has room for 123 bytes, which are fewer letters."""
    with listening(server, f"sessions/{name}") as socket:
        answer = messages(socket, lambda message: message["type"] == "error")[-1]
        assert answer["detail"].startswith("no game")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4004
    assert closed.value.rcvd.reason.startswith("no game")
