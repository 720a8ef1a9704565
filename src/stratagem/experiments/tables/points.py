"""Tables `[[points]]`: means of measures of self-play games, e.g. points by side.

Our rows come from the last games that each arm's training played, and from scripted players that
play themselves; rows of papers and other programs are data beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import Field, model_validator

from stratagem.agents.spec import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.curves import Curve, exponential_mean
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.arms import Part
from stratagem.experiments.definition import Table
from stratagem.experiments.measuring import Bench, Row
from stratagem.experiments.training import TrainedArm
from stratagem.runs.metrics import IterationMetrics


class TheirRow(Part):
    """Somebody else's means, in the order of the table's measures."""

    who: str = Field(description="who played")
    source: str = Field("", description="where the numbers stand")
    games: int | None = Field(None, ge=1, description="how many games they are made of")
    means: tuple[float, ...]


class Settings(Table):
    """Means of some measures, ours and theirs, and their curves along the training."""

    takes_measuring_time: ClassVar[bool] = False

    measures: tuple[str, ...] = Field(min_length=1, description="names that the game declares")
    games: int = Field(1000, ge=1, description="last games of each arm's self-play")
    agents: tuple[str, ...] = Field((), description="players that play themselves, for comparison")
    agent_games: int = Field(200, ge=2, description="games of each of them")
    rows: tuple[TheirRow, ...] = Field((), description="what others have measured")

    @model_validator(mode="after")
    def _a_number_each(self) -> Settings:
        for row in self.rows:
            if len(row.means) != len(self.measures):
                raise ValueError(f"{self.title}, {row.who}: give {len(self.measures)} means")
        return self


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every table's rows (our arms, players that play themselves, everybody else) and curves."""
    results = []
    for table in tables:
        trained = [one for one in bench.trained if table.has_arm(one.arm)]
        rows = [_arm_row(table, one) for one in trained]
        for spec in table.agents:
            bench.call.progress(f"{table.title}: {spec} plays itself")
            rows.append(_agent_row(table, spec, bench))
        rows += [
            _row(row.who, row.source, row.games, dict(zip(table.measures, row.means, strict=True)))
            for row in table.rows
        ]
        curves = [
            asdict(curve)
            for one in trained
            for name in table.measures
            if (curve := measure_curve(one, name, bench.experiment.smoothing, len(trained) == 1)).x
        ]
        results.append({"title": table.title, "rows": rows, "curves": curves})
    return results


def last_means(
    metrics: Sequence[IterationMetrics], measures: Sequence[str], games: int
) -> tuple[dict[str, float | None], int]:
    """Means over the last iterations that hold so many games together, and how many they held."""
    sums = dict.fromkeys(measures, 0.0)
    counts = dict.fromkeys(measures, 0)
    for row in reversed(metrics):
        for name in measures:
            found = row.measures.get(name)
            if found is not None and counts[name] < games:
                sums[name] += found.mean * found.count
                counts[name] += found.count
    means = {name: sums[name] / counts[name] if counts[name] else None for name in measures}
    return means, max(counts.values())


def measure_curve(one: TrainedArm, name: str, smoothing: float, alone: bool) -> Curve:
    """A measure of one arm over the games it has played."""
    rows = [row for row in one.rows if name in row.measures]
    values = [row.measures[name].mean for row in rows]
    label = name if alone else f"{one.arm.name} {name}"
    x = tuple(float(row.games) for row in rows)
    return Curve(label, x, exponential_mean(values, smoothing))


def _arm_row(table: Settings, one: TrainedArm) -> Row:
    means, games = last_means(one.rows, table.measures, table.games)
    return _row(one.arm.name, "self-play of this experiment", games, means)


def _agent_row(table: Settings, spec: str, bench: Bench) -> Row:
    game = bench.game
    if game.rules.measures is None:
        raise BadSetting(f"{game.name} declares no measures: leave [[points]] out")
    agent = make_agent(spec, game)
    records = play_match(
        game, [agent] * game.num_seats, table.agent_games,
        derive_seed(bench.call.seed, "points", spec), keep=True,
    ).records  # fmt: skip
    found = measure_games(game, records).by_agent[agent.spec]
    means = {name: found[name].mean if name in found else None for name in table.measures}
    return _row(f"`{spec}`", "plays itself here", table.agent_games, means)


def _row(who: str, source: str, games: int | None, means: dict[str, Any]) -> Row:
    rounded = {name: None if x is None else round(float(x), 2) for name, x in means.items()}
    return {"who": who, "source": source, "games": games, "means": rounded}


def report(page: Report, tables: Sequence[Settings], measured: list[Row], bench: Bench) -> None:
    """The tables, each with a curve over the games of the training."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title)
        page.paragraph(
            f"Means over the last {table.games} games of an arm's self-play, as they were played "
            f"to learn from (with exploration). {table.note}".rstrip()
        )
        rows: list[list[Cell]] = [
            [row["who"], row["source"], row["games"], *map(_one_digit, row["means"].values())]
            for row in found["rows"]
        ]
        page.table(["who", "source", "games", *table.measures], rows)
        if found["curves"]:
            curves = [Curve(**curve) for curve in found["curves"]]
            file = bench.call.out / f"points_{number}.png"
            draw_curves(curves, file, table.title, "games of self-play", "mean of an iteration")
            page.picture(file, f"{table.title}: mean of each iteration, moving average")


def _one_digit(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
