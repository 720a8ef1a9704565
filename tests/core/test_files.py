"""Files and folders appear whole or not at all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stratagem.core.files import (
    append_fully,
    check_file,
    check_folder,
    new_folder,
    write_atomically,
)


def test_writes_text_and_bytes(tmp_path):
    write_atomically(tmp_path / "deep" / "a.txt", "höhe")
    assert (tmp_path / "deep" / "a.txt").read_text() == "höhe"
    write_atomically(tmp_path / "deep" / "a.txt", b"\x00\x01")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == b"\x00\x01"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.txt"]


def test_a_failed_write_leaves_the_old_content(tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    write_atomically(file, "old")

    def full_disk(descriptor):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        write_atomically(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_killed_writer_leaves_whole_content(tmp_path):
    file = tmp_path / "a.txt"
    write_atomically(file, "0" * 100_000)
    code = (
        "import sys\nfrom pathlib import Path\nfrom stratagem.core.files import write_atomically\n"
        "k = 0\n"
        "while True:\n"
        "    k = (k + 1) % 10\n"
        "    write_atomically(Path(sys.argv[1]), str(k) * 100_000)\n"
    )
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", code, str(file)])
        time.sleep(0.4)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        content = file.read_text()
        assert len(content) == 100_000
        assert len(set(content)) == 1


def test_a_folder_appears_whole(tmp_path):
    folder = tmp_path / "step_1"
    with new_folder(folder) as temporary:
        (temporary / "a").write_text("1")
        assert not folder.exists()
    assert (folder / "a").read_text() == "1"
    with new_folder(folder) as temporary:
        (temporary / "b").write_text("2")
    assert [path.name for path in folder.iterdir()] == ["b"]


def test_a_failed_folder_leaves_the_old_one(tmp_path):
    folder = tmp_path / "step_1"
    with new_folder(folder) as temporary:
        (temporary / "a").write_text("1")
    with pytest.raises(RuntimeError, match="half way"), new_folder(folder) as temporary:
        (temporary / "b").write_text("2")
        raise RuntimeError("half way")
    assert [path.name for path in tmp_path.iterdir()] == ["step_1"]
    assert (folder / "a").read_text() == "1"


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    """As root the same call would replace /dev/null."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(pipe, "text")
    assert pipe.is_fifo() and [one.name for one in tmp_path.iterdir()] == ["pipe"]


def test_nothing_is_added_through_a_link(tmp_path):
    (tmp_path / "mine").write_text("mine\n")
    (tmp_path / "link").symlink_to("mine")
    with pytest.raises(OSError, match="symbolic links"):
        append_fully(tmp_path / "link", "theirs\n")
    assert (tmp_path / "mine").read_text() == "mine\n"


def test_a_place_where_nothing_can_be_written_shows_before_the_work(tmp_path):
    check_folder(tmp_path / "a" / "b")
    check_file(tmp_path / "a" / "b.txt")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("x")
    check_file(tmp_path / "file")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NotADirectoryError):
            check_folder(folder)
    with pytest.raises(IsADirectoryError):
        check_file(tmp_path)
    with pytest.raises(PermissionError):  # not even root can write there
        check_folder(Path("/proc/1/nothing"))
