"""Hints, analyses, trees, comparisons and the value graph."""

import time

import pytest

VISITS = 60


def graph_of(server, session):
    limit = time.monotonic() + 300
    while (found := server.get(f"sessions/{session}/graph").json())["running"]:
        assert time.monotonic() < limit
        time.sleep(0.05)
    return found


def test_an_analysis_has_katagos_names_and_says_whose_view_it_takes(server):
    session = server.begin("connect_four", "human", "random")["id"]
    state = server.act(session)
    found = server.ok(f"sessions/{session}/analyse", {"ply": 0, "maxVisits": VISITS})
    assert found["agent"].startswith("best:?") and f"sims={VISITS}" in found["agent"]
    assert found["perspective"].startswith("player 1, who decides here")
    assert found["turnNumber"] == 0 and found["isDuringSearch"] is False
    root, moves = found["rootInfo"], found["moveInfos"]
    assert root["visits"] == VISITS == sum(move["visits"] for move in moves)
    assert root["winrate"] == pytest.approx((root["value"] + 1) / 2)
    assert root["values"] == pytest.approx([root["value"], -root["value"]])
    assert [move["order"] for move in moves] == list(range(len(moves))) and len(moves) == 7
    assert moves[0]["loss"] == 0 and moves[0]["pv"][0] == moves[0]["move"]
    assert len(moves[0]["pv"]) == len(moves[0]["pvActions"]) > 1
    assert len(moves[0]["pvTouches"]) == len(moves[0]["pv"])
    assert moves[0]["pvTouches"][0] == moves[0]["touches"]
    assert sum(move["prior"] for move in moves) == pytest.approx(1, abs=1e-5)
    assert [m["action"] for m in moves if m["played"]] == [state["events"][0]["action"]]


def test_a_hint_is_for_the_position_at_hand_and_is_found_again(server):
    session = server.begin("connect_four", "human", "random")["id"]
    first = server.ok(f"sessions/{session}/hint")
    assert first["turnNumber"] == 0
    assert server.ok(f"sessions/{session}/hint") == first  # not searched twice
    assert server.get(f"sessions/{session}/analyses").json()[0]["agent"] == first["agent"]


def test_the_tree_can_be_walked(server):
    session = server.begin("connect_four", "human", "random")["id"]
    query = {"maxVisits": VISITS, "limit": 3}
    root = server.ok(f"sessions/{session}/tree", query)
    assert root["kind"] == "decision" and root["visits"] == VISITS + 1
    assert root["total_children"] == 7 and len(root["children"]) == 3
    first = root["children"][0]
    below = server.ok(f"sessions/{session}/tree", {**query, "path": [first["action"]]})
    assert below["visits"] == first["visits"] and below["texts"] == [first["sentence"]]
    assert below["seat"] == 1


def test_chance_nodes_are_told_apart(server):
    session = server.wait(server.begin("dice", "human", "keeper")["id"])["id"]
    root = server.ok(f"sessions/{session}/tree", {"maxVisits": VISITS})
    again = next(child for child in root["children"] if child["text"] == "again")
    assert again["kind"] == "chance"
    node = server.ok(f"sessions/{session}/tree", {"maxVisits": VISITS, "path": [again["action"]]})
    assert node["kind"] == "chance" and node["value"] is None
    assert sum(child["prior"] for child in node["children"]) == pytest.approx(1, abs=1e-5)
    assert all(child["text"].startswith("[rolled") for child in node["children"])


def test_two_agents_side_by_side(server):
    session = server.begin("connect_four", "human", "random")["id"]
    agents = ["mcts:none?sims=20", "mcts:none?sims=40"]
    found = server.ok(f"sessions/{session}/compare", {"agents": agents})["analyses"]
    assert [one["agent"] for one in found] == agents
    assert [one["rootInfo"]["visits"] for one in found] == [20, 40]


