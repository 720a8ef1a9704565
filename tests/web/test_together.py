"""People on different devices at one game: seats, turns, and what each of them is sent."""

import json
import re

import httpx
import numpy as np
import pytest

from stratagem.core import knowledge
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.web.routes.parts import PERSON_COOKIE
from web.test_hidden import played, seen_text


@pytest.fixture
def guest(server):
    """Another browser: the same server, cookies of its own."""
    with httpx.Client(base_url=server.client.base_url, timeout=300) as client:
        yield type(server)(client, server.app)


@pytest.fixture
def host(server):
    with httpx.Client(base_url=server.client.base_url, timeout=300) as client:
        yield type(server)(client, server.app)


def invitation(state):
    return re.search(r"invite=([\w-]+)", state["table"]["invitation"])[1]


def sit_down(host, guest, game, *others):
    """A game with the host in seat 0 and the guest in seat 1."""
    state = host.begin(game, "human", "human", *others, invite=[1], name="Ann")
    joined = guest.ok(
        f"sessions/{state['id']}/join", {"invitation": invitation(state), "name": " B\nob "}
    )
    return state["id"], joined


def test_an_invited_person_takes_the_free_seat(host, guest, server):
    state = host.begin("connect_four", "human", "human", invite=[1], name="Ann")
    session = state["id"]
    assert state["table"]["own"] == [0] and state["table"]["free"] == [1]
    assert [seat["title"] for seat in state["seats"]] == ["You", "Open seat"]
    assert server.state(session)["table"]["invitation"] is None  # a spectator cannot invite
    wrong = guest.post(f"sessions/{session}/join", {"invitation": "nonsense"})
    assert wrong.status_code == 400
    key = {"invitation": invitation(state), "name": " B\nob "}
    joined = guest.ok(f"sessions/{session}/join", key)
    assert [(seat["kind"], seat["title"]) for seat in joined["seats"]] == [
        ("remote", "Ann"), ("human", "You"),
    ]  # fmt: skip
    assert host.state(session)["seats"][1]["title"] == "Bob"
    assert guest.ok(f"sessions/{session}/join", key)["table"]["own"] == [1]  # again: no harm
    assert server.post(f"sessions/{session}/join", key).status_code == 409  # all taken


def test_everybody_decides_for_their_own_seat_alone(host, guest, server):
    session, joined = sit_down(host, guest, "connect_four")
    assert joined["legal"] == [] and not joined["possible"]["act"]
    for other in (guest, server):
        assert other.post(f"sessions/{session}/act", {"action": 3, "ply": 0}).status_code == 409
    assert server.post(f"sessions/{session}/resign").status_code == 409
    assert server.post(f"sessions/{session}/pause", {"paused": True}).status_code == 409
    assert server.client.delete(f"/api/sessions/{session}").status_code == 409
    moved = host.ok(f"sessions/{session}/act", {"action": 3, "ply": 0})
    assert not moved["possible"]["act"] and not moved["possible"]["take_back"]
    for one in (host, guest):  # a move that the other has seen stays
        assert one.post(f"sessions/{session}/take-back").status_code == 409
    assert guest.post(f"sessions/{session}/hint").status_code == 409
    assert guest.post(f"sessions/{session}/analyse", {"ply": 0}).status_code == 409
    assert guest.state(session)["legal"]
    assert guest.ok(f"sessions/{session}/act", {"action": 2, "ply": 1})["plies"] == 2
    lost = guest.ok(f"sessions/{session}/resign")
    assert lost["result"]["resigned_by"] == 1


def test_a_rematch_keeps_the_people_and_is_announced(host, guest):
    session, _ = sit_down(host, guest, "connect_four")
    host.ok(f"sessions/{session}/resign")
    again = host.ok(f"sessions/{session}/rematch", {"swap": True})
    assert again["table"]["own"] == [1]
    assert guest.state(session)["table"]["rematch"] == again["id"]
    assert guest.state(again["id"])["table"]["own"] == [0]


def test_only_a_persons_seat_can_be_offered(host):
    refused = host.post(
        "sessions", {"game": "connect_four", "seats": ["human", "random"], "invite": [1]}
    )
    assert refused.status_code == 400


def test_nobody_is_sent_the_other_hand(host, guest, server):
    """Everything that each of them can ask for, in a game of cards."""
    session, _ = sit_down(host, guest, "cards")
    texts = {}
    for name, client, own in (("host", host, 0), ("guest", guest, 1), ("nobody", server, None)):
        state = client.state(session)
        dealt = [event["action"] is not None for event in state["events"][:2]]
        assert dealt == [seat == own for seat in range(2)], name
        positions = client.get(f"sessions/{session}/positions").json()
        graph = client.get(f"sessions/{session}/graph").json()
        assert graph["points"][0]["sentence"].startswith("A card that you") or own is None
        texts[name] = json.dumps([state["position"], positions])
        assert client.get(f"sessions/{session}/record").status_code == 409
    assert len(set(texts.values())) == 3


@pytest.mark.parametrize("spec", ["cards", "catan/colonist1v1"])
def test_a_spectator_sees_what_is_the_same_in_everybodys_eyes(spec):
    """What is shown to somebody without a seat does not depend on what any seat hides."""
    game = load_game(spec)
    states, _ = played(game, 2, 120)
    differing = 0
    for ply in range(0, len(states), 1 + len(states) // 5):
        state = states[ply]
        if int(state["seat"]) == -2:
            continue
        for seat in range(game.num_seats):
            seats, seeds = np.array([seat], np.int8), derive_seeds(ply, "other", count=1)
            other = game.hidden_from(as_batch(state), seats, seeds)[0]
            differing += other.tobytes() != state.tobytes()
            mine = seen_text(game, state, knowledge.OUTSIDER)
            assert mine == seen_text(game, other, knowledge.OUTSIDER)
    assert differing


def test_listeners_are_sent_what_they_may_see(host, guest, server):
    session, _ = sit_down(host, guest, "cards")
    cookies = [client.client.cookies[PERSON_COOKIE] for client in (host, guest)]
    assert len(set(cookies)) == 2
    live = server.app.state.context.sessions._open[session].live
    queues = {person: live.listeners.join(person) for person in (*cookies, "")}
    mover = host if host.state(session)["possible"]["act"] else guest
    state = mover.state(session)
    mover.ok(
        f"sessions/{session}/act", {"action": state["legal"][0]["action"], "ply": state["plies"]}
    )
    sent = {}
    for person, queue in queues.items():
        messages = []
        while not queue.empty():
            messages.append(json.loads(queue.get_nowait()))
        sent[person] = next(one["state"] for one in messages if one["type"] == "state")
        live.listeners.leave(queue)
    assert sent[cookies[0]]["table"]["own"] == [0]
    assert sent[cookies[1]]["table"]["own"] == [1]
    assert sent[""]["table"]["own"] == [] and sent[""]["legal"] == []
