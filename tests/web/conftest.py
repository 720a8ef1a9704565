"""One server inside this process, with one search process, that most tests share."""

import socket
import threading
import time
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from runs.made_up import some_metrics
from stratagem.web.app import create_app
from stratagem.web.settings import ServerLimits, ServerSettings


class Player:
    """A client of one server, with the requests that tests make most."""

    def __init__(self, client, app):
        self.client = client
        self.app = app

    def get(self, path, **query):
        return self.client.get(f"/api/{path}", params=query)

    def post(self, path, body=None):
        return self.client.post(f"/api/{path}", json={} if body is None else body)

    def ok(self, path, body=None):
        """The answer to a POST that has to succeed."""
        answer = self.post(path, body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def state(self, session):
        answer = self.get(f"sessions/{session}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def begin(self, game, *seats, **more):
        return self.ok("sessions", {"game": game, "seats": list(seats), "seed": 1, **more})

    def wait(self, session, seconds=300):
        """The session once a person may act or the game has ended."""
        limit = time.monotonic() + seconds
        while True:
            state = self.state(session)
            assert state["error"] is None, state["error"]
            if state["possible"]["act"] or state["status"] in ("over", "record"):
                return state
            assert time.monotonic() < limit, "nobody moves"
            time.sleep(0.02)

    def act(self, session, choose=lambda legal: legal[0]):
        """One decision of a person, and whatever follows it."""
        state = self.wait(session)
        chosen = choose(state["legal"])
        self.ok(f"sessions/{session}/act", {"action": chosen["action"], "ply": state["plies"]})
        return self.wait(session)

    def play_out(self, session):
        """Decide for the person at random until the game is over."""
        state, step = self.wait(session), 0
        while state["status"] == "running":
            step += 7
            state = self.act(session, lambda legal, at=step: legal[at % len(legal)])
        return state


@contextmanager
def running(settings):
    """A server with its search processes, in this process."""
    app = create_app(settings)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="warning", ws_max_size=settings.limits.message_bytes)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        with httpx.Client(base_url=address, timeout=300) as client:
            yield Player(client, app)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="session")
def make_server():
    return running


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory):
    """A folder of runs: one that has metrics, gates, games and no checkpoint."""
    runs = tmp_path_factory.mktemp("runs")
    run = runs / "first"
    (run / "games").mkdir(parents=True)
    (run / "config.toml").write_text(
        'game = "connect_four/default"\nalgorithm = "alphazero"\npreset = "tiny"\nseed = 3\n'
        "[search]\nsims = 16\n"
    )
    rows = [
        some_metrics(
            i,
            accepted=i != 2,
            gate={"accepted": i != 2, "games": 40, "score": 0.5 + i / 20, "reason": "threshold"},
            anchors={"random": {"score": 0.5 + i / 10, "low": 0.5, "high": 0.9}},
        )
        for i in (1, 2, 3)
    ]
    text = "".join(row.as_line() + "\n" for row in rows)
    (run / "metrics.jsonl").write_text(text + '{"iteration": 4, "sec')
    return runs


@pytest.fixture(scope="session")
def settings(tmp_path_factory, run_folder):
    return ServerSettings(
        data=tmp_path_factory.mktemp("data"),
        runs=run_folder,
        workers=1,
        limits=ServerLimits(sessions=200, sims=2000, message_bytes=8192, upload_bytes=100_000),
    )


@pytest.fixture(scope="session")
def server(settings, make_server):
    with make_server(settings) as player:
        yield player
