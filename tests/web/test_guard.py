"""Who may speak to the server."""

import dataclasses

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from stratagem.web.backing_off import BackingOff

TOKEN = "a-token-of-some-length"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example:8000"}, 403),
        ({"host": "192.168.1.5:8000"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_host_and_origin(server, headers, status):
    answer = server.client.get("/api/info", headers=headers)
    assert answer.status_code == status
    if status != 200:
        assert answer.json()["detail"]


def test_the_own_origin_may_write(server):
    own = str(server.client.base_url).rstrip("/")
    body = {"game": "connect_four", "seats": ["human", "human"]}
    good = server.client.post("/api/sessions", json=body, headers={"origin": own})
    assert good.status_code == 201
    bad = server.client.post("/api/sessions", json=body, headers={"origin": "http://a.example"})
    assert bad.status_code == 403


def test_another_sites_websocket_is_refused(server):
    session = server.begin("connect_four", "human", "human")["id"]
    address = str(server.client.base_url).replace("http", "ws").rstrip("/")
    path = f"{address}/api/sessions/{session}/live"
    with pytest.raises(InvalidStatus) as refused, connect(path, origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with connect(path, origin=address.replace("ws", "http")) as socket:
        assert '"state"' in socket.recv()


def test_large_bodies_are_refused_before_they_are_read(server):
    large = {"game": "connect_four", "seats": ["human", "x" * 10_000]}
    answer = server.post("sessions", large)
    assert answer.status_code == 413 and "8192" in answer.json()["detail"]
    assert server.client.post("/api/records", content=b"x" * 100_001).status_code == 413
    parts = (b"x" * 1000 for _ in range(200))  # no length is told beforehand
    assert server.client.post("/api/records", content=parts).status_code == 413


def test_headers_forbid_what_the_page_does_not_need(server):
    headers = server.client.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_a_token_opens_the_door_and_stays_as_a_cookie(settings, make_server, tmp_path):
    locked = dataclasses.replace(settings, data=tmp_path, host="0.0.0.0", token=TOKEN)
    with make_server(locked) as guest:
        assert guest.get("info").status_code == 401
        assert guest.get("info", token="wrong").status_code == 401
        assert guest.client.get("/").status_code == 401
        bearer = {"authorization": f"Bearer {TOKEN}"}
        assert guest.client.get("/api/info", headers=bearer).status_code == 200
        address = str(guest.client.base_url).replace("http", "ws").rstrip("/")
        with pytest.raises(InvalidStatus), connect(f"{address}/api/runs/first/live"):
            pass
        opened = guest.client.get("/g/abc", params={"token": TOKEN, "ply": "3"})
        assert opened.status_code == 303 and opened.headers["location"] == "/g/abc?ply=3"
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert guest.get("info").status_code == 200  # the client keeps cookies
        assert guest.client.get("/api/info", headers={"host": "evil.example"}).status_code == 403
        assert guest.client.get("/api/info", headers={"host": "192.168.1.5"}).status_code == 200


def test_a_redirect_leads_nowhere_else(settings, make_server, tmp_path):
    locked = dataclasses.replace(settings, data=tmp_path, host="0.0.0.0", token=TOKEN)
    with make_server(locked) as guest:
        for path in (
            "/%5cevil.example",
            "/%5C%5cevil.example",
            "//evil.example",
            "/%2fevil.example",
        ):
            opened = guest.client.get(path, params={"token": TOKEN})
            place = opened.headers["location"]
            assert opened.status_code == 303
            assert place.startswith("/") and not place.startswith("//") and "\\" not in place


def test_wrong_tokens_make_their_sender_wait():
    now = [0.0]
    backing_off = BackingOff(lambda: now[0])
    for _ in range(4):
        backing_off.note_wrong("a")
    assert backing_off.wait("a") == 0
    backing_off.note_wrong("a")
    assert backing_off.wait("a") == 1 and backing_off.wait("b") == 0
    now[0] = 2.0
    backing_off.note_wrong("a")
    assert backing_off.wait("a") == 2
    for _ in range(100):
        backing_off.note_wrong("a")
    assert backing_off.wait("a") == 300
    backing_off.note_right("a")
    assert backing_off.wait("a") == 0


def test_guessing_tokens_is_refused_after_a_while(settings, make_server, tmp_path):
    locked = dataclasses.replace(settings, data=tmp_path, host="0.0.0.0", token=TOKEN)
    with make_server(locked) as guest:
        codes = [guest.get("info", token=f"wrong{k}").status_code for k in range(6)]
        assert codes == [401] * 5 + [429]
