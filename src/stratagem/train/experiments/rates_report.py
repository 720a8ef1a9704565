"""Win rates as tables and figures, the paper's percentages in columns beside ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stratagem.evaluate.curves import Curve
from stratagem.evaluate.reports import Cell, Report
from stratagem.train.experiments.definition import Experiment
from stratagem.train.experiments.tables import RateTable

Row = dict[str, Any]


def add_rates(report: Report, experiment: Experiment, result: dict[str, Any], out: Path) -> None:
    """Every rate table, then every curve."""
    for number, (table, measured) in enumerate(
        zip(experiment.rates, result["rates"], strict=True), start=1
    ):
        _add_table(report, table, measured["rows"])
        if table.axis:
            _add_figure(report, table, measured["rows"], out / f"rates_{number}.png")
    if experiment.curves:
        _add_curves(report, experiment, result["rate_curves"], out)


def _add_table(report: Report, table: RateTable, rows: Sequence[Row]) -> None:
    report.heading(table.title)
    report.paragraph(
        f"Against `{table.opponent}`, {table.games} games a row, percentages; the interval is "
        f"Wilson's 95 % interval of the wins. {table.note}".rstrip()
    )
    with_paper = any(row["paper"] for row in rows)
    head = ["arm", "scenario", "agent", "player", "win", "interval", "draw", "loss"]
    cells: list[list[Cell]] = []
    for row in rows:
        line: list[Cell] = [
            row["arm"], row["scenario"], row["agent"], row["player"], _percent(row["win"]),
            f"{_percent(row['low'])} to {_percent(row['high'])}",
            _percent(row["draws"] / row["games"]), _percent(row["losses"] / row["games"]),
        ]  # fmt: skip
        if with_paper:
            theirs = row["paper"] or {}
            line += [_points(theirs.get(key)) for key in ("win", "draw", "loss")]
        cells.append(line)
    report.table(
        head + (["paper's win", "draw", "loss"] if with_paper else []),
        cells,
    )


def _add_figure(report: Report, table: RateTable, rows: Sequence[Row], file: Path) -> None:
    from stratagem.evaluate.drawing.charts import draw_curves  # matplotlib loads slowly

    curves = []
    keys = dict.fromkeys((row["arm"], row["agent"], row["player"]) for row in rows)
    for arm, agent, player in keys:
        mine = [r for r in rows if (r["arm"], r["agent"], r["player"]) == (arm, agent, player)]
        label = f"{arm}, {agent}" + (f", player {player}" if len(table.players) > 1 else "")
        curves.append(_curve(label, [size_of(row["scenario"]) for row in mine], mine))
    drawn = draw_curves(curves, file, table.title, table.axis, "share of games won")
    report.picture(drawn, f"{table.title}: wins by {table.axis}, with Wilson's 95 % interval")


def _add_curves(report: Report, experiment: Experiment, rows: Sequence[Row], out: Path) -> None:
    from stratagem.evaluate.drawing.charts import draw_curves  # matplotlib loads slowly

    report.heading(experiment.curves[0].title)
    games = experiment.curves[0].games
    report.paragraph(
        f"Against `{experiment.curves[0].opponent}`, {games} games a point, at shares of the "
        "training time."
    )
    for player in sorted({row["player"] for row in rows}):
        curves = []
        for arm, agent in dict.fromkeys((row["arm"], row["agent"]) for row in rows):
            mine = [
                row for row in rows
                if (row["arm"], row["agent"], row["player"]) == (arm, agent, player)
            ]  # fmt: skip
            x = [100 * row["share"] for row in mine]
            curves.append(_curve(f"{arm}, {agent}, wins", x, mine))
            draws = [row["draws"] / row["games"] for row in mine]
            curves.append(Curve(f"{arm}, {agent}, draws", tuple(x), tuple(draws)))
        file = draw_curves(
            curves, out / f"training_player{player}.png", f"player {player}",
            "percent of the training time", "share of games",
        )  # fmt: skip
        report.picture(file, f"Player {player} during training")


def _curve(label: str, x: Sequence[float], rows: Sequence[Row]) -> Curve:
    return Curve(
        label,
        tuple(x),
        tuple(row["win"] for row in rows),
        tuple(row["low"] for row in rows),
        tuple(row["high"] for row in rows),
    )


def size_of(scenario: str) -> float:
    """The number in a scenario's name, such as 12 of randomized-12."""
    found = re.search(r"-(\d+)", scenario)
    return float(found.group(1)) if found else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
