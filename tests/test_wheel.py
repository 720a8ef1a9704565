"""The wheel alone, in an empty environment and an empty folder, plays: no repository is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

import stratagem

ROOT = Path(__file__).resolve().parents[1]


def test_the_image_gets_all_that_the_wheel_holds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    held = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    wanted = {*held["packages"], *held["force-include"]}
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = {word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]}
    assert [name for name in wanted if not any(Path(name).is_relative_to(c) for c in copied)] == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "empty", with_pip=False, symlinks=True)
    programs = folder / "empty" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    return programs


@pytest.fixture
def run_installed(installed: Path, tmp_path: Path):
    """run_installed("games") -> what the installed program prints."""
    # The packages it needs come from this environment; its `.pth` files are not read there, so
    # the checkout stays out of sight. Without the compiler a first game takes no minute.
    packages = sysconfig.get_paths()["purelib"]
    environment = {**os.environ, "PYTHONPATH": packages, "NUMBA_DISABLE_JIT": "1"}
    environment.pop("STRATAGEM_GAMES", None)

    def call(*words: str, text: str = "") -> str:
        done = subprocess.run(
            [installed / "stratagem", *words], cwd=tmp_path, env=environment, input=text,
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.mark.slow
def test_the_wheel_plays_without_the_repository(run_installed, installed: Path, tmp_path: Path):
    where = [str(installed / "python"), "-c", "import stratagem; print(stratagem.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(found).is_relative_to(installed.parent)

    assert run_installed("--version").strip() == stratagem.__version__
    assert "terra_mystica" in run_installed("games")
    match = run_installed("match", "connect_four", "best:?sims=2", "random", "--games", "1")
    assert "best:?sims=2" in match
    moves = "1\n2\n3\n4\n5\n6\n7\n" * 12  # whatever is played, columns fill up
    run_installed("play", "connect_four", "--opponent", "random", "--save", "g.jsonl", text=moves)
    assert "verified" in run_installed("replay", "g.jsonl")
    shipped = Path(found).parent / "web"
    assert (shipped / "rulebooks" / "catan.md").is_file()
    assert list((shipped / "leaderboard").glob("*.json")) and list((shipped / "ladder").iterdir())
