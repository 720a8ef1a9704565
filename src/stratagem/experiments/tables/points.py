"""Tables `[[points]]`: means of measures of self-play games, e.g. points by side.

Our rows come from the last games that each arm's training played, and from scripted players that
play themselves; rows from papers and other programs are listed beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, ClassVar

from pydantic import Field, model_validator

from stratagem.agents.spec import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.curves import Curve, exponential_mean, mean_curve, thinned
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.intervals import mean_interval
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.arms import Arm
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared
from stratagem.experiments.measuring import Bench, Measuring, OwnGames, Row, Wanted
from stratagem.experiments.training import TrainedArm
from stratagem.runs.metrics import IterationMetrics


class TheirRow(Part):
    """Means measured by others, in the order of the table's measures."""

    who: str = Field(description="who played")
    source: str = Field("", description="where the numbers were published")
    games: int | None = Field(None, ge=1, description="number of games behind them")
    means: tuple[float, ...]


class Settings(Table):
    """Means of some measures, ours and theirs, and our curves during training."""

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
                raise ValueError(f"{self.title}, {row.who}: write {len(self.measures)} means")
        return self


def measure(tables: Sequence[Settings], bench: Bench) -> Measuring[list[Row]]:
    """Return every table's rows (our arms, players that play themselves, others) and curves."""
    game, seed = bench.experiment.game_spec, bench.call.seed
    played = yield [
        Wanted(
            "points",
            play_self,
            [(OwnGames(game, spec, table.agent_games, seed),) for spec in table.agents],
        )
        for table in tables
    ]
    return [_found(table, means, bench) for table, means in zip(tables, played, strict=True)]


def _found(table: Settings, played: Sequence[Row], bench: Bench) -> Row:
    """Return one table; `played` has the means of each of its agents."""
    trained = list(bench.arms(table))
    rows = [_arm_row(table, arm, runs) for arm, runs in trained]
    for spec, means in zip(table.agents, played, strict=True):
        chosen = {name: means.get(name) for name in table.measures}
        rows.append(_row(f"`{spec}`", "plays itself here", table.agent_games, chosen))
    rows += [
        _row(row.who, row.source, row.games, dict(zip(table.measures, row.means, strict=True)))
        for row in table.rows
    ]
    curves = [
        asdict(thinned(curve))
        for arm, runs in trained
        for name in table.measures
        if (curve := measure_curve(arm, runs, name, bench.experiment.smoothing)).x
    ]
    return {"title": table.title, "rows": rows, "curves": curves}


def compared(measured: Sequence[Row]) -> Iterator[Compared]:
    """Yield each measure of the arms."""
    for found in measured:
        arms = {row["who"]: row for row in found["rows"] if row["by_seed"]}
        for name in dict.fromkeys(key for row in arms.values() for key in row["by_seed"]):
            values = {arm: row["by_seed"][name] for arm, row in arms.items()}
            yield Compared(f"{found['title']}, {name}", values, 1.0, "points")


def last_means(
    metrics: Sequence[IterationMetrics], measures: Sequence[str], games: int
) -> tuple[dict[str, float | None], int]:
    """Average the last iterations that contain this many games; also return how many they had.

    A teacher's games do not count: they say nothing about the network that learned from them.
    """
    sums = dict.fromkeys(measures, 0.0)
    counts = dict.fromkeys(measures, 0)
    for row in reversed([row for row in metrics if not row.imitation]):
        for name in measures:
            found = row.measures.get(name)
            if found is not None and counts[name] < games:
                sums[name] += found.mean * found.count
                counts[name] += found.count
    means = {name: sums[name] / counts[name] if counts[name] else None for name in measures}
    return means, max(counts.values())


def measure_curve(arm: Arm, runs: Sequence[TrainedArm], name: str, smoothing: float) -> Curve:
    """Return a measure of one arm over the games it has played, averaged over its runs."""
    curves = []
    for one in runs:
        rows = [row for row in one.rows if name in row.measures]
        values = exponential_mean([row.measures[name].mean for row in rows], smoothing)
        curves.append(Curve(name, tuple(float(row.games) for row in rows), values))
    return mean_curve(curves, f"{arm.name} {name}")


def _arm_row(table: Settings, arm: Arm, runs: Sequence[TrainedArm]) -> Row:
    found = [last_means(one.rows, table.measures, table.games) for one in runs]
    by_seed = {
        name: [float(value) for means, _ in found if (value := means[name]) is not None]
        for name in table.measures
    }
    means = {name: mean(values) if values else None for name, values in by_seed.items()}
    games = sum(count for _, count in found)
    row = _row(arm.name, "self-play of this experiment", games, means)
    return row | {"by_seed": {name: values for name, values in by_seed.items() if values}}


def play_self(task: OwnGames) -> dict[str, float]:
    """Return means of the measures of a player's games against itself."""
    game = load_game(task.game)
    if game.rules.measures is None:
        raise BadSetting(f"{game.name} declares no measures: remove [[points]]")
    agent = make_agent(task.agent, game)
    seed = derive_seed(task.seed, "points", task.agent)
    records = play_match(game, [agent] * game.num_seats, task.games, seed, keep=True).records
    return {
        name: one.mean for name, one in measure_games(game, records).by_agent[agent.spec].items()
    }


def _row(who: str, source: str, games: int | None, means: dict[str, Any]) -> Row:
    rounded = {name: None if x is None else round(float(x), 2) for name, x in means.items()}
    return {"who": who, "source": source, "games": games, "means": rounded, "by_seed": {}}


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Write the tables, each with a curve over the training games."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title)
        page.paragraph(
            f"Means over the last {table.games} self-play games of each run, in which agents "
            f"explore. 95 % intervals are over runs. {table.note}".rstrip()
        )
        rows: list[list[Cell]] = [
            [row["who"], row["source"], row["games"], *(_cell(row, m) for m in row["means"])]
            for row in found["rows"]
        ]
        page.table(["who", "source", "games", *table.measures], rows)
        if found["curves"]:
            curves = [Curve(**curve) for curve in found["curves"]]
            text = f"{table.title}: moving average over iterations, mean over runs"
            page.figure(f"points_{number}", text, partial(_draw, curves=curves, title=table.title))


def _draw(file: Path, curves: Sequence[Curve], title: str) -> None:
    draw_curves(curves, file, title, "games of self-play", "mean of an iteration")


def _cell(row: Row, name: str) -> str:
    value, by_seed = row["means"][name], row["by_seed"].get(name, ())
    if value is None:
        return ""
    if len(by_seed) < 2:
        return f"{value:.1f}"
    found = mean_interval(by_seed)
    return f"{value:.1f} ± {(found.high or value) - found.mean:.1f}"
