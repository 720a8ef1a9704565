"""A tournament as a page: standings, ratings and the table of all pairs."""

from __future__ import annotations

import json
from pathlib import Path

from stratagem.core.files import write_atomically
from stratagem.evaluate.drawing.charts import draw_matrix, draw_ratings
from stratagem.evaluate.reports import Cell, Report, standings_table
from stratagem.evaluate.tournaments import Tournament


def write_tournament(tournament: Tournament, folder: Path) -> Path:
    """Write report.md with tables and pictures, and tournament.json; return the report."""
    report = Report(f"Tournament: {tournament.game}")
    report.paragraph(
        f"{len(tournament.standings)} agents, {tournament.games_per_pair} games per pair, "
        f"seed {tournament.seed}. Ratings are Bradley-Terry on the Elo scale with "
        f"`{tournament.anchor}` at 0; Elo is sequential, K = 32, from 1500."
    )
    report.heading("Standings")
    report.paragraph(standings_table(tournament))
    report.picture(draw_ratings(tournament, folder / "ratings.png"), "Ratings with 95 % intervals")
    report.heading("Pairs")
    specs = tournament.specs
    rows: list[list[Cell]] = [
        [f"`{spec}`", *row] for spec, row in zip(specs, tournament.matrix, strict=True)
    ]
    report.table(["score of row against column", *(f"`{spec}`" for spec in specs)], rows)
    report.picture(draw_matrix(tournament, folder / "pairs.png"), "Score of the row's agent")
    write_atomically(folder / "tournament.json", json.dumps(tournament.as_json(), indent=2) + "\n")
    return report.write(folder / "report.md")
