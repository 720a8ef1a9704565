"""Players that are other programs: they are asked by lines of JSON, and fail without harm."""

import json
import select
import shutil
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.agents.external_process import ExternalProcess, NoAnswer
from stratagem.core.driver import GameBatch, GameStreams
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.session import GameSession, SessionSetup
from stratagem.evaluate import play_match

GAME = "connect_four"

FIRST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "action": asked["legal"][0]["action"]}), flush=True)
"""
# Each of these spoils some answer: what it does instead, and the words that name it.
SPOILED = {
    "raise SystemExit('out of luck')": "the program ended: out of luck",
    "time.sleep(60)": "no answer within 1 s",
    "print('column 3, please', flush=True)": "not an answer with the question's id",
    "print(json.dumps({'id': asked['id'], 'action': 99}), flush=True)": "illegal action 99",
    "print(json.dumps({'id': asked['id'], 'move': 'z9'}), flush=True)": "illegal move 'z9'",
    "print(json.dumps({'id': asked['id']}), flush=True)": "neither action nor move",
    "print('[' * 100000, flush=True)": "not an answer with the question's id",
    "print(json.dumps({'id': asked['id'], 'action': True}), flush=True)": "illegal action True",
    # What would end the report of the match, or move the cursor of the terminal it is read in.
    "print(json.dumps({'id': asked['id'], 'action': '\\ud800'}), flush=True)": "illegal action ?",
    "raise SystemExit('\\x1b[2Jgone')": "the program ended: ?[2Jgone",
}


def program(folder: Path, text: str, options: str = "") -> str:
    file = folder / "bot.py"
    file.write_text(text)
    return f"external:{sys.executable} {file}{options}"


def test_a_program_plays_by_action_or_by_move(tmp_path):
    game = load_game(GAME)
    by_action = make_agent(program(tmp_path, FIRST), game)
    assert play_match(game, [by_action, make_agent("random", game)], 4, 1).agents[0].forfeits == {}
    file = tmp_path / "moves"
    file.mkdir()
    by_move = FIRST.replace(
        '"action": asked["legal"][0]["action"]', '"move": asked["legal"][0]["move"]'
    )
    other = make_agent(program(file, by_move), game)
    session = GameSession(game, SessionSetup.new(game, ("one", "other"), 3))
    events = list(session.advance({0: by_action, 1: other}))
    assert [event.action for event in events] == [
        min(game.legal_actions(state)) for state in session.states[:-1]
    ]


def test_a_program_is_told_what_its_seat_may_know(tmp_path):
    game = load_game("cards")
    log = tmp_path / "log.jsonl"
    spy = FIRST.replace("    print(", f"    open({str(log)!r}, 'a').write(line)\n    print(")
    agent = make_agent(program(tmp_path, spy), game)
    session = GameSession(game, SessionSetup.new(game, ("spy", "other"), 5))
    for _ in zip(
        range(30), session.advance({0: agent, 1: make_agent("random", game)}), strict=False
    ):
        pass
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert asked
    for number, one in enumerate(asked, start=1):
        assert (one["id"], one["type"], one["seat"], one["seats"]) == (str(number), "decide", 0, 2)
        assert one["game"] == game.spec
        assert one["board"] and one["legal"] and set(one["state"]) == set(game.rules.dtype.names)


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_program_that_fails_loses_that_game_and_the_match_goes_on(tmp_path, spoiled):
    game = load_game(GAME)
    text = f"""
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["seed"] % 5 == 0:
        {spoiled}
        continue
    print(json.dumps({{"id": asked["id"], "action": asked["legal"][0]["action"]}}), flush=True)
"""
    agent = make_agent(program(tmp_path, text, "?timeout=1"), game)
    result = play_match(game, [agent, make_agent("random", game)], 6, 2, keep=True)
    external, other = result.agents
    lost = sum(external.forfeits.values())
    assert 1 <= lost <= 6
    assert all(SPOILED[spoiled] in reason for reason in external.forfeits)
    assert external.as_json()["forfeits"] == external.forfeits
    assert other.tally.wins >= lost
    forfeited = [record for record in result.records if "forfeited_by" in record.extra]
    assert len(forfeited) == lost
    assert all(record.returns == () for record in forfeited)


def test_where_games_are_learned_from_a_failure_is_an_error(tmp_path):
    game = load_game(GAME)
    agent = make_agent(program(tmp_path, "raise SystemExit(1)"), game)
    batch = GameBatch(game, 2, GameStreams(0, np.arange(2)))
    batch.start(np.arange(2))
    with pytest.raises(BadSetting, match="did not answer: the program ended"):
        batch.ask(agent, np.arange(2))


def test_a_session_ends_when_a_program_fails(tmp_path):
    game = load_game(GAME)
    agent = make_agent(program(tmp_path, "raise SystemExit(1)"), game)
    session = GameSession(game, SessionSetup.new(game, ("bad", "human"), 3))
    assert list(session.advance({0: agent})) == []
    assert session.is_finished
    assert session.returns == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("external:", "write external:COMMAND"),
        ("external:'unclosed", "No closing quotation"),
        ("external:x?timeout=0", "timeout must be above 0"),
        ("external:x?timeout=nan", "timeout must be above 0"),
        ("external:x?timeout=soon", "could not convert"),
        ("external:x?sims=3", "unknown option"),
    ],
)
def test_wrong_specs_are_named(spec, says):
    with pytest.raises(Exception, match=says):
        make_agent(spec, load_game(GAME))


def test_a_missing_program_is_named():
    game = load_game(GAME)
    agent = make_agent("external:no-such-program-here", game)
    with pytest.raises(BadSetting, match="'no-such-program-here' cannot be started"):
        play_match(game, [agent, make_agent("random", game)], 2, 1)


def test_a_program_that_never_reads_does_not_stop_the_match(tmp_path):
    """The question is longer than the pipe: writing it waits until the program reads."""
    game = load_game(GAME)
    process = ExternalProcess([sys.executable, "-c", "import time; time.sleep(60)"], 1.0)
    with pytest.raises(NoAnswer, match="no answer within 1 s"):
        process.ask({"board": "x" * (1 << 20)})
    agent = make_agent(program(tmp_path, FIRST), game)
    assert play_match(game, [agent, make_agent("random", game)], 2, 1).agents[0].forfeits == {}


def test_a_program_that_never_stops_writing_waits_and_starts_anew(tmp_path):
    text = """
