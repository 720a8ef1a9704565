"""`stratagem new-game` writes games that conform; what it cannot do is one line and code 2."""

import itertools
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from stratagem.cli.game_writer import NewGame, fill_in, write_game

RULES = "E,F,W,I,N,UP,B,C4,PIE,RUF,PTH"
KINDS = {
    "plain_kind": (),
    "dice_kind": ("--chance",),
    "secret_kind": ("--seats", "3", "--hidden"),
    "hex_kind": ("--board", "hex"),
    "whole_kind": ("--seats", "4", "--chance", "--hidden", "--board", "hex"),
}
LEFT_OVER = re.compile(
    r"^#(if|elif|else|end)\b|\{\{(name|dashed|title|summary|seats|hand|folder)\}\}",
    re.MULTILINE,
)
CONFORM = """
import sys
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
for spec in sys.argv[1:]:
    check_game(load_game(spec), games=1)
    print(spec)
"""


def test_games_of_every_kind_conform(cli, tmp_path, monkeypatch):
    for name, options in KINDS.items():
        answer = cli("new-game", name, *options)
        assert answer.code == 0 and f"STRATAGEM_GAMES={tmp_path / name}" in answer.out
    monkeypatch.setenv("STRATAGEM_GAMES", ":".join(str(tmp_path / name) for name in KINDS))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # compiling them takes a minute
    small = "default?rows=3&columns=3"
    specs = [
        f"{name}/{small}&hand=2" if "--hidden" in options else f"{name}/{small}"
        for name, options in KINDS.items()
    ]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CONFORM, *specs], capture_output=True, text=True
    )
    assert (done.stdout.split(), done.stderr) == (specs, "")


@pytest.mark.slow
def test_the_tests_that_are_written_pass(cli, tmp_path):
    assert cli("new-game", "fresh_hexes", "--board", "hex", "--hidden").code == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=tmp_path / "fresh_hexes", capture_output=True, text=True)
    assert done.returncode == 0 and "4 passed" in done.stdout, done.stdout


def test_every_combination_is_tidy_python(tmp_path):
    for seats, chance, hidden, board in itertools.product(
        (2, 3, 4), (False, True), (False, True), ("square", "hex")
    ):
        new = NewGame(f"game_{seats}{chance:d}{hidden:d}_{board}", seats, chance, hidden, board)
        folder = write_game(new, tmp_path)
        for file in filter(Path.is_file, folder.rglob("*")):
            assert not LEFT_OVER.search(file.read_text()), file
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["entry-points"]["stratagem.games"] == {new.name: new.name}
        assert (folder / new.name / "hide.py").exists() == hidden
        assert (folder / new.name / "rules.md").read_text().count("\n\n\n") == 0
    for command in (["check", f"--select={RULES}"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length=100", "."]
        done = subprocess.run([*ruff, "--no-cache"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_json_names_the_files(cli, tmp_path):
    answer = cli("new-game", "listed_kind", "--out", tmp_path / "deep" / "down", "--json")
    found = json.loads(answer.out)
    assert Path(found["folder"]) == tmp_path / "deep" / "down" / "listed_kind"
    assert {"README.md", "test_listed_kind.py", "listed_kind/rules.py"} <= set(found["files"])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["River"], "'River' is not a valid game name: write lower-case letters"),
        (["my-Game"], "digits and _, such as my_game"),
        (["../up"], "is not a valid game name"),
        (["class"], "is not a valid game name"),
        (["catan"], "a game called 'catan' already exists"),
        (["json"], "'json' is the name of a Python module"),
        (["numpy"], "'numpy' is the name of a Python module"),
        (["there"], "there already exists: choose another name, or another folder with --out"),
        (["gone"], "gone already exists: choose another name"),
        (["fine", "--seats", "1"], "--seats 1: choose 2 to 4"),
        (["fine", "--seats", "5"], "--seats 5: choose 2 to 4"),
        (["fine", "--seats", "two"], "Invalid value for '--seats'"),
        (["fine", "--board", "round"], "--board round: choose square or hex"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(cli, tmp_path, snapshot, words, text):
    (tmp_path / "there").mkdir()
    (tmp_path / "gone").symlink_to("nowhere")
    before = snapshot()
    answer = cli("new-game", *words)
    assert answer.code == 2 and text in answer.err and answer.err.count("\n") == 1
    assert snapshot() == before


def test_templates_keep_what_a_kind_asks_for():
    text = "a\n#if x and not y\nb\n#if y\nno\n#end\n#elif y\nc\n#else\nd\n#end\n{{e}}\n"
    assert fill_in(text, {"x": True, "y": False}, {"e": "f"}) == "a\nb\nf\n"
    assert fill_in(text, {"x": True, "y": True}, {"e": "f"}) == "a\nc\nf\n"
    assert fill_in(text, {"x": False, "y": False}, {"e": "f"}) == "a\nd\nf\n"
    with pytest.raises(ValueError, match="without #end"):
        fill_in("#if x\n", {"x": True}, {})
