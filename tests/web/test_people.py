"""How people fare against agents is kept on this machine, and only where it was their own doing."""

from stratagem.web.people import People


def finished(server, **more):
    session = server.begin("connect_four", "human", "mcts:none?sims=20", **more)["id"]
    server.act(session)
    return session


def known(server):
    setup = server.get("setup", game="connect_four").json()
    found = next(one for one in setup["opponents"] if one["spec"] == "mcts:none?sims=20")
    return found


def result(server):
    return known(server)["people"] or {"games": 0, "lost": 0}


def test_a_finished_game_counts_once(server, tmp_path):
    before = result(server)
    session = finished(server)
    server.ok(f"sessions/{session}/resign")
    server.wait(session)
    after = wait_for(server, before["games"] + 1)
    assert after["lost"] == before["lost"] + 1 and after["low"] < after["high"]
    assert known(server)["style"]


def test_help_does_not_count(server):
    before = result(server)["games"]
    session = finished(server)
    server.ok(f"sessions/{session}/take-back")
    server.act(session)
    server.ok(f"sessions/{session}/resign")
    session = finished(server)
    server.ok(f"sessions/{session}/hint")
    server.ok(f"sessions/{session}/resign")
    server.ok(f"sessions/{finished(server)}/resign")
    assert wait_for(server, before + 1)["games"] == before + 1


def wait_for(server, games):
    for _ in range(200):
        found = result(server)
        if found["games"] >= games:
            break
    return found


def test_the_time_of_a_move_is_not_that_of_loading(tmp_path):
    people = People(tmp_path)
    for seconds in (35.2, 0.1):
        people.note_move("catan", "scripted", seconds)
    assert people.seconds("catan", "scripted") is None
    people.note_move("catan", "scripted", 0.2)
    assert people.seconds("catan", "scripted") == 0.2
