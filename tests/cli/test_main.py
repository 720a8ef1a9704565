"""Help is light, commands are found by name, errors are one line with the right exit code."""

import importlib
import json
import re
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest

from stratagem.cli.main import command_names

_HEAVY = "{'torch', 'numba', 'matplotlib', 'scipy', 'numpy'}"
_PROBE = f"""
import sys
from stratagem.cli.main import run
code = run(sys.argv[1:])
print("heavy:", sorted({_HEAVY} & set(sys.modules)), "code:", code)
"""

CONTRACT = {
    "games", "train", "match", "tournament", "bench", "play", "replay", "analyse", "experiment",
    "report", "demo",
}  # fmt: skip


def probe(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *words], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_every_command_of_the_contract_exists():
    assert set(command_names()) >= CONTRACT


class Interrupted(types.ModuleType):
    """A module in the middle of whose import somebody presses Ctrl-C."""

    def __getattr__(self, name):
        raise KeyboardInterrupt


def test_ctrl_c_while_the_program_is_loaded_shows_no_traceback(monkeypatch, capsys):
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as stream:
        entry = tomllib.load(stream)["project"]["scripts"]["stratagem"]
    module, _, name = entry.partition(":")
    script = getattr(importlib.import_module(module), name)
    monkeypatch.setitem(sys.modules, "stratagem.cli.main", Interrupted("stratagem.cli.main"))
    with pytest.raises(SystemExit) as ended:
        script()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "stopped by Ctrl-C\n"


def test_help_and_games_load_nothing_heavy():
    for words in (["--help"], ["games"], ["games", "--json"], ["--version"]):
        assert "heavy: [] code: 0" in probe(*words), words


def test_help_of_every_command_loads_nothing_heavy():
    script = (
        "import sys\nfrom stratagem.cli.main import run\n"
        "for name in sys.argv[1:]:\n    assert run([name, '--help']) == 0, name\n"
        f"print('heavy:', sorted({_HEAVY} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *sorted(CONTRACT)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.endswith("heavy: []\n")


@pytest.mark.parametrize("name", sorted(CONTRACT))
def test_every_command_takes_json(cli, name):
    answer = cli(name, "--help")
    assert answer.code == 0
    assert "--json" in answer.out


@pytest.mark.parametrize("name", ["", *command_names()])
def test_help_is_written_for_people(cli, name):
    text = cli(*([name] if name else []), "--help").out
    assert "<" not in text and "{" not in text  # neither types nor ranges
    assert not re.search(r"(?<![A-Z\]])\.\.\.", text)  # whole sentences; AGENT... is a list


def test_help_names_values_and_defaults(cli):
    text = cli("match", "--help").out
    assert "Usage: stratagem match GAME AGENT... [OPTIONS]\n" in text
    assert "--games N " in text and "[default: 100]" in text
    assert "--seats rotate|fixed " in text


def test_without_words_the_help_is_shown(cli):
    answer = cli()
    assert answer.code == 0
    assert "Commands:" in answer.out


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["games", "--nonsense"], ["match"], ["match", "connect_four", "--games", "x"]],
)
def test_usage_errors_are_one_line_and_code_2(cli, words):
    answer = cli(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ") and answer.err.count("\n") == 1
    assert "--help" in answer.err


def test_a_mistyped_command_is_recognised(cli):
    assert cli("trian").err == (
        "error: No such command 'trian'. Did you mean 'train'? See `stratagem --help`\n"
    )


def test_ctrl_c_is_130(cli, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("stratagem.cli.commands.match.load_game", interrupted)
    answer = cli("match", "connect_four", "random", "random")
    assert answer.code == 130
    assert "Ctrl-C" in answer.err and "Traceback" not in answer.err


def test_a_bug_is_not_dressed_up_as_wrong_input(cli, monkeypatch):
    def broken(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("stratagem.cli.commands.match.load_game", broken)
    with pytest.raises(ZeroDivisionError):
        cli("match", "connect_four", "random", "random")


def stratagem(words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    """The program itself in a shell, with its streams as `words` redirect them."""
    program = f'{sys.executable} -c "from stratagem.cli.main import main; main()"'
    command = words.replace("stratagem", program, 1)
    return subprocess.run(["bash", "-c", command], capture_output=True, check=False, **more)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("stratagem --version > /dev/full", 2),
        ("stratagem games --json > /dev/full", 2),
        ("stratagem games > /dev/full", 2),
        ("stratagem games >&-", 0),
        ("stratagem games nothing 2>&-", 2),
        ("stratagem engine <&-", 0),
        ("printf '\\xff\\xfe\\n' | PYTHONIOENCODING=utf-8:strict stratagem engine", 0),
        ("PYTHONIOENCODING=ascii:strict stratagem games", 0),
        ("PYTHONIOENCODING=utf-8:strict stratagem runs $'\\xff'", 2),
    ],
)
def test_streams_that_are_closed_full_or_of_another_alphabet(words, code, tmp_path):
    done = stratagem(words, cwd=tmp_path)
    assert done.returncode == code, done
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def test_what_is_closed_is_not_written_into(tmp_path):
    """A closed stream's number would go to the next file, and words would land in that file."""
    words = "stratagem match connect_four random random --games 1 --out m >&- 2>&-"
    assert stratagem(words, cwd=tmp_path).returncode == 0
    assert json.loads((tmp_path / "m" / "match.json").read_text())["games"] == 1


def test_ctrl_c_before_a_command_has_begun_is_130(cli, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("stratagem.cli.main.build_app", interrupted)
    assert cli("games").code == 130
