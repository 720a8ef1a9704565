"""`ladder` on a board where games take no time."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from stratagem.agents.assistance import describe_help
from stratagem.core.registry import load_game
from stratagem.experiments import ladder as ladders
from stratagem.experiments import publish
from stratagem.experiments.ladder_tables import ladder_section, strength_table
from stratagem.runs.provenance import Checkout
from stratagem.web.leaderboard import rating_notes, read_leaderboard

BOTS = Path(__file__).parents[2] / "examples" / "bots"
GAME = "connect_four/default?columns=3&connect=3&rows=3"
SMALL = (GAME, "scripted", "mcts:none?sims=4", "--only", "--games", "8", "--out", "l.json")


@pytest.fixture
def clean(monkeypatch):
    """A checkout without changes."""
    here = lambda ignore=(): Checkout("abc1234", False)  # noqa: E731
    monkeypatch.setattr(publish, "find_checkout", here)
    monkeypatch.setattr(ladders, "find_checkout", here)


def test_everybody_is_rated_and_the_file_says_the_same(cli, tmp_path):
    answer = cli("ladder", *SMALL, "--json")
    assert answer.code == 0, answer.err
    result = json.loads(answer.out)
    assert result == json.loads((tmp_path / "l.json").read_text())
    assert {one["agent"] for one in result["agents"]} == {"scripted", "mcts:none?sims=4", "random"}
    assert all(one["games"] == 16 for one in result["agents"])  # two others, eight games each
    (anchor,) = (one for one in result["agents"] if one["agent"] == "random")
    assert anchor["rating"]["rating"] == 0 and anchor["help"] == "plays at random"
    assert result["done"]


def test_a_ladder_goes_on_with_newcomers_and_keeps_its_games(cli, tmp_path):
    cli("ladder", *SMALL)
    before = json.loads((tmp_path / "l.json").read_text())
    taken = cli("ladder", *SMALL)
    assert taken.code == 2 and "--resume" in taken.err
    more = cli("ladder", GAME, "mcts:none?sims=16", "--only", "--games", "8", "--out", "l.json",
               "--resume", "--json")  # fmt: skip
    assert more.code == 0, more.err
    after = json.loads(more.out)
    assert len(after["agents"]) == 4
    games = [block["games"]["scores"] for block in before["blocks"]]
    assert [block["games"]["scores"] for block in after["blocks"]][: len(games)] == games
    assert cli("ladder", *SMALL, "--resume", "--seed", "9").code == 2
    (tmp_path / "l.json").write_text("[]")
    broken = cli("ladder", *SMALL, "--resume")
    assert broken.code == 2 and "not a ladder" in broken.err


def test_a_changed_checkout_publishes_nothing(cli, tmp_path, monkeypatch):
    changed = lambda ignore=(): Checkout("abc1234", True)  # noqa: E731
    monkeypatch.setattr(publish, "find_checkout", changed)
    answer = cli("ladder", *SMALL, "--publish")
    assert answer.code == 2 and "has changes" in answer.err
    assert not (tmp_path / "l.json").exists()


def test_half_a_ladder_is_not_published(cli, tmp_path, clean, monkeypatch):
    monkeypatch.setattr(ladders, "results_folder", lambda: tmp_path / "results")
    hasty = cli("ladder", *SMALL, "--publish", "--budget", "0.001s")
    assert hasty.code == 2 and "--resume" in hasty.err
    assert not (tmp_path / "results").exists()
    assert cli("ladder", *SMALL, "--publish", "--resume").code == 0


def test_published_ladders_become_tables_and_notes(cli, tmp_path, clean, monkeypatch):
    monkeypatch.setattr(ladders, "results_folder", lambda: tmp_path / "results")
    assert cli("ladder", *SMALL, "--publish").code == 0
    (found,) = ladders.read_ladders(tmp_path / "results" / "ladder")
    section = ladder_section(found)
    assert section.startswith(f"## {GAME}\n") and "search alone" in section and "abc1234" in section
    assert strength_table([found]).count("\n") == 1  # nothing ships for this board
    best = {**found["agents"][0], "agent": "best", "help": "from scratch"}
    table = strength_table([{**found, "agents": [best, *found["agents"][1:]]}])
    assert "1 of 3" in table and "from scratch" in table
    board = read_leaderboard(tmp_path, tmp_path / "results" / "ladder")
    assert len(board.rows) == 6  # three pairs, from both sides
    mine = {row.opponent: row.score for row in board.rows if row.agent == "scripted"}
    other = {row.agent: row.score for row in board.rows if row.opponent == "scripted"}
    assert all(mine[name] == pytest.approx(1 - other[name]) for name in mine)
    assert "where random has 0" in rating_notes(tmp_path / "results" / "ladder", GAME)["scripted"]


@pytest.mark.parametrize(
    ("game", "agent", "words"),
    [
        ("connect_four", "best", "from scratch"),
        ("battlefield", "best", "started from another network"),
        ("hexwar/crossroads", "best", "teacher: `scripted`"),
        ("hexwar/crossroads", "best-hybrid", "bot at play: `scripted`"),
        ("hispania/full55", "best-hybrid", "bot at play: `scripted`"),
        ("hispania/duel8", "best", "trained against `scripted`"),
        ("battlefield", "goal-rush", "a scripted player"),
        ("battlefield", "mcts:none?sims=5&playout=scripted", "bot at play: `scripted`"),
        ("battlefield", "mcts:none?sims=5", "search alone"),
    ],
)
def test_help_is_told(game, agent, words):
    assert words in describe_help(agent, load_game(game))


@pytest.mark.parametrize(
    "change",
    [{"pairs": 5}, {"pairs": [{}]}, {"agents": [{"agent": "x"}]}, {"anchor": 1}, {"date": None}],
)
def test_a_damaged_ladder_hides_no_other(tmp_path, change):
    rating = {"rating": 10.0, "low": 0.0, "high": 20.0}
    pair = {"first": "a", "second": "b", "games": 8, "score": 0.5, "wilson": [0.2, 0.8]}
    whole = {
        "game": GAME, "anchor": "random", "date": "2026-01-01", "commit": "abc1234",
        "agents": [{"agent": "a", "rating": rating}], "pairs": [pair],
    }  # fmt: skip
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    (tmp_path / "damaged.json").write_text(json.dumps(whole | change))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert len(ladders.read_ladders(tmp_path)) == 1
    assert len(read_leaderboard(tmp_path / "rows", tmp_path).rows) == 2
    assert list(rating_notes(tmp_path, GAME)) == ["a"]


CRASHES = """
import json, sys
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if number == 3:
        raise SystemExit("out of luck")
    print(json.dumps({"id": asked["id"], "action": asked["legal"][0]["action"]}), flush=True)
"""


def test_programs_in_two_languages_are_rated_and_one_that_crashes_is_named(cli, tmp_path):
    (tmp_path / "crashes.py").write_text(CRASHES)
    crashing = f"external:{sys.executable} {tmp_path}/crashes.py"
    players = [f"external:{sys.executable} {BOTS}/first_legal.py", crashing]
    if shutil.which("node"):
        players.append(f"external:node {BOTS}/centre.js")
    games = (GAME, *players, "--only", "--games", "8", "--out", "l.json")
    answer = cli("ladder", *games)
    assert answer.code == 0, answer.err
    (named,) = (line for line in answer.out.splitlines() if "games by rule" in line)
    assert named.startswith(crashing) and "the program ended: out of luck" in named
    result = json.loads((tmp_path / "l.json").read_text())
    assert {one["agent"] for one in result["agents"]} == {*players, "random"}
    again = cli("ladder", *games, "--resume")  # what was lost by rule is read from the file
    assert again.code == 0 and named in again.out
    met = cli("tournament", GAME, crashing, "random", "--games", "8", "--out", "t")
    assert met.code == 0 and "games by rule: the program ended" in met.out
