"""Files of others: no pipe, no device, nothing endless, nothing too deep."""

import os

import pytest

from stratagem.core.errors import BadRecord, BadScenario
from stratagem.core.reading import read_regular
from stratagem.core.record import MOST_LINES, parse_record, read_record
from stratagem.core.toml import read_toml

HEADER = (
    '{"format": 1, "game": "connect_four/default", "version": 1, "setup_seed": 1, "agents": []}'
)


def test_a_pipe_and_a_device_are_refused_without_reading(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(OSError, match="no regular file"):
            read_regular(tmp_path / name)
        with pytest.raises(BadRecord, match="no regular file"):
            read_record(tmp_path / name)


def test_a_size_is_looked_at_first(tmp_path):
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(10**12)  # takes no room
    with pytest.raises(OSError, match="at most 16,000,000"):
        read_regular(file)
    file.unlink()
    file.write_bytes(b"12345")
    assert read_regular(file, 5) == b"12345"
    with pytest.raises(OSError, match="at most 4"):
        read_regular(file, 4)


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, '{"seat": 0, "action": ' + "9" * 5000 + "}", '{"a":' * 50_000],
    ids=["deep", "digits", "deep objects"],
)
def test_a_record_that_would_break_the_reader(line):
    with pytest.raises(BadRecord, match="line 2: not valid JSON"):
        parse_record(f"{HEADER}\n{line}\n")


def test_a_record_with_more_lines_than_any_game():
    with pytest.raises(BadRecord, match="more than 100,000 lines"):
        parse_record(HEADER + "\n" + "{}\n" * (MOST_LINES + 1))


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000])
def test_toml_that_would_break_the_reader(tmp_path, text):
    (tmp_path / "file.toml").write_text(text)
    with pytest.raises(BadScenario, match=r"file\.toml: not valid TOML") as caught:
        read_toml(tmp_path / "file.toml")
    assert len(str(caught.value)) < 300
