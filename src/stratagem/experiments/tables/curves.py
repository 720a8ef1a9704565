"""Figures `[[curves]]`: win rates of networks from different times of the training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from pydantic import Field

from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.reports import Report
from stratagem.experiments.definition import MODEL, Experiment
from stratagem.experiments.findings import Compared
from stratagem.experiments.measuring import Bench, Measuring, Row
from stratagem.experiments.tables.rates import (
    AgainstOne,
    Met,
    Pairing,
    headed,
    rates_of,
    wanted,
)


class Settings(AgainstOne):
    """One figure per seat."""

    games: int = Field(100, ge=1, description="of each point")
    points: int = Field(8, ge=1, description="networks, spread evenly over the training time")


def measure(tables: Sequence[Settings], bench: Bench) -> Measuring[list[Row]]:
    """Return every point of every curve: arm, agent, player, share of the training, rates."""
    asked = [_points(table, bench) for table in tables]
    played = yield [wanted("curves", points) for points in asked]
    return [
        headed(table, table.games, rates_of(points, rows))
        for table, points, rows in zip(tables, asked, played, strict=True)
    ]


def _points(table: Settings, bench: Bench) -> list[Met]:
    met = []
    shares = [point / table.points for point in range(1, table.points + 1)]
    for arm, runs in bench.arms(table):
        game = bench.experiment.spec_of(bench.experiment.scenario_of(arm))
        for share, (name, spec), player in product(shares, table.agents.items(), table.players):
            label = {"arm": arm.name, "agent": name, "player": player, "share": share}
            agents = [spec.replace(MODEL, str(bench.checkpoint(one, share))) for one in runs]
            pairings = [
                Pairing(game, agent, table.opponent, player, table.games, bench.call.seed)
                for agent in agents
            ]
            met.append(Met(label, pairings))
    return met


def compared(measured: Sequence[Row]) -> Iterator[Compared]:
    """Return nothing: the last point of a curve is a cell of a table of rates."""
    yield from ()


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Write a figure for each table and seat."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title)
        page.paragraph(
            f"Against `{table.opponent}`, {table.games} games per point and run. The line is the "
            f"mean over runs; the band reaches from the worst run to the best. "
            f"{table.note}".rstrip()
        )
        for player in sorted({row["player"] for row in found["rows"]}):
            curves = training_curves([row for row in found["rows"] if row["player"] == player])
            page.figure(
                f"curves_{number}_player{player}",
                f"Player {player} during training",
                partial(_draw, curves=curves, title=f"player {player}"),
            )


def _draw(file: Path, curves: Sequence[Curve], title: str) -> None:
    draw_curves(curves, file, title, "percent of the training time", "share of games won")


def training_curves(rows: Sequence[Row]) -> list[Curve]:
    """Return the wins of each arm and agent, with the best and the worst run around them.

    The interval over two runs would cover the whole figure and say nothing.
    """
    curves = []
    for arm, agent in dict.fromkeys((row["arm"], row["agent"]) for row in rows):
        mine = [row for row in rows if (row["arm"], row["agent"]) == (arm, agent)]
        x = [100 * row["share"] for row in mine]
        wins = tuple(row["win"] for row in mine)
        runs = [row["by_seed"] for row in mine]
        low, high = tuple(map(min, runs)), tuple(map(max, runs))
        curves.append(Curve(f"{arm}, {agent}", tuple(x), wins, low, high))
    return curves
