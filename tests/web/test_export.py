"""A replay in one file: nothing has to be loaded, and every position is inside."""

import base64
import gzip
import json
import re

import pytest

from stratagem.core.record import read_record, record_game, replay, write_record
from stratagem.core.registry import load_game
from stratagem.core.scene import Shape
from stratagem.web.export import ELEMENT, build_replay, replay_page


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    game = load_game("connect_four")
    file = tmp_path_factory.mktemp("record") / "game.jsonl"
    write_record(record_game(game, 5, [0, 1, 0, 1, 0, 1, 0], ("one", "two")), file)
    return file


def test_every_position_can_be_drawn_again(recorded):
    record = read_record(recorded)
    game = load_game(record.game)
    states = replay(record, game)
    told = build_replay(record, game, states)
    assert len(told.positions) == 8 and len(set(told.shapes)) == len(told.shapes)
    for position, state in zip(told.positions, states, strict=True):
        scene = game.rules.view(state)
        assert tuple(told.shapes[number] for number in position.scene.shapes) == scene.shapes
        assert tuple(position.scene.facts) == scene.facts
    assert told.positions[3].event.action == 0 and told.positions[0].event is None


def test_the_page_is_self_contained(recorded):
    record = read_record(recorded)
    game = load_game(record.game)
    page = replay_page(build_replay(record, game, replay(record, game)))
    assert not re.search(r'<(script|link|img)\b[^>]*\b(src|href)="(?!data:)', page)
    packed = re.search(rf'<script id="{ELEMENT}" type="text/plain">([^<]+)</script>', page)
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert data["game"] == "connect_four/default" and len(data["positions"]) == 8
    assert {Shape(**shape).kind for shape in data["shapes"]} <= {"polygon", "disc", "label", "line"}
    assert page.rindex("</script>") < page.rindex("</body>")


def test_the_command_writes_the_page(recorded, tmp_path, capsys):
    from stratagem.cli.main import run

    assert run(["replay", str(recorded), "--html", str(tmp_path / "game.html"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["html"].endswith("game.html")
    text = (tmp_path / "game.html").read_text()
    assert text.startswith("<!doctype html>") and ELEMENT in text


def test_analyses_of_the_record_are_in_the_page(server, tmp_path):
    session = server.begin("connect_four", "human", "random")["id"]
    server.act(session)
    server.ok(f"sessions/{session}/analyse", {"ply": 0, "maxVisits": 20})
    file = tmp_path / "game.jsonl"
    file.write_bytes(server.get(f"sessions/{session}/record").content)
    record = read_record(file)
    game = load_game(record.game)
    told = build_replay(record, game, replay(record, game))
    assert [one.turnNumber for one in told.analyses] == [0]
    assert told.graph.points[0].values is not None
