"""How-to pages do what they say: their files are written, their commands and Python run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from stratagem.cli.game_writer import NewGame, write_game
from stratagem.core.registry import load_game

PAGES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
FILE = re.compile(r"^`([\w/]+\.(?:py|toml))`\n```\w+\n(.*?)```\n", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["agent", "network", "measure"])
def test_a_page_works_as_written(
    name: str, run_page: Callable[[str], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (PAGES / f"{name}.md").read_text()
    ((place, text),) = FILE.findall(page)
    file = tmp_path / "theirs" / place
    file.parent.mkdir(parents=True)
    file.write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "theirs"))
    assert run_page(FILE.sub("", page))
    (entry,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    points = tomllib.loads(entry)["project"]["entry-points"]
    assert set(points) == {f"stratagem.{name}s"}


def test_a_scenario_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((place, text),) = FILE.findall((PAGES / "scenario.md").read_text())
    folder = write_game(NewGame("broad_river"), tmp_path)
    (folder / "broad_river" / place).write_text(text)
    monkeypatch.setenv("STRATAGEM_GAMES", str(folder))
    game = load_game("broad_river/wide")
    assert (game.scenario.rows, game.scenario.columns) == (4, 8)


@pytest.mark.slow
def test_the_commands_of_the_scenario_page_run(run_page: Callable[[str], list[str]]) -> None:
    listed, played = run_page(FILE.sub("", (PAGES / "scenario.md").read_text()))
    assert "default scenario" in listed and "scripted" in played
