"""The leaderboard says what its rows say."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def leaderboard() -> ModuleType:
    found = importlib.util.spec_from_file_location(
        "leaderboard", ROOT / "experiments" / "leaderboard.py"
    )
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_page_is_up_to_date() -> None:
    module = leaderboard()
    rows = module.read_rows(ROOT / "experiments" / "leaderboard")
    assert (ROOT / "experiments" / "LEADERBOARD.md").read_text() == module.render(rows)


def test_a_row_keeps_one_agents_side() -> None:
    module = leaderboard()
    match = {
        "game": "g/default",
        "games": 10,
        "agents": [
            {"spec": "strong", "score": 0.9, "wilson": [0.6, 0.98]},
            {"spec": "random", "score": 0.1, "wilson": [0.02, 0.4]},
        ],
    }
    row = module.row_from_match(match, "", "stratagem match g strong random")
    assert (row["agent"], row["opponent"], row["score"]) == ("strong", "random", 0.9)
    other = module.row_from_match(match, "chance", "stratagem match g strong random", side=1)
    assert (other["agent"], other["opponent"], other["score"]) == ("chance", "strong", 0.1)
    weaker = {**row, "agent": "weak", "score": 0.4}
    page = module.render([weaker, row])
    assert page.index("`strong`") < page.index("`weak`")
    assert "0.600 to 0.980" in page
