"""Playing at a session: every change is legal, saved, and told; every refusal changes nothing."""

import asyncio
import errno
import os

import pytest

from stratagem.web.schema import Positions


def test_a_whole_game_against_a_bot(server):
    session = server.begin("connect_four", "human", "mcts:none?sims=20")["id"]
    state = server.play_out(session)
    assert state["status"] == "over"
    assert state["result"]["reason"] == "finished"
    assert sorted(state["result"]["returns"]) in ([-1.0, 1.0], [0.0, 0.0])
    assert state["legal"] == []
    assert [event["ply"] for event in state["events"]] == list(range(state["plies"]))
    listed = server.get("sessions").json()
    assert next(one for one in listed if one["id"] == session)["result"] == state["result"]["text"]


def test_legal_actions_have_a_code_a_sentence_and_shapes_that_are_drawn(server):
    state = server.begin("battlefield", "human", "random")
    keys = {shape.get("key") for shape in state["position"]["scene"]["shapes"]}
    assert len(state["legal"]) > 10
    for action in state["legal"]:
        assert action["text"] and action["sentence"]
        assert action["touches"] and set(action["touches"]) <= keys


def test_the_agent_moves_first_if_the_person_sits_second(server):
    state = server.wait(server.begin("connect_four", "random", "human")["id"])
    assert state["plies"] == 1 and state["position"]["seat"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("act", {"action": 999, "ply": 0}, 409),
        ("act", {"action": 0, "ply": 5}, 409),
        ("act", {"action": -1, "ply": 0}, 422),
        ("act", {"action": "x", "ply": 0}, 422),
        ("act", {"ply": 0}, 422),
        ("act", {"action": 0, "ply": 0, "more": 1}, 422),
        ("act", [], 422),
        ("take-back", {}, 409),
        ("take-back", {"to_ply": 3}, 409),
        ("resign", {"seat": 1}, 409),
        ("stop", {}, 409),
        ("rematch", {}, 409),
        ("branch", {"ply": 9, "seats": ["human", "human"]}, 404),
        ("branch", {"ply": 0, "seats": ["human"]}, 400),
        ("analyse", {"ply": 7}, 404),
        ("analyse", {"agent": "random"}, 400),
        ("analyse", {"agent": "human"}, 400),
        ("analyse", {"maxVisits": 3000}, 400),
        ("analyse", {"maxVisits": 0}, 422),
        ("tree", {"maxVisits": 8, "path": [6, 6, 6, 6, 6, 6, 6, 6, 6]}, 400),
        ("compare", {"agents": ["run:nothing", "mcts:none"]}, 404),
        ("nonsense", {}, 404),
    ],
)
def test_a_refusal_has_a_reason_and_changes_nothing(server, refusing, path, body, status):
    before = server.state(refusing)
    answer = server.post(f"sessions/{refusing}/{path}", body)
    assert answer.status_code == status, answer.text
    assert isinstance(answer.json()["detail"], str) and answer.json()["detail"]
    assert server.state(refusing) == before


