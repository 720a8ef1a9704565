"""Commands run in this process, in an empty folder; one tiny run that many tests share."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from stratagem.cli.main import run

TINY = [
    "selfplay.slots=8", "selfplay.positions=256", "search.sims=4", "replay.minimum=16",
    "learning.batch_size=16", "network.settings.filters=4", "network.settings.blocks=1",
    "anchors.agents=['random']", "anchors.games=4", "anchors.times=1", "anchors.sims=2",
]  # fmt: skip


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def tiny_settings() -> list[str]:
    """--set options that make an iteration of Connect Four take well under a second."""
    return [word for change in TINY for word in ("--set", change)]


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """cli("games", "--json") -> Answer, with an empty working folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        capsys.readouterr()
        code = run([str(word) for word in words])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def trained_once(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "run"
    code = run(["train", "connect_four", "--iterations", "2", "--run", str(folder), "--json",
                *tiny_settings()])  # fmt: skip
    assert code == 0
    return folder


@pytest.fixture
def trained(trained_once, tmp_path) -> Path:
    """A finished tiny run of Connect Four that a test may damage."""
    return Path(shutil.copytree(trained_once, tmp_path / "run"))


@pytest.fixture
def record(cli, tmp_path) -> Path:
    """A recorded game of Connect Four."""
    assert cli("match", "connect_four", "random", "random", "--games", "1", "--out", "m").code == 0
    return tmp_path / "m" / "game_0000.jsonl"


@pytest.fixture
def snapshot(tmp_path):
    """snapshot() -> everything below the working folder, byte for byte."""

    def take() -> dict[str, bytes]:
        return {
            str(file.relative_to(tmp_path)): file.read_bytes() if file.is_file() else b""
            for file in tmp_path.rglob("*")
        }

    return take
