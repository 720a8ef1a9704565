"""The page about adding a game shows code that exists and commands that work."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "add-a-game.md").read_text()
SHOWN = re.findall(r"^`(src/[^`]+)`\n```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = re.search(r"```sh\n(python .*?)```", PAGE, re.DOTALL).group(1).splitlines()


def test_every_block_of_code_names_its_file():
    assert len(SHOWN) == len(re.findall(r"```(?:python|toml)\n", PAGE)) > 4


@pytest.mark.parametrize(("path", "code"), SHOWN, ids=range(len(SHOWN)))
def test_the_code_shown_is_the_code_that_runs(path, code):
    assert code in (ROOT / path).read_text()


def test_both_commands_print_one_trace():
    traces = set()
    for command in COMMANDS:
        words = shlex.split(command)
        settings = dict(word.split("=") for word in words if re.match(r"[A-Z_]+=", word))
        arguments = words[words.index("python") + 1 :]
        shown = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        trace, verdict = shown.splitlines()
        traces.add(trace)
        assert "conforms" in verdict
    assert len(COMMANDS) == 2
    assert len(traces) == 1


def test_links_lead_somewhere():
    for page in [ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
