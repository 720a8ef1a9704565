"""Means of measures over self-play games: counted, and written beside what others measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from stratagem.agents.spec import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.curves import Curve, exponential_mean
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.train.experiments.arms import TrainedArm
from stratagem.train.experiments.definition import Experiment
from stratagem.train.experiments.points import PointsTable

Row = dict[str, Any]


def measure_points(
    experiment: Experiment,
    game: Game,
    trained: Sequence[TrainedArm],
    seed: int,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Every table's rows: our arms, players that play themselves, then everybody else."""
    results = []
    for table in experiment.points:
        rows = [_arm_row(table, one) for one in trained]
        for spec in table.agents:
            say(f"{table.title}: {spec} plays itself")
            rows.append(_agent_row(table, game, spec, seed))
        rows += [
            _row(row.who, row.source, row.games, dict(zip(table.measures, row.means, strict=True)))
            for row in table.rows
        ]
        results.append({"title": table.title, "measures": list(table.measures), "rows": rows})
    return results


def last_means(
    metrics: Sequence[dict[str, Any]], measures: Sequence[str], games: int
) -> tuple[dict[str, float | None], int]:
    """Means over the last iterations that hold so many games together, and how many they held."""
    sums = dict.fromkeys(measures, 0.0)
    counts = dict.fromkeys(measures, 0)
    for row in reversed(metrics):
        for name in measures:
            found = row.get("measures", {}).get(name)
            if found is not None and counts[name] < games:
                sums[name] += found["mean"] * found["count"]
                counts[name] += found["count"]
    means = {name: sums[name] / counts[name] if counts[name] else None for name in measures}
    return means, max(counts.values())


def add_points(
    report: Report,
    experiment: Experiment,
    trained: Sequence[TrainedArm],
    result: dict[str, Any],
    out: Path,
) -> None:
    """The tables, each with a curve over the games of the training."""
    for number, (table, measured) in enumerate(
        zip(experiment.points, result["points"], strict=True), start=1
    ):
        report.heading(table.title)
        report.paragraph(
            f"Means over the last {table.games} games of an arm's self-play, as they were played "
            f"to learn from (with exploration). {table.note}".rstrip()
        )
        rows: list[list[Cell]] = [
            [row["who"], row["source"], row["games"], *(_short(x) for x in row["means"].values())]
            for row in measured["rows"]
        ]
        report.table(["who", "source", "games", *table.measures], rows)
        _add_curve(report, table, trained, experiment.smoothing, out / f"points_{number}.png")


def _add_curve(
    report: Report,
    table: PointsTable,
    trained: Sequence[TrainedArm],
    smoothing: float,
    file: Path,
) -> None:
    from stratagem.evaluate.drawing.charts import draw_curves  # matplotlib loads slowly

    curves = [
        curve
        for one in trained
        for name in table.measures
        if (curve := points_curve(one, name, smoothing, alone=len(trained) == 1)).x
    ]
    if curves:
        draw_curves(curves, file, table.title, "games of self-play", "mean of an iteration")
        report.picture(file, f"{table.title}: mean of each iteration, moving average")


def points_curve(one: TrainedArm, name: str, smoothing: float, alone: bool) -> Curve:
    """A measure of one arm over the games it has played."""
    rows = [row for row in one.rows if name in row.get("measures", {})]
    values = [row["measures"][name]["mean"] for row in rows]
    label = name if alone else f"{one.arm.name} {name}"
    x = tuple(float(row["games"]) for row in rows)
    return Curve(label, x, exponential_mean(values, smoothing))


def _arm_row(table: PointsTable, one: TrainedArm) -> Row:
    means, games = last_means(one.rows, table.measures, table.games)
    return _row(one.arm.name, "self-play of this experiment", games, means)


def _agent_row(table: PointsTable, game: Game, spec: str, seed: int) -> Row:
    if game.rules.measures is None:
        raise BadSetting(f"{game.name} declares no measures: leave [[points]] out")
    agent = make_agent(spec, game)
    records = play_match(
        game, [agent] * game.num_seats, table.agent_games, derive_seed(seed, "points", spec),
        keep=True,
    ).records  # fmt: skip
    found = measure_games(game, records).by_agent[agent.spec]
    means = {name: found[name].mean if name in found else None for name in table.measures}
    return _row(f"`{spec}`", "plays itself here", table.agent_games, means)


def _row(who: str, source: str, games: int | None, means: dict[str, Any]) -> Row:
    rounded = {name: None if x is None else round(float(x), 2) for name, x in means.items()}
    return {"who": who, "source": source, "games": games, "means": rounded}


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