@pytest.fixture(scope="module")
def refusing(server):
    return server.begin("connect_four", "human", "random")["id"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "nothing", "seats": ["human"]}, 404),
        ({"game": "connect_four/nothing", "seats": ["human", "random"]}, 404),
        ({"game": "../../etc", "seats": ["human", "random"]}, 400),
        ({"game": "connect_four?rows=99", "seats": ["human", "random"]}, 400),
        ({"game": "connect_four?rows", "seats": ["human", "random"]}, 400),
        ({"game": "connect_four", "seats": ["human"]}, 400),
        ({"game": "connect_four", "seats": []}, 422),
        ({"game": "connect_four", "seats": ["human", "stockfish"]}, 400),
        ({"game": "battlefield/large", "seats": ["human", "best"]}, 404),
        ({"game": "connect_four", "seats": ["human", "run:nothing"]}, 404),
        ({"game": "connect_four", "seats": ["human", "run:first"]}, 404),
        ({"game": "connect_four", "seats": ["human", "run:first@step_000001"]}, 404),
        ({"game": "battlefield", "seats": ["human", "run:first"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:/etc/passwd"]}, 400),
        ({"game": "connect_four", "seats": ["human", "policy:../run"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:none?sims=3000"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:none?sims=x"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:none?cache=2"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:none?fpu_reduction=nan"]}, 400),
        ({"game": "connect_four", "seats": ["human", "mcts:none?rollouts=1000"]}, 400),
        ({"game": "connect_four", "seats": ["human", "random?x=1"]}, 400),
        ({"game": "connect_four", "seats": ["human", "x" * 300]}, 422),
        ({"game": "connect_four", "seats": ["human", "random"], "seed": -1}, 422),
        ({"game": "connect_four", "seats": ["human", "random"], "seed": 2**60}, 422),
    ],
)
def test_a_table_that_cannot_be_set_up_is_refused(server, body, status):
    before = server.get("info").json()["sessions"]
    answer = server.post("sessions", body)
    assert answer.status_code == status, answer.text
    assert "\n" not in answer.json()["detail"]
    assert server.get("info").json()["sessions"] == before


@pytest.mark.parametrize("name", ["0" * 12, "nothing", "..", "%2e%2e%2fdata", "A" * 60])
def test_an_unknown_table_is_not_found(server, name):
    for answer in (server.get(f"sessions/{name}/graph"), server.post(f"sessions/{name}/hint")):
        assert answer.status_code == 404


def test_take_back_goes_to_the_persons_last_decision(server):
    session = server.begin("connect_four", "human", "random")["id"]
    first = server.act(session)
    second = server.act(session)
    assert (first["plies"], second["plies"]) == (2, 4)
    state = server.ok(f"sessions/{session}/take-back")
    assert state["plies"] == 2 and state["position"]["seat"] == 0
    again = server.act(session)
    assert again["events"] == second["events"]  # the agent meets the same luck
    assert server.ok(f"sessions/{session}/take-back", {"to_ply": 0})["plies"] == 0


def test_take_back_meets_the_same_dice(server):
    session = server.begin("dice", "human", "keeper")["id"]
    rolled = server.act(session, lambda legal: legal[1])["events"]
    server.ok(f"sessions/{session}/take-back")
    assert server.act(session, lambda legal: legal[1])["events"] == rolled


def test_nothing_is_taken_back_from_another_person(server):
    session = server.begin("connect_four", "human", "human")["id"]
    server.act(session)
    server.act(session)
    assert server.ok(f"sessions/{session}/take-back")["plies"] == 1
    assert server.post(f"sessions/{session}/take-back", {"to_ply": 0}).status_code == 200
    server.act(session)
    server.act(session)
    assert server.post(f"sessions/{session}/take-back", {"to_ply": 0}).status_code == 409


def test_a_serious_game_has_no_hints_and_no_second_thoughts(server):
    session = server.begin("connect_four", "human", "random", serious=True)["id"]
    state = server.act(session)
    assert not state["possible"]["take_back"] and not state["possible"]["hint"]
    for path in ("take-back", "hint", "analyse", "graph"):
        assert server.post(f"sessions/{session}/{path}").status_code == 409


def test_resign_and_rematch_with_seats_swapped(server):
    session = server.begin("connect_four", "human", "random")["id"]
    over = server.ok(f"sessions/{session}/resign")
    assert over["result"]["returns"] == [-1.0, 1.0]
    assert server.post(f"sessions/{session}/act", {"action": 0, "ply": 0}).status_code == 409
    again = server.ok(f"sessions/{session}/rematch")
    assert [seat["agent"] for seat in again["seats"]] == ["random", "human"]
    assert again["id"] != session and again["game"] == over["game"]


def test_a_branch_goes_on_from_an_earlier_position(server):
    session = server.begin("connect_four", "human", "random")["id"]
    server.act(session)
    whole = server.act(session)
    other = server.ok(f"sessions/{session}/branch", {"ply": 2, "seats": ["human", "human"]})
    happened = [(event["seat"], event["action"], event["text"]) for event in other["events"]]
    assert happened == [(e["seat"], e["action"], e["text"]) for e in whole["events"][:2]]
    assert server.state(session)["plies"] == whole["plies"]


def test_preview_tells_what_would_change(server):
    state = server.begin("battlefield", "human", "random")
    action = next(one for one in state["legal"] if "x" in one["text"])
    path = f"sessions/{state['id']}/preview"
    seen = server.get(path, action=action["action"], ply=0).json()
    assert seen["position"]["ply"] == 1
    assert any("ammunition" in change["name"] for change in seen["changes"])
    assert server.state(state["id"])["plies"] == 0
    assert server.get(path, action=999).status_code == 409
    assert server.get(path, action=action["action"], ply=3).status_code == 409


def test_a_roll_can_be_foreseen_only_in_its_odds(server):
    state = server.wait(server.begin("dice", "human", "keeper")["id"])
    again = next(one for one in state["legal"] if one["text"] == "again")
    path = f"sessions/{state['id']}/preview"
    seen = server.get(path, action=again["action"]).json()
    assert seen["position"]["seat"] == -1
    assert sum(one["probability"] for one in seen["position"]["outcomes"]) == pytest.approx(1)


def test_the_histogram_counts_every_roll(server):
    session = server.begin("dice", "human", "keeper")["id"]
    dice = server.play_out(session)["dice"]
    assert dice["seed"] == "1" and dice["rolls"] >= 2
    assert sum(face["count"] for face in dice["histogram"]) == dice["rolls"]
    assert sum(face["expected"] for face in dice["histogram"]) == pytest.approx(dice["rolls"])


def test_many_positions_are_written_out_beside_the_event_loop(server, monkeypatch):
    session = server.begin("connect_four", "human", "human")["id"]
    written, dump = [], Positions.model_dump_json

    def noting(positions):
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        written.append(positions.plies)
        return dump(positions)

    monkeypatch.setattr(Positions, "model_dump_json", noting)
    assert server.get(f"sessions/{session}/positions").status_code == 200
    assert written == [0]


def test_positions_for_scrubbing_are_those_of_the_game(server):
    session = server.begin("connect_four", "human", "random")["id"]
    state = server.act(session)
    found = server.get(f"sessions/{session}/positions", first=1, count=50).json()
    assert [one["ply"] for one in found["positions"]] == [1, 2]
    assert found["positions"][-1] == state["position"]
    assert server.get(f"sessions/{session}", ply=1).json()["position"] == found["positions"][0]
    assert server.get(f"sessions/{session}", ply=3).status_code == 404
    assert server.get(f"sessions/{session}/positions", first=3).status_code == 404
    assert server.get(f"sessions/{session}/positions", count=1000).status_code == 422


def test_a_deleted_table_is_gone(server):
    session = server.begin("connect_four", "human", "random")["id"]
    assert server.client.delete(f"/api/sessions/{session}").status_code == 204
    assert server.get(f"sessions/{session}").status_code == 404
    assert all(one["id"] != session for one in server.get("sessions").json())


def test_the_number_of_tables_is_limited(tmp_path, make_server):
    from stratagem.web.settings import ServerLimits, ServerSettings

    limits = ServerLimits(sessions=2, loaded=1)
    settings = ServerSettings(tmp_path / "data", tmp_path, workers=1, limits=limits)
    with make_server(settings) as small:
        one = small.begin("connect_four", "human", "human")["id"]
        small.begin("connect_four", "human", "human")
        body = {"game": "connect_four", "seats": ["human", "human"]}
        refused = small.post("sessions", body)
        assert refused.status_code == 429 and "delete" in refused.json()["detail"]
        assert small.state(one)["plies"] == 0  # closed to free some space, opened again
        small.client.delete(f"/api/sessions/{one}")
        assert small.post("sessions", body).status_code == 201


@pytest.mark.slow
def test_nobody_is_asked_to_refuse_an_offer_that_cannot_be_met(server):
    session = server.begin("catan/trading", "human", "random", "random", "random")["id"]
    state, step = server.wait(session), 0
    while state["status"] == "running":
        legal = state["legal"]
        assert len(legal) > 1 or legal[0]["group"] not in ("answer", "steal", "discard")
        played = [one for one in state["events"] if one["forced"]]
        if played:
            break
        step += 7
        state = server.act(session, lambda legal, at=step: legal[at % len(legal)])
    assert {one["seat"] for one in played} == {0}
    assert all(one["sentence"].startswith("You ") for one in played)
    back = server.ok(f"sessions/{session}/take-back")
    assert back["plies"] < played[0]["ply"] and back["possible"]["act"]


def test_what_is_deleted_meanwhile_is_not_there(server):
    """Two clicks at once: one deletes the game, the other plays in it."""
    state = server.begin("connect_four", "human", "human")
    sessions = server.app.state.context.settings.data / "sessions"
    file = sessions / f"{state['id']}.session.jsonl"
    file.unlink()
    late = server.post(f"sessions/{state['id']}/act", {"action": 3, "ply": 0})
    assert late.status_code == 404 and "has been deleted" in late.json()["detail"]
    assert not file.exists()


def test_a_full_disk_is_told_to_the_player_and_nothing_is_lost(server, monkeypatch):
    state = server.begin("connect_four", "human", "human")

    def full(descriptor, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wanted = {"action": 3, "ply": 0}
    with monkeypatch.context() as patch:
        patch.setattr("stratagem.core.files.os.write", full)
        for path, body in (
            (f"sessions/{state['id']}/act", wanted),
            ("sessions", {"game": "connect_four", "seats": ["human", "human"]}),
        ):
            answer = server.post(path, body)
            assert answer.status_code == 503 and "free some space" in answer.json()["detail"]
    assert server.state(state["id"])["plies"] == 0
    assert server.ok(f"sessions/{state['id']}/act", wanted)["plies"] == 1
