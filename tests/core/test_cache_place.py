"""Compiled code finds a place, whatever the home folder is like."""

import os
import stat
from pathlib import Path

import pytest

from stratagem.core import cache_place
from stratagem.core.cache_place import provide_cache


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """What the choice leads to, with these variables; temporary files are in an empty folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("STRATAGEM_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "")

    def choose(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, str(value))
        provide_cache()
        return os.environ["STRATAGEM_CACHE"]

    return choose


def test_a_place_that_can_be_written_is_kept(chosen, tmp_path):
    assert chosen(XDG_CACHE_HOME=tmp_path / "new") == ""
    assert chosen(STRATAGEM_CACHE=tmp_path / "own") == str(tmp_path / "own")
    assert not (tmp_path / "new").exists()


def test_a_place_that_cannot_be_written_is_replaced_by_a_private_one(chosen, tmp_path):
    """Every command ended in a traceback of the compiler."""
    found = chosen(XDG_CACHE_HOME="/proc/1")
    assert found == str(tmp_path / "temporary" / f"stratagem-{os.getuid()}")
    assert stat.S_IMODE(Path(found).stat().st_mode) == 0o700
    (tmp_path / "file").write_text("")
    assert chosen(STRATAGEM_CACHE=tmp_path / "file" / "below") == found


def test_no_home_folder(chosen, tmp_path, monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(cache_place.Path, "home", homeless)
    assert chosen().startswith(str(tmp_path / "temporary"))


def test_a_folder_that_somebody_else_prepared_is_not_used(chosen, tmp_path):
    """Code is loaded from it."""
    trap = tmp_path / "temporary" / f"stratagem-{os.getuid()}"
    trap.symlink_to(tmp_path)
    assert chosen(XDG_CACHE_HOME="/proc/1") != str(trap)
    trap.unlink()
    trap.mkdir()
    trap.chmod(0o777)
    assert chosen(STRATAGEM_CACHE="", XDG_CACHE_HOME="/proc/1") != str(trap)
