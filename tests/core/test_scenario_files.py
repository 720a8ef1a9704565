"""Scenario files: families of one file for many numbers, in a sensible order."""

import pytest

from stratagem.core.errors import BadScenario
from stratagem.core.scenario_files import ScenarioFile, find_scenarios, shorten_names

FAMILY = """
title = "Size {N}"
size = "{N}"
rows = ["{N}", "{N}x"]

[family]
first = 8
last = 11

[family.member.9]
note = "only {N}"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "game.toml").write_text('default_scenario = "plain"\n')
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "plain.toml").write_text("size = 5\n")
    (tmp_path / "scenarios" / "box-N.toml").write_text(FAMILY)
    return tmp_path


def test_a_family_is_listed_in_the_order_of_its_numbers(folder):
    assert list(find_scenarios(folder)) == ["plain", "box-8", "box-9", "box-10", "box-11"]


def test_members_get_their_number_and_what_only_they_have(folder):
    found = find_scenarios(folder)
    assert found["box-8"].values() == {"title": "Size 8", "size": 8, "rows": [8, "8x"]}
    assert found["box-9"].values()["note"] == "only 9"
    assert found["plain"].values() == {"size": 5}


def test_a_family_may_extend_a_plain_file_and_a_plain_file_wins(folder):
    (folder / "scenarios" / "box-N.toml").write_text(
        'extends = "plain"\ntitle = "{N}"\n[family]\nfirst = 1\nlast = 2\n'
    )
    (folder / "scenarios" / "box-2.toml").write_text("size = 22\n")
    found = find_scenarios(folder)
    assert found["box-1"].values() == {"size": 5, "title": 1}
    assert found["box-2"] == ScenarioFile(folder / "scenarios" / "box-2.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size = 3\n", "needs \\[family\\]"),
        ("[family]\nfirst = 3\n", "needs \\[family\\]"),
        ("[family]\nfirst = 3\nlast = 2\n", "first <= last"),
        ("[family]\nfirst = 3\nlast = 4.0\n", "whole numbers"),
        ("[family]\nfirst = 3\nlast = 4\nmember.5 = {}\n", r"member\.5\] is outside 3 to 4"),
    ],
)
def test_wrong_families_are_explained(folder, text, words):
    (folder / "scenarios" / "box-N.toml").write_text(text)
    with pytest.raises(BadScenario, match=rf"box-N\.toml: .*{words}"):
        find_scenarios(folder)


def test_names_that_count_on_are_shortened():
    names = ["plain", "box-8", "box-9", "box-10", "box-11", "ring-1", "ring-2", "disc-1", "disc-3"]
    assert shorten_names(names) == [
        "plain", "box-8 to box-11", "ring-1", "ring-2", "disc-1", "disc-3"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[family]\nfirst = 1\nlast = 1000000000000", "at most 10,000 of them"),
        ("[family]\nfirst = 1\nlast = 2\nmember = 5", "family.member.NUMBER"),
        ("[family]\nfirst = 1\nlast = 2\n[family.member]\n1 = 5", "family.member.NUMBER"),
    ],
)
def test_a_family_that_is_none_is_named(folder, text, says):
    (folder / "scenarios" / "box-N.toml").write_text(text)
    with pytest.raises(BadScenario, match=says):
        find_scenarios(folder)


def test_a_name_with_a_number_that_python_does_not_read(folder):
    (folder / "scenarios" / "\u00b2.toml").write_text("size = 2\n")
    assert "\u00b2" in find_scenarios(folder)
