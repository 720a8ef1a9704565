"""How people fare against agents is kept on this machine, and only where it was their own doing."""


def finished(server, **more):
    session = server.begin("connect_four", "human", "mcts:none?sims=50", **more)["id"]
    server.act(session)
    return session


def known(server):
    setup = server.get("setup", game="connect_four").json()
    found = next(one for one in setup["opponents"] if one["spec"] == "mcts:none?sims=50")
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
    assert known(server)["seconds"] > 0 and known(server)["style"]


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
