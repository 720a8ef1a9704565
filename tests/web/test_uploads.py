"""Uploaded records are data: whatever is wrong with them is told, and nothing is kept."""

import json

import pytest

from stratagem.core.record import record_game, write_record
from stratagem.core.registry import load_game


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    game = load_game("connect_four")
    file = tmp_path_factory.mktemp("record") / "game.jsonl"
    record = record_game(game, 5, [0, 1, 0, 1, 0, 1, 0], ("one", "two"), {"note": "kept"})
    write_record(record, file)
    return file.read_text().splitlines()


def upload(server, text):
    return server.client.post("/api/records", content=text)


def test_a_record_is_opened_and_comes_back_unchanged(server, lines):
    text = "\n".join(lines) + "\n"
    opened = upload(server, text).json()
    assert opened["status"] == "record" and opened["plies"] == 7
    assert [seat["agent"] for seat in opened["seats"]] == ["one", "two"]
    assert opened["position"]["returns"] == [1.0, -1.0]
    saved = server.get(f"sessions/{opened['id']}/record").text.splitlines()
    header, first = json.loads(saved[0]), json.loads(lines[0])
    assert {key: header[key] for key in first} == first
    assert saved[1:] == lines[1:]
    acting = server.post(f"sessions/{opened['id']}/act", {"action": 3, "ply": 7})
    assert acting.status_code == 409


def test_a_record_can_be_played_on(server, lines):
    opened = upload(server, "\n".join(lines)).json()
    other = server.ok(f"sessions/{opened['id']}/branch", {"ply": 3, "seats": ["random", "human"]})
    assert other["plies"] == 3 and other["legal"]


def damaged(lines):
    header = json.loads(lines[0])
    yield b""
    yield b"\xff\xfe\x00"
    yield b"[1, 2]\n[3]"
    yield b"{}\n{}\n"
    yield b"[" * 50_000
    yield ('{"a":' * 10_000).encode()
    yield b'{"format": ' + b"9" * 6000 + b"}"
    yield lines[0].encode()
    yield "\n".join(lines[:-1]).encode()
    yield "\n".join([*lines[:3], *lines[4:]]).encode()
    yield "\n".join([json.dumps({**header, "game": "../../x"}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "game": "connect_four/../../x"}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "version": 99}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "setup_seed": 2**70}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "setup_seed": -1}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "agents": 3}), *lines[1:]]).encode()
    yield "\n".join([json.dumps({**header, "agents": ["one"]}), *lines[1:]]).encode()
    move = json.loads(lines[1])
    yield "\n".join([lines[0], json.dumps({**move, "action": 10**12}), *lines[2:]]).encode()
    yield "\n".join([lines[0], json.dumps({**move, "action": None}), *lines[2:]]).encode()
    yield "\n".join([*lines[:-1], '{"returns": [NaN], "hash": 3}']).encode()
    half = json.dumps({**header, "agents": ["\ud800", "two"]})
    yield "\n".join([half, *lines[1:]]).encode()
    yield "\n".join([lines[0], json.dumps({**move, "text": "\udfff"}), *lines[2:]]).encode()


def test_damaged_records_are_refused(server, lines):
    before = server.get("info").json()["sessions"]
    for number, body in enumerate(damaged(lines)):
        answer = upload(server, body)
        assert 400 <= answer.status_code < 500, (number, answer.text)
        assert "\n" not in answer.json()["detail"]
    assert server.get("info").json()["sessions"] == before


def test_nonsense_in_the_analysis_of_a_record_is_left_alone(server, lines):
    move = {**json.loads(lines[1]), "an": {"rootInfo": "x"}}
    more = {**json.loads(lines[2]), "an": 7}
    text = "\n".join([lines[0], json.dumps(move), json.dumps(more), *lines[3:]])
    opened = upload(server, text)
    assert opened.status_code == 201
    assert server.get(f"sessions/{opened.json()['id']}/analyses").json() == []
