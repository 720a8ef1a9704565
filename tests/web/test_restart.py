"""`kill -9` of the server: every game goes on where it was; and the command itself."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest


@contextmanager
def serving(*options):
    """The real command in its own process: (process, address)."""
    code = "import sys; from stratagem.cli.main import run; sys.exit(run(sys.argv[1:]))"
    words = [sys.executable, "-c", code, "serve", "-p", "0", "--json", *options]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield process, json.loads(line)["url"]
    finally:
        process.terminate()
        process.wait(timeout=120)
        process.stdout.close()
        process.stderr.close()


def children(parent):
    """Processes that this one has started, from the operating system."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(file.parent.name))
    return found


def wait_for(client, session, wanted):
    limit = time.monotonic() + 300
    while not wanted(state := client.get(f"api/sessions/{session}").json()):
        assert time.monotonic() < limit, state
        time.sleep(0.05)
    return state


@pytest.mark.slow
def test_games_outlive_a_killed_server(tmp_path):
    options = ("--data", str(tmp_path / "data"), "--runs", str(tmp_path), "--workers", "1")
    with serving(*options) as (process, url), httpx.Client(base_url=url, timeout=300) as client:
        body = {"game": "connect_four", "seats": ["human", "random"], "seed": 5}
        session = client.post("api/sessions", json=body).json()["id"]
        client.post(f"api/sessions/{session}/act", json={"action": 3, "ply": 0})
        before = wait_for(client, session, lambda state: state["plies"] == 2)
        client.post(f"api/sessions/{session}/analyse", json={"ply": 0, "maxVisits": 20})
        slow = {"game": "connect_four", "seats": ["mcts:none?sims=20000&rollouts=64", "human"]}
        other = client.post("api/sessions", json=slow).json()["id"]
        wait_for(client, other, lambda state: state["thinking"] is not None)
        workers = children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    limit = time.monotonic() + 120
    while any(Path(f"/proc/{number}").exists() for number in workers):
        assert time.monotonic() < limit, "search processes outlive their server"
        time.sleep(0.1)
    journal = next((tmp_path / "data" / "sessions").glob(f"{session}.session.jsonl"))
    with journal.open("a") as stream:
        stream.write('{"seat": 0, "act')  # as if it had been killed while writing
    with serving(*options) as (_, url), httpx.Client(base_url=url, timeout=300) as client:
        after = client.get(f"api/sessions/{session}").json()
        assert after == {**before, "adviser": after["adviser"]}
        assert len(client.get(f"api/sessions/{session}/analyses").json()) == 1
        acted = client.post(f"api/sessions/{session}/act", json={"action": 3, "ply": 2})
        assert acted.status_code == 200
        wait_for(client, session, lambda state: state["plies"] == 4)
        again = wait_for(client, other, lambda state: state["thinking"] is not None)
        assert again["plies"] == 0  # the agent thinks anew
        client.post(f"api/sessions/{other}/stop")
        wait_for(client, other, lambda state: state["plies"] == 1)


def test_another_host_needs_a_token(tmp_path):
    options = ("--data", str(tmp_path / "data"), "--host", "0.0.0.0", "--workers", "1")
    with serving(*options) as (_, url):
        token = url.partition("?token=")[2]
        assert len(token) > 20
        port = httpx.URL(url).port
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=300) as client:
            assert client.get("/api/info").status_code == 401
            assert client.get("/api/info", params={"token": token}).status_code == 200


@pytest.mark.parametrize(
    "options",
    [
        ("--host", "0.0.0.0", "--token", "short"),
        ("--host", "999.1.1.1"),
        ("-p", "70000"),
    ],
)
def test_wrong_options_are_one_line(options, tmp_path, capsys):
    from stratagem.cli.main import run

    assert run(["serve", "--data", str(tmp_path), "--token", "x" * 20, *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_taken_port_is_one_line(tmp_path, capsys):
    import socket

    from stratagem.cli.main import run

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "-p", port, "--data", str(tmp_path)]) == 2
    assert "--port 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    "token", ["x" * 15 + "\u65e5", "x" * 16 + ";", "x" * 16 + " y", "x\r\n" * 9]
)
def test_a_token_that_no_address_and_no_cookie_can_hold(token, tmp_path, capsys):
    from stratagem.cli.main import run

    assert run(["serve", "-p", "0", "--data", str(tmp_path), "--token", token]) == 2
    assert "--token" in capsys.readouterr().err


def test_a_second_server_over_the_same_games_is_refused(tmp_path, capsys):
    """Both would keep the games in memory and write over each other's moves."""
    from stratagem.cli.main import run
    from stratagem.runs.lock import hold_run

    with hold_run(tmp_path, "used"):
        assert run(["serve", "-p", "0", "--data", str(tmp_path)]) == 2
    assert "is used by process" in capsys.readouterr().err
