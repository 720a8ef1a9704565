"""Figures `[[curves]]`: shares of wins and draws of networks from along the training."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.reports import Report
from stratagem.experiments.definition import MODEL, NetworkTable
from stratagem.experiments.measuring import Bench, Row
from stratagem.experiments.tables.rates import Pairing, rates_of, win_curve
from stratagem.experiments.training import TrainedArm


class Settings(NetworkTable):
    """One figure per seat."""

    opponent: str = Field(description="agent spec of who is met")
    players: tuple[int, ...] = Field((1, 2), min_length=1, description="seats, counted from 1")
    games: int = Field(100, ge=1, description="of each point")
    points: int = Field(8, ge=1, description="networks, spread evenly over the training time")


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every point of every curve: arm, agent, player, share of the training, rates."""
    return [
        {
            "title": table.title,
            "opponent": table.opponent,
            "games": table.games,
            "rows": [
                row
                for arm in bench.trained
                if table.has_arm(arm.arm)
                for row in _rows(table, arm, bench)
            ],
        }
        for table in tables
    ]


def _rows(table: Settings, arm: TrainedArm, bench: Bench) -> list[Row]:
    rows = []
    game = bench.experiment.spec_of(bench.experiment.scenario_of(arm.arm))
    for point in range(1, table.points + 1):
        share = point / table.points
        checkpoint = str(bench.checkpoint(arm, share))
        for label, spec in table.agents.items():
            for player in table.players:
                agent = spec.replace(MODEL, checkpoint)
                row: Row = {"arm": arm.arm.name, "agent": label, "player": player, "share": share}
                rows.append(
                    row
                    | rates_of(
                        Pairing(game, agent, table.opponent, player, table.games, bench.call.seed),
                        bench,
                    )
                )
        text = f"{arm.arm.name}: against {table.opponent} at {share:.0%} of the training"
        bench.call.progress(text)
    return rows


def report(page: Report, tables: Sequence[Settings], measured: list[Row], bench: Bench) -> None:
    """A figure for each table and seat."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title)
        page.paragraph(
            f"Against `{table.opponent}`, {table.games} games a point, at shares of the "
            f"training time. {table.note}".rstrip()
        )
        for player in sorted({row["player"] for row in found["rows"]}):
            mine = [row for row in found["rows"] if row["player"] == player]
            file = bench.call.out / f"curves_{number}_player{player}.png"
            draw_curves(
                training_curves(mine), file, f"player {player}", "percent of the training time",
                "share of games",
            )  # fmt: skip
            page.picture(file, f"Player {player} during training")


def training_curves(rows: Sequence[Row]) -> list[Curve]:
    """Wins and draws of each arm and agent."""
    curves = []
    for arm, agent in dict.fromkeys((row["arm"], row["agent"]) for row in rows):
        mine = [row for row in rows if (row["arm"], row["agent"]) == (arm, agent)]
        x = [100 * row["share"] for row in mine]
        curves.append(win_curve(f"{arm}, {agent}, wins", x, mine))
        draws = tuple(row["draws"] / row["games"] for row in mine)
        curves.append(Curve(f"{arm}, {agent}, draws", tuple(x), draws))
    return curves