import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"id": asked["id"]}), flush=True)
while True:
    print("and another thing" * 1000)
"""
    file = tmp_path / "talker.py"
    file.write_text(text)
    process = ExternalProcess([sys.executable, str(file)], 20.0)
    assert process.ask({}) == {"id": "1"}
    first = process._process
    assert first is not None and first.stdout is not None
    assert select.select([first.stdout], [], [], 20.0)[0], "it goes on writing"
    assert process.ask({}) == {"id": "2"}
    assert first is not None and first.poll() is not None
    process.stop()


def test_a_program_that_floods_its_error_stream_keeps_no_disk_and_no_memory(tmp_path):
    file = tmp_path / "complainer.py"
    file.write_text(
        "import sys\nline = sys.stdin.readline()\n"
        "for _ in range(3000): sys.stderr.write('x' * 10_000 + '\\n')\n"
        "raise SystemExit('enough')"
    )
    process = ExternalProcess([sys.executable, str(file)], 30.0)
    with pytest.raises(NoAnswer, match="the program ended: enough"):
        process.ask({})


def test_what_escapes_from_a_program_holds_nobody_up(tmp_path):
    """A child in a session of its own is not ended with the program and keeps its pipes open."""
    file = tmp_path / "parent.py"
    file.write_text(
        "import subprocess, sys, time\n"
        "subprocess.Popen(['sleep', '30'], start_new_session=True)\n"
        "sys.stdin.readline()\n"
        "print('nonsense', flush=True)\n"
        "time.sleep(30)\n"
    )
    process = ExternalProcess([sys.executable, str(file)], 10.0)
    began = time.monotonic()
    with pytest.raises(NoAnswer, match="nonsense"):
        process.ask({"board": "x" * (1 << 20)})
    process.stop()
    assert time.monotonic() - began < 9


def test_what_a_program_started_ends_with_it(tmp_path):
    """A shell script that starts the player: ending the script alone would leave the player."""
    note = tmp_path / "number"
    child = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    process = ExternalProcess(["sh", "-c", f'{sys.executable} -c "{child}"; true'], 2.0)
    with pytest.raises(NoAnswer):
        process.ask({})
    process.stop()
    number = int(note.read_text())
    for _ in range(100):
        if not Path(f"/proc/{number}").exists() or "Z" in Path(f"/proc/{number}/stat").read_text():
            return
        time.sleep(0.05)
    raise AssertionError("the player still runs")


EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"


@pytest.mark.parametrize("command", [f"{sys.executable} {EXAMPLES}/first_legal.py", "node"])
def test_the_example_bots_play(command):
    if command == "node":
        if shutil.which("node") is None:
            pytest.skip("no Node.js here")
        command = f"node {EXAMPLES}/centre.js"
    game = load_game(GAME)
    agent = make_agent(f"external:{command}", game)
    result = play_match(game, [agent, make_agent("random", game)], 4, 3)
    assert result.agents[0].forfeits == {}
    assert result.agents[0].decisions > 0


def test_a_language_model_is_asked_through_its_address(monkeypatch):
    """A stand-in for a model: it names the last move of the list, and once something else."""
    asked = []

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"], body))
            text = body["messages"][-1]["content"].splitlines()[-1]
            choice = {"message": {"content": "I resign" if len(asked) == 3 else text}}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"choices": [choice]}).encode())

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("MODEL_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("MODEL_NAME", "stand-in")
        monkeypatch.setenv("MODEL_KEY", "secret")
        game = load_game(GAME)
        agent = make_agent(f"external:{sys.executable} {EXAMPLES}/language_model.py", game)
        result = play_match(game, [agent, make_agent("random", game)], 2, 3)
        server.shutdown()
    path, key, body = asked[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "stand-in")
    assert result.agents[0].forfeits == {"illegal move 'I resign'": 1}
