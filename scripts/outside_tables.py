"""The README's table of measurements against other programs and people. For tables.py.

`results/benchmarks` holds what `benchmarks/peers.py` and `benchmarks/catanatron/match.py` wrote;
Terra Mystica's means are in the result of the experiment `terra-mystica/table5`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stratagem.evaluate.intervals import wilson

RESULTS = Path(__file__).resolve().parent.parent / "results"
_PEOPLE = "people, two players online"


def outside_rows() -> list[tuple[str, str]]:
    """(what was compared, result), for every measurement that there is."""
    return [*catan_rows(), *terra_mystica_rows(), *openspiel_rows()]


def catan_rows() -> list[tuple[str, str]]:
    """Games of `best` against Catanatron's bots, in Catanatron's engine."""
    file = RESULTS / "benchmarks" / "catanatron.json"
    if not file.is_file():
        return []
    rows = []
    for bot, title in (("alphabeta", "AlphaBeta"), ("value", "ValueFunction")):
        met = [one for one in json.loads(file.read_text())["matches"] if one["bot"] == bot]
        games, wins = sum(one["games"] for one in met), sum(one["wins"] for one in met)
        if not games:
            continue
        low, high = wilson(wins / games, games)
        what = f"Catan against Catanatron's {title}, in its engine (it sees all hands)"
        rows.append((what, f"{wins} of {games} games won ({100 * low:.0f} to {100 * high:.0f} %)"))
    return rows


def terra_mystica_rows() -> list[tuple[str, str]]:
    """Points of `best` against itself, next to those of people against each other."""
    result = json.loads((RESULTS / "terra_mystica-table5.json").read_text())
    rows = {row["who"]: row for table in result["points"] for row in table["rows"]}
    mine, people = rows["`best`"], rows[_PEOPLE]
    ours, theirs = _points(mine), _points(people)
    return [
        (
            "Terra Mystica, two players: points in self-play and of people online",
            f"{ours} ({mine['games']} games), people {theirs} ({people['games']:,} games)",
        )
    ]


def openspiel_rows() -> list[tuple[str, str]]:
    """How many times faster than OpenSpiel's C++, both measured in the same run."""
    result = json.loads((RESULTS / "benchmarks" / "openspiel.json").read_text())
    one, many = _ratio(result, "1 tree, leaf by leaf"), _ratio(result, "128 trees")
    played = _ratio(result, "whole games")
    return [
        ("search without a network, against OpenSpiel's C++", f"{one} as fast, many trees {many}"),
        ("random play, against OpenSpiel's C++", f"{played} as fast"),
    ]


def _points(row: dict[str, Any]) -> str:
    return " and ".join(f"{row['means'][name]:.0f}" for name in ("halflings", "engineers"))


def _ratio(result: dict[str, Any], setting: str) -> str:
    (row,) = [row for row in result["rows"] if row["setting"] == setting]
    return f"{row['ratio']:.1f} times"
