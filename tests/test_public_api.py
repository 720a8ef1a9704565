"""The public door: what `import stratagem` gives, and what it does not load."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import tomllib
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

import stratagem
from stratagem.core.toml import format_value


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in stratagem.__all__:
        found = getattr(stratagem, name)
        assert found.__name__ == name
        assert inspect.getdoc(found), f"{name} has no docstring"


def public_parts() -> dict[str, object]:
    """Every public name, and the public methods and properties of classes."""
    found: dict[str, object] = {}
    for name in stratagem.__all__:
        thing = getattr(stratagem, name)
        found[name] = thing
        if inspect.isclass(thing):
            for part, value in vars(thing).items():
                shown = inspect.isfunction(value) or isinstance(value, property | cached_property)
                if shown and not part.startswith("_") and not part.startswith("model_"):
                    found[f"{name}.{part}"] = value
    return found


def signature(part: object) -> str:
    """The types that a function takes and gives, as text."""
    function = getattr(part, "fget", None) or getattr(part, "func", None) or part
    try:
        return str(inspect.signature(function))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # an error class
        return ""


@pytest.mark.parametrize("name", sorted(public_parts()))
def test_docstrings_say_what_it_does_and_the_shapes_of_arrays(name: str) -> None:
    part = public_parts()[name]
    text = inspect.getdoc(part)
    assert text, f"{name} has no docstring"
    if re.search(r"NDArray|\b(States|Seeds|Actions|Values)\b|\bTensor\b", signature(part)):
        assert re.search(r"\[[A-Za-z\d]+( \+ 1)?(, [A-Z]+)*\]", text), f"{name}: {text}"


def test_every_public_name_is_on_its_page_and_the_code_there_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
    assert [name for name in stratagem.__all__ if f"`{name}" not in page] == []
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    exec(compile(code, "docs/python.md", "exec"), {})


def test_names_are_sorted_and_each_has_one_home() -> None:
    assert stratagem.__all__ == sorted(stratagem.__all__)
    assert set(stratagem._HOME_OF) == set(stratagem.__all__)
    assert set(dir(stratagem)) == {*stratagem.__all__, "__version__"}


def test_no_public_name_is_a_room() -> None:
    """A room that is imported becomes an attribute of the package and would hide the name."""
    rooms = {path.stem for path in Path(stratagem.__file__).parent.iterdir()}
    assert not rooms & set(stratagem.__all__)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_gmae'"):
        _ = stratagem.load_gmae


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, stratagem; print([m for m in ('torch', 'numba') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_positions_are_searched_in_one_call() -> None:
    game = stratagem.load_game("connect_four")
    states = game.new_states(np.array([1, 2], np.uint64))
    report = stratagem.search_positions(
        game, states, settings=stratagem.SearchSettings(sims=20), seed=3
    )
    assert report.visits.shape == (2, 7) and (report.visits.sum(axis=1) >= 19).all()


def test_a_game_is_analysed_in_one_call() -> None:
    game = stratagem.load_game("connect_four")
    agents = [stratagem.make_agent("random", game)] * 2
    match = stratagem.play_match(game, agents, games=1, seed=4, keep=True)
    (found,) = stratagem.analyse(match.records[0], "mcts:none?sims=30", plies=[2])
    assert found.ply == 2 and sum(move.played for move in found.moves) == 1


def test_a_table_can_be_a_setting() -> None:
    """`settings={"network.settings": {...}}` replaces the preset's table as a whole."""
    text = f"value = {format_value({'hidden': 32, 'kinds': ['a b'], 'odd key': True})}"
    assert tomllib.loads(text) == {"value": {"hidden": 32, "kinds": ["a b"], "odd key": True}}
