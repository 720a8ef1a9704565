"""The README is run, line by line; the generated tables of all pages are current."""

import os
import re
import shlex
import subprocess
import sys
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


def commands() -> list[str]:
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("stratagem ")]


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


@pytest.mark.slow
def test_commands_run(tmp_path: Path) -> None:
    assert len(commands()) >= 5
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands():
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True,
            input="hint\n1\nquit\n", timeout=400,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert done.stdout.strip(), command


@pytest.mark.slow
def test_python_example_runs(tmp_path: Path) -> None:
    (example,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert "Tally(" in done.stdout
