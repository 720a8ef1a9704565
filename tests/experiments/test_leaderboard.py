"""The leaderboard says what its rows say."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

from stratagem.experiments import publish
from stratagem.experiments.ladder import read_ladders
from stratagem.runs.provenance import Checkout

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
    ladders = read_ladders(ROOT / "results" / "ladder")
    assert (ROOT / "experiments" / "LEADERBOARD.md").read_text() == module.render(rows, ladders)


def test_a_row_keeps_one_agents_side() -> None:
    module = leaderboard()
    match = {
        "game": "connect_four/default",
        "games": 10,
        "agents": [
            {
                "spec": "strong", "score": 0.9, "wilson": [0.6, 0.98],
                "by_seat": [
                    {"wins": 5, "draws": 0, "losses": 0}, {"wins": 3, "draws": 2, "losses": 0},
                ],
            },
            {"spec": "random", "score": 0.1, "wilson": [0.02, 0.4]},
        ],
    }  # fmt: skip
    row = module.row_from_match(match, "", "stratagem match g strong random", "abc1234")
    assert (row["agent"], row["opponent"], row["score"]) == ("strong", "random", 0.9)
    other = module.row_from_match(match, "chance", "stratagem match g strong random", "abc1234", 1)
    assert (other["agent"], other["opponent"], other["score"]) == ("chance", "strong", 0.1)
    weaker = {**row, "agent": "weak", "score": 0.4}
    page = module.render([weaker, row])
    assert page.index("`strong`") < page.index("`weak`")
    assert "0.600 to 0.980" in page and "5 / 0 / 0, 3 / 2 / 0" in page


def test_rows_from_now_on_name_a_commit_that_reproduces_them() -> None:
    """Older rows wait to be measured again: `python experiments/leaderboard.py again`."""
    for row in leaderboard().read_rows(ROOT / "experiments" / "leaderboard"):
        assert row["date"] <= "2026-11-17" or not row["commit"].endswith("+"), row["command"]


def test_a_row_of_a_changed_checkout_is_refused_in_one_line(tmp_path, monkeypatch, capsys) -> None:
    module = leaderboard()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    (tmp_path / "leaderboard").mkdir()
    agents = [{"spec": name, "score": 0.5, "wilson": [0.1, 0.9]} for name in ("strong", "weak")]
    match = tmp_path / "match.json"
    match.write_text(json.dumps({"game": "connect_four", "games": 2, "agents": agents}))
    add = ["leaderboard.py", "add", "row", str(match), "--command", "stratagem match"]
    monkeypatch.setattr("sys.argv", add)
    monkeypatch.setattr(publish, "find_checkout", lambda ignore: Checkout("abc1234", True))
    assert module.main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: the checkout has changes since abc1234: commit or stash them")
    assert not (tmp_path / "leaderboard" / "row.json").exists()
    monkeypatch.setattr(publish, "find_checkout", lambda ignore: Checkout("abc1234", False))
    assert module.main() == 0
    assert "abc1234" in (tmp_path / "LEADERBOARD.md").read_text()


def test_rows_say_who_helped_and_what_parity_is() -> None:
    note = leaderboard().note_of
    assert "hybrid" in note({"game": "hexwar/randomized", "agent": "best-hybrid"})
    assert note({"game": "hexwar/randomized", "agent": "best"}) == ""
    assert note({"game": "hexwar/symmetric", "agent": "best"}) == ""
    assert "parity 0.25" in note({"game": "hispania/full55", "agent": "best:?moves=1"})
