"""The script that plays a newcomer hears silence, types, stops servers and reads pages."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import newcomer  # noqa: E402  (scripts, not a package)
from newcomer_terminal import Heard, Terminal  # noqa: E402


@pytest.fixture
def run(tmp_path):
    def call(command, **more):
        return Terminal(os.environ).run(command, tmp_path, tmp_path / "log.txt", **more)

    return call


def test_the_longest_silence_and_what_came_before(run, tmp_path):
    heard = run("echo first; sleep 1.2; echo second; exit 3")
    assert (heard.code, heard.before) == (3, "first")
    assert 1.0 < heard.silence < heard.seconds
    assert "second" in (tmp_path / "log.txt").read_text()


def test_commands_have_a_terminal_and_are_typed_to(run):
    heard = run("test -t 0 && test -t 2 && read -p 'your move > ' word && echo got $word",
                typed=["a1"])  # fmt: skip
    assert heard.code == 0 and "got a1" in heard.text


def test_a_server_is_visited_and_stopped(run):
    visited = []
    command = "echo Stratagem is at http://127.0.0.1:9/; exec sleep 60"
    heard = run(command, serving=lambda address: visited.append(address) or "seen")
    assert (visited, heard.visited, heard.code) == (["http://127.0.0.1:9"], "seen", 0)
    assert heard.seconds < 30


def test_what_goes_wrong_on_a_page_is_noted(run):
    def fail(address):
        raise LookupError("no such opponent")

    heard = run("echo Stratagem is at http://127.0.0.1:9/; exec sleep 60", serving=fail)
    assert heard.visited == "failed: no such opponent"


def test_steps_are_held_to_what_the_pages_say():
    step = newcomer.Step("readme", "make demo", Heard(700.0, 6.0, "a line", 2), 600.0)
    step.assess(5.0)
    assert step.wrong == ["exit code 2", "silent for 6.0 s", "longer than the 600 s stated"]
    assert newcomer.stated_seconds("stratagem train catan --budget 3m") == 180 + newcomer.EXTRA
    assert newcomer.stated_seconds("stratagem games") is None


def test_scores_are_read_from_the_table_of_a_match():
    line = "  mcts:runs/river?sims=64     98       0        2   {}   0.930 to 0.994    6.40   6.1"
    high = newcomer.Step("new", "match", Heard(text=line.format("0.980"), code=0))
    assert newcomer.check_score(high) == ("score 0.980 (0.930 to 0.994)", [])
    low = newcomer.Step("new", "match", Heard(text=line.format("0.850"), code=0))
    assert newcomer.check_score(low)[1] == ["below 0.9"]
    assert newcomer.check_score(newcomer.Step("new", "match", Heard()))[1] == ["no score"]


def test_every_command_of_the_pages_is_found():
    readme = newcomer.commands((ROOT / "README.md").read_text())
    assert readme[0].startswith("git clone") and readme[1] == "make demo"
    assert "stratagem serve" in readme
    tutorial = newcomer.commands((ROOT / "docs" / "tutorial.md").read_text())
    assert tutorial[0].startswith("stratagem train battlefield")
