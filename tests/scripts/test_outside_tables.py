"""What the README says about programs and people from outside comes from results."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import outside_tables  # noqa: E402  (a script, not a package)


def test_matches_against_one_bot_are_added_up(tmp_path, monkeypatch):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    matches = [
        {"bot": "alphabeta", "games": 8, "wins": 6},
        {"bot": "value", "games": 4, "wins": 4},
        {"bot": "alphabeta", "games": 8, "wins": 2},
    ]
    (folder / "catanatron.json").write_text(json.dumps({"matches": matches}))
    monkeypatch.setattr(outside_tables, "RESULTS", tmp_path)
    (first, won), (second, _) = outside_tables.catan_rows()
    assert "AlphaBeta" in first and "ValueFunction" in second
    assert won == "8 of 16 games won (28 to 72 %)"


def test_what_was_never_measured_has_no_row(tmp_path, monkeypatch):
    monkeypatch.setattr(outside_tables, "RESULTS", tmp_path)
    assert outside_tables.catan_rows() == []


def test_speed_and_points_come_from_the_results():
    rows = dict(outside_tables.openspiel_rows() + outside_tables.terra_mystica_rows())
    assert any("times as fast" in result for result in rows.values())
    assert any("people 133 and 128" in result for result in rows.values())
