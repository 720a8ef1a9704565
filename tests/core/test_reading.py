"""Files of others: no pipe, no device, nothing endless, nothing too deep."""

import os
import time

import pytest

from stratagem.core.errors import BadRecord, BadScenario
from stratagem.core.reading import read_json, read_regular
from stratagem.core.record import MOST_LINES, parse_record, read_record
from stratagem.core.toml import parse_value, read_toml

HEADER = (
    '{"format": 1, "game": "connect_four/default", "version": 1, "setup_seed": 1, "agents": []}'
)


def test_a_pipe_and_a_device_are_refused_without_reading(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(OSError, match="not a regular file"):
            read_regular(tmp_path / name)
        with pytest.raises(BadRecord, match="not a regular file"):
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


def test_lines_that_are_not_counted_are_not_read_either():
    """A carriage return and its kin end a line for Python; a record of them took gigabytes."""
    for end in ("\r", "\x0c", "\u2028"):
        with pytest.raises(BadRecord, match="line 2: not valid JSON"):
            parse_record(HEADER + "\n" + f"{{}}{end}" * 1000)


def test_line_ends_of_another_system_are_read():
    end = '{"returns": [], "hash": "x"}'
    assert parse_record(f"{HEADER}\r\n{end}\r\n").final_hash == "x"


@pytest.mark.parametrize("key", ["seat", "action"])
@pytest.mark.parametrize("value", ["1.5", '"1"', "true", "null", "1e999", "[]"])
def test_only_whole_numbers_are_moves(key, value):
    text = '{"seat": 0, "action": 1}'.replace(f'"{key}": ', f'"{key}": {value}, "x": ')
    with pytest.raises(BadRecord, match="wrong key"):
        parse_record(f'{HEADER}\n{text}\n{{"returns": [], "hash": ""}}\n')


def test_json_that_would_break_the_reader(tmp_path):
    for text in ("[" * 100_000, "9" * 5000, "\x00", ""):
        (tmp_path / "file.json").write_text(text)
        with pytest.raises(ValueError, match=r"JSON|nested|Expecting|digits|char"):
            read_json(tmp_path / "file.json")


def test_a_record_with_more_lines_than_any_game():
    with pytest.raises(BadRecord, match="more than 100,000 lines"):
        parse_record(HEADER + "\n" + "{}\n" * (MOST_LINES + 1))


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000])
def test_toml_that_would_break_the_reader(tmp_path, text):
    (tmp_path / "file.toml").write_text(text)
    with pytest.raises(BadScenario, match=r"file\.toml: not valid TOML") as caught:
        read_toml(tmp_path / "file.toml")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    ["a" + ".a" * 50_000 + " = 1", "[" + "a." * 3000 + "b]", '"a b".' * 3000 + "x = 1",
     "x = " + "[" * 40 + "]" * 40, "a" + ".a" * 40 + " = 1"],
    ids=["long key", "table", "quoted key", "lists", "key"],
)  # fmt: skip
def test_toml_that_is_nested_too_deeply(tmp_path, text):
    """A key of 50,000 parts kept the parser busy for minutes."""
    file = tmp_path / "deep.toml"
    file.write_text(text)
    began = time.monotonic()
    with pytest.raises(BadScenario, match=r"deep\.toml: not valid TOML"):
        read_toml(file)
    assert time.monotonic() - began < 10


def test_a_mark_at_the_beginning_of_toml_is_no_part_of_it(tmp_path):
    file = tmp_path / "marked.toml"
    file.write_text("\ufeffsize = 2\r\n")
    assert read_toml(file) == {"size": 2}


def test_no_more_room_is_set_aside_than_a_file_needs(tmp_path):
    file = tmp_path / "small"
    file.write_bytes(b"12345")
    assert read_regular(file, 10**30) == b"12345"


def test_half_a_letter_in_a_record_is_refused():
    """JSON can name half a letter; nothing can print it, send it or write it down."""
    for text in (
        HEADER.replace("[]", '["\\ud800"]'),
        HEADER.replace("}", ', "x": {"\\udfff": 1}}'),
    ):
        with pytest.raises(BadRecord, match="line 1: a text with half a character"):
            parse_record(text + '\n{"returns": [], "hash": "x"}\n')
    whole = HEADER.replace("[]", '["\\ud83d\\ude00"]')
    assert parse_record(whole + '\n{"returns": [], "hash": "x"}\n').agents == ("\U0001f600",)


@pytest.mark.parametrize("text", ['out = "a\\u0000b"', '"a\\u0000b" = 1', 'list = [["a\\u0000b"]]'])
def test_a_text_that_no_file_can_be_called_is_refused(tmp_path, text):
    (tmp_path / "zero.toml").write_text(text)
    with pytest.raises(BadScenario, match=r"zero\.toml: not valid TOML: .* character 0"):
        read_toml(tmp_path / "zero.toml")


def test_a_value_of_several_lines_is_a_word():
    """Else `--set "seed=1\\niterations=3"` would set the one and lose the other."""
    assert parse_value("1") == 1
    assert parse_value("1\niterations = 3") == "1\niterations = 3"
