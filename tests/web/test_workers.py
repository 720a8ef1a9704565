"""Search processes: never in the way, stopped when asked, replaced when they die."""

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

SLOW = "mcts:none?sims=2000&rollouts=64"  # long enough to be met at work


@pytest.fixture
def alone(settings, make_server, tmp_path):
    """A server of its own, whose workers may be killed."""
    with make_server(replace(settings, data=tmp_path / "data")) as player:
        yield player


def thinking(server, session):
    """The session once its agent is at work."""
    limit = time.monotonic() + 3000
    while time.monotonic() < limit:
        state = server.state(session)
        if state["thinking"] and not state["thinking"]["queued"]:
            return state["thinking"]
        time.sleep(0.01)
    raise AssertionError("nobody thinks")


def processes(server):
    return set(server.app.state.context.pool.process_ids)


def warm(server):
    """Load the rules into the worker, so that what follows is search and nothing else."""
    session = server.begin("battlefield", "human", "mcts:none?sims=2")["id"]
    server.act(session)
    server.wait(session)


def test_stop_and_move(server):
    warm(server)
    session = server.begin("battlefield", SLOW, "human")["id"]
    before = thinking(server, session)
    assert before["limit"] == 2000 and before["agent"] == SLOW
    started = time.monotonic()
    server.ok(f"sessions/{session}/stop")
    state = server.wait(session)
    assert state["plies"] == 1 and time.monotonic() - started < 60


def test_the_server_answers_while_it_searches(server):
    warm(server)
    session = server.begin("battlefield", SLOW, "human")["id"]
    visits = [thinking(server, session)["visits"]]
    while len(visits) < 5:  # each is an answer in the middle of the search
        visits.append(thinking(server, session)["visits"])
    assert visits == sorted(visits) and visits[-1] < 2000
    server.post(f"sessions/{session}/stop")  # refused if it has just finished
    server.wait(session)


def test_a_move_taken_back_ends_the_search(server):
    warm(server)
    session = server.begin("battlefield", "human", SLOW)["id"]
    state = server.state(session)
    action = state["legal"][0]["action"]
    server.ok(f"sessions/{session}/act", {"action": action, "ply": 0})
    thinking(server, session)
    back = server.ok(f"sessions/{session}/take-back")
    assert back["plies"] == 0 and back["thinking"] is None and back["possible"]["act"]
    time.sleep(0.3)
    assert server.state(session)["plies"] == 0  # no late answer arrives


def test_kill_9_of_a_worker_loses_nothing(alone):
    warm(alone)
    session = alone.begin("battlefield", SLOW, "human")["id"]
    thinking(alone, session)
    before = processes(alone)
    for number in before:
        os.kill(number, signal.SIGKILL)
    limit = time.monotonic() + 300
    while processes(alone) & before or not processes(alone):
        assert time.monotonic() < limit, "nobody replaces the dead"
        time.sleep(0.02)
    thinking(alone, session)  # the same search, begun anew
    alone.ok(f"sessions/{session}/stop")
    state = alone.wait(session)
    assert state["plies"] == 1 and state["error"] is None


@pytest.mark.slow
def test_a_position_that_kills_its_workers_is_given_up(alone):
    """The game waits with a reason, and goes on when asked to."""
    warm(alone)
    session = alone.begin("battlefield", SLOW, "human")["id"]
    killed = set()
    limit = time.monotonic() + 3000
    while (state := alone.state(session))["error"] is None:
        assert time.monotonic() < limit
        if state["thinking"] and not state["thinking"]["queued"]:
            for number in processes(alone) - killed:
                killed.add(number)
                os.kill(number, signal.SIGKILL)
        time.sleep(0.02)
    assert "died" in state["error"] and state["plies"] == 0
    alone.ok(f"sessions/{session}/pause", {"paused": False})
    thinking(alone, session)
    alone.ok(f"sessions/{session}/stop")
    assert alone.wait(session)["plies"] == 1


def test_waiting_searches_are_limited(settings, make_server, tmp_path):
    limits = replace(settings.limits, queued=1)
    with make_server(replace(settings, data=tmp_path / "data", limits=limits)) as narrow:
        warm(narrow)
        sessions = [narrow.begin("battlefield", "human", "random")["id"] for _ in range(6)]
        answers = []
        body = {"maxVisits": 1999, "agent": "mcts:none?rollouts=64"}

        def ask(session):
            answers.append(narrow.post(f"sessions/{session}/analyse", body).status_code)

        threads = [threading.Thread(target=ask, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        while len(answers) < 4:
            time.sleep(0.02)
        for _ in range(3):  # end those that wait, then those that take their place
            for session in sessions:
                narrow.ok(f"sessions/{session}/analyse-stop")
            time.sleep(0.3)
        for thread in threads:
            thread.join()
        assert answers.count(429) == 4 and set(answers) == {200, 429}
