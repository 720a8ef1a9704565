"""A tournament of networks on a page: ranking, a game, and the measures of each network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from stratagem.core.record import parse_record
from stratagem.core.registry import load_game
from stratagem.evaluate.drawing.charts import Bar, draw_bars
from stratagem.evaluate.game_pictures import course_caption, draw_course
from stratagem.evaluate.reports import Cell, Report, digits, with_interval

Row = dict[str, Any]


def _draw_ratings(file: Path, rows: Sequence[Row], anchor: str) -> None:
    bars = [Bar(row["model"], row["rating"], row["low"], row["high"]) for row in rows]
    draw_bars(bars, file, f"rating on the Elo scale, {anchor} = 0")


def add_game(page: Report, sample: str, heading: str, name: str) -> None:
    """Add a recorded game on its board, if the game can be drawn."""
    record = parse_record(sample, name)
    game = load_game(record.game)
    if game.rules.view is not None:
        page.heading(heading)
        page.figure(name, course_caption(record), partial(draw_course, game, record))


def add_measures(page: Report, measures: Mapping[str, Mapping[str, Row]], games: int) -> None:
    """Add a row for each model, a column for each measure."""
    page.heading("Measures")
    page.paragraph(
        f"Each model plays {games} games per seed against itself. The table shows means over seeds "
        f"with 95 % intervals."
    )
    names = list(measures)
    models = list(dict.fromkeys(model for each in measures.values() for model in each))
    rows: list[list[Cell]] = [
        [model, *(_measure_cell(measures[name].get(model)) for name in names)] for model in models
    ]
    page.table(["model", *(name.replace("_", " ") for name in names)], rows)


def _measure_cell(found: Row | None) -> str:
    return "" if found is None else with_interval(found["mean"], found["high"])


def add_ranking(page: Report, found: Row, figure: str) -> None:
    """Add all players with the paper's numbers next to ours, then the means of the arms."""
    theirs = any(row["paper_elo"] is not None for row in found["ranking"])
    rows: list[list[Cell]] = [
        [
            row["rank"], row["model"], row["iteration"], digits(row["elo"], 1),
            *([row["paper_rank"], digits(row["paper_elo"], 1)] if theirs else []),
            digits(row["rating"], 1), f"{row['low']:.0f} to {row['high']:.0f}", row["score"],
        ]
        for row in found["ranking"]
    ]  # fmt: skip
    paper = ["paper's rank", "paper's Elo"] if theirs else []
    page.table(
        ["rank", "model", "iteration", "Elo", *paper, "rating", "95 % interval", "score"], rows
    )
    page.paragraph("Mean of each arm's models:")
    means: list[list[Cell]] = [
        [row["arm"], digits(row["elo"], 1), *([digits(row["paper_elo"], 1)] if theirs else []),
         digits(row["rating"], 1)]
        for row in found["arm_means"]
    ]  # fmt: skip
    page.table(["arm", "Elo", *paper[1:], "rating"], means)
    page.figure(
        figure,
        "Ratings of the networks, with 95 % intervals",
        partial(_draw_ratings, rows=found["ranking"], anchor=found["anchor"]),
    )
