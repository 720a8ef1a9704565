"""What `make check` leaves out, and what several processes begin with."""

import json

import pytest

import durations

pytest_plugins = ["pytester"]

TESTS = """
import pytest

def test_short(): ...

def test_long(): ...

@pytest.mark.slow
def test_marked(): ...

def test_new(): ...
"""


@pytest.fixture
def folder(pytester, monkeypatch):
    file = pytester.path / "durations.json"
    monkeypatch.setattr(durations, "FILE", file)
    pytester.makeconftest(_CONFTEST)
    pytester.makepyfile(test_some=TESTS)
    return file


_CONFTEST = """
import durations

def pytest_collection_modifyitems(config, items):
    durations.leave_out_long(config, items)

def pytest_configure(config):
    config.addinivalue_line("markers", "slow: long")
    config.pluginmanager.register(durations.Recorder())
"""


def test_long_and_marked_tests_are_left_out_and_new_ones_run(folder, pytester):
    folder.write_text(json.dumps({"test_some.py::test_short": 0.1, "test_some.py::test_long": 5.0}))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=2, deselected=2)
    result.stdout.fnmatch_lines(["*test_short*", "*test_new*"])


def test_files_with_long_tests_come_first_and_stay_together(folder, pytester):
    pytester.makeconftest(
        "import durations\n"
        "def pytest_collection_modifyitems(items):\n"
        "    durations.put_longest_first(items)\n"
    )
    for name in ("test_a", "test_b", "test_c"):
        pytester.makepyfile(**{name: "def test_one(): ...\ndef test_two(): ..."})
    (pytester.path / "test_some.py").unlink()
    folder.write_text(json.dumps({"test_c.py::test_two": 9.0, "test_b.py::test_one": 1.0}))
    result = pytester.runpytest_inprocess("--collect-only", "-q")
    assert result.outlines[:6] == [
        f"test_{name}.py::test_{number}" for name in "cba" for number in ("one", "two")
    ]


def test_what_a_test_takes_is_written_down(folder, pytester, monkeypatch):
    monkeypatch.setattr(durations, "_LISTED", 0.0)
    pytester.runpytest_inprocess()
    listed = json.loads(folder.read_text())
    assert listed["test_some.py::test_short"] < durations.LONGEST_QUICK
