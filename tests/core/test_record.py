"""Records of games replay bit for bit; every damage is one clear line."""

import json
from dataclasses import replace

import pytest

from stratagem.core.conformance.playing import random_trajectory
from stratagem.core.errors import BadRecord
from stratagem.core.game import state_hash
from stratagem.core.record import (
    format_record,
    parse_record,
    read_record,
    record_game,
    replay,
    write_record,
)
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE


@pytest.fixture(params=["connect_four", "dice/three", "cards"])
def played(request):
    game = load_game(request.param)
    return game, random_trajectory(game, seed=3)


@pytest.fixture
def record_file(tmp_path):
    game = load_game("connect_four")
    trajectory = random_trajectory(game, seed=1)
    file = tmp_path / "game.jsonl"
    agents = ("random", "random")
    record = record_game(game, trajectory.setup_seed, list(trajectory.actions), agents)
    write_record(record, file)
    return file


def edit(file, line, **changes):
    lines = file.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **changes})
    file.write_text("\n".join(lines) + "\n")


def test_round_trip(played, tmp_path):
    game, trajectory = played
    agents = tuple(f"agent{seat}" for seat in range(game.num_seats))
    record = record_game(
        game, trajectory.setup_seed, list(trajectory.actions), agents, {"event": "test"}
    )
    write_record(record, tmp_path / "game.jsonl")
    read = read_record(tmp_path / "game.jsonl")
    assert read == record
    assert read.extra == {"event": "test"}
    states = replay(read)
    assert states.tobytes() == trajectory.states.tobytes()
    assert state_hash(states[-1]) == record.final_hash


def test_chance_outcomes_are_events_of_their_own(tmp_path):
    game = load_game("dice")
    trajectory = random_trajectory(game, seed=0)
    record = record_game(game, trajectory.setup_seed, list(trajectory.actions), ("a", "b"))
    assert record.events[0].seat == CHANCE
    assert record.events[0].text.startswith("rolled ")
    write_record(record, tmp_path / "game.jsonl")
    second_line = json.loads((tmp_path / "game.jsonl").read_text().splitlines()[1])
    assert second_line["chance"] == record.events[0].action
    assert "seat" not in second_line


def test_unknown_keys_are_kept(record_file):
    edit(record_file, 2, analysis={"visits": 3})
    record = read_record(record_file)
    assert record.events[1].extra == {"analysis": {"visits": 3}}
    write_record(record, record_file)
    assert read_record(record_file) == record


@pytest.mark.parametrize("kept", [1, 2, 5])
def test_truncated_by_lines(record_file, kept):
    lines = record_file.read_text().splitlines()
    record_file.write_text("\n".join(lines[:kept]) + "\n")
    with pytest.raises(BadRecord, match=r"game\.jsonl: incomplete"):
        read_record(record_file)


def test_truncated_at_every_byte(record_file):
    whole = record_file.read_bytes()
    for length in range(0, len(whole) - 2, 7):
        record_file.write_bytes(whole[:length])
        with pytest.raises(BadRecord) as caught:
            read_record(record_file)
        assert "\n" not in str(caught.value)


def test_illegal_action(record_file):
    edit(record_file, 4, action=12)
    with pytest.raises(BadRecord, match=r"ply 3: action 12 .* is illegal"):
        replay(read_record(record_file))


def test_legal_but_edited_action(record_file):
    record = read_record(record_file)
    last = record.events[-1]
    moved = replace(last, action=next(a for a in range(7) if a != last.action))
    with pytest.raises(BadRecord):
        replay(replace(record, events=(*record.events[:-1], moved)))


def test_wrong_seat(record_file):
    edit(record_file, 1, seat=1)
    with pytest.raises(BadRecord, match="ply 0: recorded for seat 1, but seat 0 decides there"):
        replay(read_record(record_file))


def test_events_after_the_end(record_file):
    record = read_record(record_file)
    extended = replace(record, events=(*record.events, record.events[-1]))
    with pytest.raises(BadRecord, match="but seat -2 decides there"):
        replay(extended)


def test_another_version(record_file):
    edit(record_file, 0, version=99)
    with pytest.raises(BadRecord, match="recorded with connect_four version 99"):
        replay(read_record(record_file))


def test_another_format(record_file):
    edit(record_file, 0, format=2)
    with pytest.raises(BadRecord, match="record format 2"):
        read_record(record_file)


def test_another_hash(record_file):
    edit(record_file, -1, hash="0" * 16)
    with pytest.raises(BadRecord, match="it was edited or damaged"):
        replay(read_record(record_file))


def test_a_record_is_text_first(record_file):
    record = read_record(record_file)
    text = format_record(record)
    assert text == record_file.read_text()
    assert parse_record(text) == parse_record(text.encode()) == record
    with pytest.raises(BadRecord, match="upload, line 1"):
        parse_record("{", "upload")


def test_missing_header_key(record_file):
    lines = record_file.read_text().splitlines()
    header = json.loads(lines[0])
    del header["setup_seed"]
    record_file.write_text("\n".join([json.dumps(header), *lines[1:]]))
    with pytest.raises(BadRecord, match="setup_seed"):
        read_record(record_file)


def test_not_a_record(tmp_path):
    with pytest.raises(BadRecord, match="no such record"):
        read_record(tmp_path / "absent.jsonl")
    for content in (b"\x89PNG\xff", b"[1, 2]\n{}\n", b"hello\n"):
        (tmp_path / "x.jsonl").write_bytes(content)
        with pytest.raises(BadRecord, match=r"x\.jsonl"):
            read_record(tmp_path / "x.jsonl")


def test_returns_that_the_game_does_not_give_are_refused(record_file):
    record = read_record(record_file)
    forged = replace(record, returns=tuple(-value for value in record.returns))
    assert forged.returns != record.returns
    with pytest.raises(BadRecord, match="the record says"):
        replay(forged)


def test_a_record_of_another_game_is_named(record_file):
    with pytest.raises(BadRecord, match="a record of connect_four, and this is dice"):
        replay(read_record(record_file), load_game("dice"))


def test_a_path_may_be_given_as_text(record_file, tmp_path):
    record = read_record(str(record_file))
    write_record(record, str(tmp_path / "copy.jsonl"))
    assert read_record(tmp_path / "copy.jsonl") == record
