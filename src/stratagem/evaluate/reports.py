"""Markdown reports: headings, tables and pictures in a folder that can be read anywhere.

Numbers come from results, never from this module. Pictures are drawn only when a report is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stratagem.core.files import write_atomically
from stratagem.evaluate.intervals import Mean
from stratagem.evaluate.match_result import MatchResult
from stratagem.evaluate.measures import ALL_GAMES, Measures
from stratagem.evaluate.tournaments import Tournament

Cell = str | int | float | None


@dataclass(frozen=True)
class Pictures:
    """Where a report's figures are drawn, and how the page links to them."""

    folder: Path
    link: str = ""  # prefix of a file name
    draws: bool = True  # False: only link to existing files


class Report:
    """A Markdown page built from top to bottom, or part of one with deeper headings."""

    def __init__(self, title: str, pictures: Pictures | None = None, depth: int = 1) -> None:
        self._pictures = pictures
        self._marks = "#" * depth
        self._parts = [f"{self._marks} {title}"] if title else []

    def heading(self, text: str) -> None:
        self._parts.append(f"{self._marks}# {text}")

    def paragraph(self, text: str) -> None:
        self._parts.append(text)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        self._parts.append(markdown_table(columns, rows))

    def picture(self, file: Path, caption: str) -> None:
        """Add a picture; `file` is in the folder that the report is written to."""
        self._parts.append(f"![{caption}]({file.name})")

    def figure(self, name: str, caption: str, draw: Callable[[Path], object]) -> None:
        """Add a picture that `draw` creates in the folder for this report's figures."""
        if self._pictures is None:
            raise ValueError("this report has no folder for figures")
        if self._pictures.draws:
            draw(self._pictures.folder / f"{name}.png")
        self._parts.append(f"![{caption}]({self._pictures.link}{name}.png)")

    def text(self) -> str:
        return "\n\n".join(self._parts) + "\n"

    def write(self, file: Path) -> Path:
        """Write the file in one step."""
        write_atomically(file, self.text())
        return file


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table with aligned columns, so that it reads well as plain text too."""
    cells = [[_cell(value) for value in row] for row in [columns, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) + " |"
             for r in cells]  # fmt: skip
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def match_table(result: MatchResult) -> str:
    """Return a table with one line per agent of a match."""
    rows: list[list[Cell]] = [
        [
            f"`{agent.spec}`", agent.tally.games, agent.tally.wins, agent.tally.draws,
            agent.tally.losses, agent.tally.score, interval(*agent.tally.wilson),
            agent.tally.mean_score, f"{agent.mean_decision_ms:.2f}",
        ]
        for agent in result.agents
    ]  # fmt: skip
    return markdown_table(
        ["agent", "games", "wins", "draws", "losses", "score", "95 % interval", "mean points",
         "ms per decision"],
        rows,
    )  # fmt: skip


def standings_table(tournament: Tournament) -> str:
    """Return the final table of a tournament, strongest first."""
    rows: list[list[Cell]] = []
    for rank, line in enumerate(tournament.ranking, start=1):
        rating = line.rating
        rows.append(
            [
                rank, f"`{line.spec}`", line.games, line.score, interval(*line.wilson),
                f"{line.elo:.0f}", f"{rating.rating:.0f}", f"{rating.low:.0f} to {rating.high:.0f}",
            ]
        )  # fmt: skip
    return markdown_table(
        ["rank", "agent", "games", "score", "95 % interval", "Elo", "rating", "95 % interval"], rows
    )


def measures_table(measured: Measures) -> str:
    """Return a table: one line per measure, one column per agent and one for whole games."""
    columns = [*measured.agents, *([ALL_GAMES] if ALL_GAMES in measured.by_agent else [])]
    rows: list[list[Cell]] = [
        [name.replace("_", " "), *(mean_text(measured.by_agent[who].get(name)) for who in columns)]
        for name in measured.plain
    ]
    heads = ["whole game" if who == ALL_GAMES else f"`{who}`" for who in columns]
    return markdown_table(["measure", *heads], rows)


def interval(low: float, high: float) -> str:
    """Write the two ends of an interval of scores."""
    return f"{low:.3f} to {high:.3f}"


def digits(value: float | None, count: int) -> str:
    """Write a number with `count` decimals; empty if there is none."""
    return "" if value is None else f"{value:.{count}f}"


def mean_text(value: Mean | None) -> str:
    """Write a mean with half of its interval."""
    return "not seen" if value is None else with_interval(value.mean, value.high)


def with_interval(mean: float, high: float | None, count: int = 3) -> str:
    """Write `0.550 ± 0.031`: a mean with half of its interval, if it has one; `count` decimals."""
    return digits(mean, count) + ("" if high is None else f" ± {digits(high - mean, count)}")


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    # A bar inside a cell would start a new column.
    return str(value).replace("|", "\\|").replace("\n", " ")
