"""The README is run, line by line; the generated tables of all pages are current."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from stratagem.search import SearchSettings
from stratagem.train.alphazero.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from tables import settings_fields  # noqa: E402  (a script, not a package)

README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_generated_tables_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "tables.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + "run: python scripts/tables.py"


@pytest.mark.parametrize("model", [SearchSettings, Settings])
def test_every_setting_is_explained(model: type[BaseModel]) -> None:
    assert [key for key, field in settings_fields(model) if not field.description] == []


def test_something_is_shown_before_line_twenty() -> None:
    head = README.splitlines()[:20]
    picture = next(line for line in head if line.startswith("!["))
    file = ROOT / re.search(r"\((.*?)\)", picture).group(1)  # type: ignore[union-attr]
    assert file.stat().st_size > 10_000


def test_every_linked_file_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE):
        assert re.search(rf"^{target}:|^{target} ", makefile, re.MULTILINE), target


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 120


@pytest.mark.slow
def test_commands_and_python_run_in_the_order_written(run_page: Callable[[str], list[str]]) -> None:
    printed = run_page(README)
    assert len(printed) >= 8
    assert "Tally(" in printed[-1]
