"""A match as a page: results, measures by agent and by side, and a drawing of one game.

Reads the folder written by `stratagem match --out`: match.json and one record per game.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.reading import read_json
from stratagem.core.record import read_record
from stratagem.core.registry import load_game
from stratagem.evaluate.drawing.side_charts import draw_series, draw_sides
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.intervals import Mean
from stratagem.evaluate.measures import (
    ALL_GAMES,
    Measures,
    by_round,
    by_side,
    measure_games,
    measures_of,
)
from stratagem.evaluate.reports import (
    Cell,
    Report,
    interval,
    markdown_table,
    mean_text,
    measures_table,
)


class _Seat(BaseModel):
    score: float


class _Agent(BaseModel):
    spec: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    wilson: tuple[float, float]
    mean_score: float
    mean_decision_ms: float
    by_seat: list[_Seat]
    vp_share: float = 0.0


class _Match(BaseModel):
    """The parts of match.json that the page needs."""

    game: str
    games: int
    seed: int
    agents: list[_Agent]


def is_match(folder: Path) -> bool:
    """Whether a match wrote this folder."""
    return (folder / "match.json").is_file()


def write_match_report(folder: Path) -> Path:
    """Write report.md and its pictures beside match.json; return the page."""
    if not is_match(folder):
        raise BadSetting(f"{folder} contains no match: play one with `stratagem match ... --out`")
    try:
        match = read_json(folder / "match.json")
        _Match.model_validate(match)
    except ValueError:
        raise BadSetting(f"{folder / 'match.json'} is damaged: play the match again") from None
    records = [read_record(file) for file in sorted(folder.glob("*.jsonl"))]
    game = load_game(str(match["game"]))
    report = Report(f"Match: {game.spec}")
    report.paragraph(f"{match['games']} games, seed {match['seed']}.")
    _add_results(report, match)
    if measures_of(game) is not None and records:
        measured = measure_games(game, records)
        report.heading("Measures")
        report.paragraph(measures_table(measured))
        add_sides(report, game, measured, folder)
    if records and (game.rules.view is not None or game.rules.chronicle is not None):
        report.heading("A game")
        add_course(report, game, records[0], folder / "game.png")
    return report.write(folder / "report.md")


def _add_results(report: Report, match: Mapping[str, Any]) -> None:
    report.heading("Results")
    rows: list[list[Cell]] = []
    for agent in match["agents"]:
        seats = " / ".join(f"{seat['score']:.2f}" for seat in agent["by_seat"])
        share = f"{100 * agent['vp_share']:.1f} %" if "vp_share" in agent else ""
        rows.append(
            [
                f"`{agent['spec']}`", agent["games"], agent["wins"], agent["draws"],
                agent["losses"], agent["score"], interval(*agent["wilson"]), seats,
                agent["mean_score"], share, f"{agent['mean_decision_ms']:.2f}",
            ]
        )  # fmt: skip
    report.table(
        ["agent", "games", "wins", "draws", "losses", "score", "95 % interval", "by seat",
         "points", "share of points", "ms per decision"],
        rows,
    )  # fmt: skip


def add_sides(report: Report, game: Game, measured: Measures, folder: Path) -> None:
    """Add what has sides: a chart per measure, and for rounds a panel per side."""
    usual = game.rules.expected(game.scenario)
    agents = measured.agents if any(map(_has_sides, _own(measured))) else [ALL_GAMES]
    bars = {who: by_side(measured.by_agent.get(who, {})) for who in agents}
    for name in dict.fromkeys(name for values in bars.values() for name in values):
        found = {_label(who): values[name] for who, values in bars.items() if name in values}
        report.heading(f"{name} by side")
        report.paragraph(_sides_table(found, by_side(usual).get(name, {})))
        file = folder / f"{name}_by_side.png"
        draw_sides(name, found, by_side(usual).get(name, {}), file)
        report.picture(file, f"{name} by side, in games in which an agent led it")
    lines = {who: by_round(measured.by_agent.get(who, {})) for who in agents}
    for name in dict.fromkeys(name for values in lines.values() for name in values):
        means = {
            _label(who): {
                side: {when: mean.mean for when, mean in curve.items()}
                for side, curve in values[name].items()
            }
            for who, values in lines.items()
            if name in values
        }
        report.heading(f"{name} by side and round")
        file = folder / f"{name}_by_round.png"
        draw_series(name, means, by_round(usual).get(name, {}), file)
        report.picture(file, f"{name} by side and round")


def _own(measured: Measures) -> list[Mapping[str, Mean]]:
    return [measured.by_agent[agent] for agent in measured.agents]


def _has_sides(values: Mapping[str, Mean]) -> bool:
    return any("/" in name for name in values)


def _label(who: str) -> str:
    return "all games" if who == ALL_GAMES else who


def _sides_table(found: Mapping[str, Mapping[str, Mean]], usual: Mapping[str, float]) -> str:
    sides = dict.fromkeys(side for values in found.values() for side in values)
    rows: list[list[Cell]] = [
        [
            side,
            *(mean_text(values.get(side)) for values in found.values()),
            *([f"{usual[side]:.2f}" if side in usual else ""] if usual else []),
        ]
        for side in sides
    ]
    return markdown_table(["side", *found, *(["reference"] if usual else [])], rows)
