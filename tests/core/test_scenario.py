"""A wrong scenario is one line that names the file, the key and the fix."""

import shutil

import pytest
from pydantic import ValidationError

from stratagem.core.errors import BadScenario, UnknownName
from stratagem.core.registry import load_game, load_rules
from stratagem.core.scenario import read_scenario
from stratagem.core.scenario_files import ScenarioFile

GOOD = 'title = "x"\nseats = 2\nfaces = 6\nrerolls = 1\n'
MODEL = load_rules("dice").scenario


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD + "facets = 3\n", ["unknown key 'facets'"]),
        (GOOD.replace("faces = 6", 'faces = "six"'), ["key 'faces'", "got 'six'"]),
        (GOOD.replace("faces = 6", "faces = 6.0"), ["key 'faces'", "got 6.0"]),
        (GOOD.replace("faces = 6", "faces = 99"), ["key 'faces'", "got 99"]),
        (GOOD.replace("faces = 6\n", ""), ["missing key 'faces'", "add it"]),
        (GOOD + "faces =\n", ["not valid TOML", "line 5"]),
        (GOOD.replace("faces = 6", "faces = 99").replace("seats = 2", ""), ["(and 1 more)"]),
    ],
)
def test_wrong_file(tmp_path, text, words):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BadScenario) as caught:
        read_scenario(MODEL, ScenarioFile(file))
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert "\n" not in message
    for word in words:
        assert word in message


def test_file_that_is_not_text(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadScenario, match=r"mine\.toml: not valid TOML"):
        read_scenario(MODEL, ScenarioFile(file))


def test_overrides_win_over_the_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD)
    scenario = read_scenario(MODEL, ScenarioFile(file), {"faces": "4", "title": "two words"})
    assert (scenario.faces, scenario.rerolls, scenario.title) == (4, 1, "two words")


def test_overrides_are_checked_like_the_file():
    with pytest.raises(UnknownName, match="unknown scenario field 'face': did you mean 'faces'"):
        load_game("dice/default?face=4")
    with pytest.raises(BadScenario, match="key 'faces'"):
        load_game("dice/default?faces=many")
    with pytest.raises(BadScenario, match="make the board smaller"):
        load_game("connect_four/default?rows=8&columns=8")


def test_a_scenario_cannot_be_changed(tmp_path):
    shutil.copy(load_rules("dice").folder / "scenarios" / "default.toml", tmp_path)
    scenario = read_scenario(MODEL, ScenarioFile(tmp_path / "default.toml"))
    with pytest.raises(ValidationError):
        scenario.faces = 3