def test_the_graph_separates_decisions_from_luck(server):
    session = server.begin("dice", "human", "keeper")["id"]
    over = server.play_out(session)
    server.ok(f"sessions/{session}/graph", {"maxVisits": 40})
    graph = graph_of(server, session)
    points = graph["points"]
    assert graph["done"] == graph["total"] > 0 and len(points) == over["plies"] + 1
    for point in points:
        if point["seat"] >= 0:
            assert len(point["values"]) == 2 and point["loss"] is not None
        if point["seat"] == -1:
            assert len(point["luck"]) == 2 and point["loss"] is None
    assert points[-1]["values"] == over["result"]["returns"]
    assert sum(seat["luck"] for seat in graph["seats"]) == pytest.approx(0, abs=1e-3)
    assert any(abs(point["luck"][0]) > 0.05 for point in points if point["luck"])


def test_a_blunder_is_marked(server):
    """Seat 0 does not stop three in a column."""
    session = server.begin("connect_four", "human", "human")["id"]
    for column in (0, 6, 1, 6, 0, 6, 1):
        state = server.wait(session)
        server.ok(f"sessions/{session}/act", {"action": column, "ply": state["plies"]})
    server.ok(f"sessions/{session}/graph", {"maxVisits": 600})
    graph = graph_of(server, session)
    assert graph["points"][6]["mark"] == "??" and graph["mistakes"][0] == 6
    assert graph["seats"][0]["marks"]["??"] >= 1 and graph["points"][6]["best"]


def test_values_of_three_seats(server):
    session = server.wait(server.begin("dice/three", "human", "keeper", "keeper")["id"])["id"]
    root = server.ok(f"sessions/{session}/analyse", {"maxVisits": VISITS})["rootInfo"]
    assert len(root["values"]) == 3 and root["values"][root["currentPlayer"]] == root["value"]
    assert root["values"][1] != root["value"]


def test_a_record_keeps_its_analysis(server):
    session = server.begin("connect_four", "human", "random")["id"]
    server.act(session)
    found = server.ok(f"sessions/{session}/analyse", {"ply": 0, "maxVisits": VISITS})
    text = server.get(f"sessions/{session}/record").content
    opened = server.client.post("/api/records", content=text).json()
    assert opened["status"] == "record" and opened["plies"] == 2
    kept = server.get(f"sessions/{opened['id']}/analyses").json()
    assert kept[0]["moveInfos"] == found["moveInfos"]
    assert server.get(f"sessions/{opened['id']}/graph").json()["done"] == 1
    assert server.get(f"sessions/{opened['id']}/record").content.count(b"\n") == text.count(b"\n")


def test_findings_of_positions_that_were_taken_back_are_forgotten(server):
    session = server.begin("connect_four", "human", "random")["id"]
    server.act(session)
    server.ok(f"sessions/{session}/analyse", {"ply": 2, "maxVisits": 20})
    server.ok(f"sessions/{session}/take-back")
    assert server.get(f"sessions/{session}/analyses").json() == []
    server.act(session, lambda legal: legal[3])
    assert server.get(f"sessions/{session}/graph").json()["points"][2]["values"] is None


def test_a_single_analysis_is_not_taken_for_a_whole_review(server):
    session = server.begin("connect_four", "human", "random")["id"]
    server.play_out(session)
    server.ok(f"sessions/{session}/analyse", {"ply": 0, "maxVisits": VISITS})
    graph = graph_of(server, session)
    assert graph["done"] == 1 and graph["total"] == len(graph["points"]) - 1 > 1


def test_luck_is_in_the_record_and_none_is_not_zero(server):
    session = server.begin("dice", "human", "keeper")["id"]
    server.play_out(session)
    assert all(seat["luck"] is None for seat in graph_of(server, session)["seats"])
    server.ok(f"sessions/{session}/graph", {"maxVisits": 40})
    graph = graph_of(server, session)
    text = server.get(f"sessions/{session}/record").text
    copy = server.client.post("/api/records", content=text)
    assert copy.status_code < 300, copy.text
    again = server.get(f"sessions/{copy.json()['id']}/graph").json()
    assert [seat["luck"] for seat in again["seats"]] == [seat["luck"] for seat in graph["seats"]]
