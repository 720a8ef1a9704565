"""A file that extends another names only what differs; circles and unknown files are refused."""

import pytest

from stratagem.core.errors import BadScenario
from stratagem.core.extends import merge, read_extended


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)


def test_tables_are_merged_and_everything_else_is_replaced():
    base = {"a": 1, "list": [1, 2], "table": {"x": 1, "deep": {"y": 2}}, "gone": {"z": 1}}
    changes = {"list": [3], "table": {"deep": {"z": 3}}, "b": {"new": 1}, "gone": {}}
    expected = {
        "a": 1,
        "list": [3],
        "table": {"x": 1, "deep": {"y": 2, "z": 3}},
        "b": {"new": 1},
        "gone": {},
    }
    assert merge(base, changes) == expected
    assert base["table"] == {"x": 1, "deep": {"y": 2}}


def test_a_chain_of_files(tmp_path):
    write(
        tmp_path,
        first="a = 1\n[t]\nx = 1\ny = 1\n",
        second='extends = "first"\n[t]\ny = 2\n',
        third='extends = "second"\na = 3\n',
    )
    assert read_extended(tmp_path / "third.toml") == {"a": 3, "t": {"x": 1, "y": 2}}


def test_a_circle_is_refused_with_its_course(tmp_path):
    write(tmp_path, one='extends = "two"\n', two='extends = "one"\n', me='extends = "me"\n')
    with pytest.raises(BadScenario, match=r"two\.toml: .*\(one -> two -> one\): break it"):
        read_extended(tmp_path / "one.toml")
    with pytest.raises(BadScenario, match="me -> me"):
        read_extended(tmp_path / "me.toml")


@pytest.mark.parametrize("base", ['"nobody"', '"../outside/secret"', "3"])
def test_only_a_file_of_the_same_folder_can_be_extended(tmp_path, base):
    (tmp_path / "outside").mkdir()
    (tmp_path / "inside").mkdir()
    write(tmp_path / "outside", secret="a = 1\n")
    write(tmp_path / "inside", mine=f"extends = {base}\n", other="a = 1\n")
    with pytest.raises(BadScenario, match=r"mine\.toml: key 'extends': .* known: mine, other"):
        read_extended(tmp_path / "inside" / "mine.toml")


def test_what_names_no_file_and_what_never_ends(tmp_path):
    write(tmp_path, several='extends = ["a", "b"]\n', number="extends = 5\n")
    for name in ("several", "number"):
        with pytest.raises(BadScenario, match=r"no file .* known: "):
            read_extended(tmp_path / f"{name}.toml")
    write(tmp_path, **{f"f{n}": f'extends = "f{n + 1}"\n' for n in range(1200)})
    with pytest.raises(BadScenario, match="a chain of more than 100 files"):
        read_extended(tmp_path / "f0.toml")
