"""Tables of an experiment of the form `league`: who beat whom from which seat, and the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.evaluate.bradley_terry import bradley_terry
from stratagem.evaluate.intervals import mean_interval, wilson
from stratagem.evaluate.reports import Cell, Report
from stratagem.train.experiments.league import League

Pairs = Mapping[tuple[str, str], Sequence[float]]  # results of the player in the first seat


def result_of(
    definition: League,
    game: Game,
    titles: Mapping[str, str],
    players: Mapping[str, Mapping[str, Any]],
    pairs: Pairs,
) -> dict[str, Any]:
    """Everything that was measured, ready for JSON."""
    few = definition.paper_games_per_pair // 2
    short = {pair: results[:few] for pair, results in pairs.items()}
    return {
        "name": definition.name,
        "title": definition.title,
        "source": definition.source,
        "game": game.spec,
        "players": {arm: {**found, "title": titles[arm]} for arm, found in players.items()},
        "games_per_pair": definition.games_per_pair,
        "ranking": ranking(definition, pairs),
        "matrix": matrix(definition, pairs),
        "paper_games_per_pair": definition.paper_games_per_pair,
        "paper_ranking": ranking(definition, short),
        "paper_matrix": matrix(definition, short),
    }


def ranking(definition: League, pairs: Pairs) -> list[dict[str, Any]]:
    """One line per arm, by the share of games won, with the paper's beside it."""
    arms = definition.arms
    points = np.zeros((len(arms), len(arms)))  # [N, N] of the row's player against the column's
    for (first, second), results in pairs.items():
        points[arms.index(first), arms.index(second)] += sum(results)
        points[arms.index(second), arms.index(first)] += len(results) - sum(results)
    ratings = bradley_terry(points, anchor=len(arms) - 1)
    theirs = {row.arm: row for row in definition.paper}
    per_seat = (len(definition.paper_arms) - 1) * definition.paper_games_per_pair // 2
    rows = []
    for number, arm in enumerate(arms):
        as_first = [x for (one, _), results in pairs.items() if one == arm for x in results]
        as_second = [1 - x for (_, one), results in pairs.items() if one == arm for x in results]
        games = as_first + as_second
        won = sum(x == 1.0 for x in games)
        low, high = wilson(won / len(games), len(games))
        paper = theirs.get(arm)
        rows.append(
            {
                "arm": arm,
                "games": len(games),
                "won": won,
                "drawn": sum(x == 0.5 for x in games),
                "win_rate": round(won / len(games), 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "first": round(sum(x == 1.0 for x in as_first) / len(as_first), 4),
                "second": round(sum(x == 1.0 for x in as_second) / len(as_second), 4),
                "rating": round(ratings[number].rating, 1),
                "rating_low": round(ratings[number].low, 1),
                "rating_high": round(ratings[number].high, 1),
                "paper": paper and round((paper.first + paper.second) / (2 * per_seat), 4),
                "paper_first": paper and round(paper.first / per_seat, 4),
                "paper_second": paper and round(paper.second / per_seat, 4),
            }
        )
    rows.sort(key=lambda row: -float(str(row["win_rate"])))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def matrix(definition: League, pairs: Pairs) -> list[list[str]]:
    """Row in the first seat, column in the second: games won by the one and by the other."""
    return [
        [_cell(pairs[row, column]) if row != column else "x" for column in definition.arms]
        for row in definition.arms
    ]


def write_report(definition: League, result: dict[str, Any], out: Path) -> Path:
    """report.md: the ranking and the matrix, at our number of games and at the paper's."""
    report = Report(definition.title)
    titles = {arm: found["title"] for arm, found in result["players"].items()}
    report.paragraph(
        f"After {definition.source or 'no paper'}. {result['game']}; of each kind the run that "
        f"did best in {definition.choosing_games} games against `{definition.chosen_against}`: "
        + ", ".join(f"{titles[arm]} {found['run']} ({found['score']:.2f})"
                    for arm, found in result["players"].items())
        + ". Rates count games won; a game that ends without a winner is won by nobody. Ratings "
        f"are Bradley-Terry on the Elo scale, {titles[definition.arms[-1]]} = 0; intervals 95 %."
    )  # fmt: skip
    for games, ranks, cells in (
        (result["games_per_pair"], result["ranking"], result["matrix"]),
        (result["paper_games_per_pair"], result["paper_ranking"], result["paper_matrix"]),
    ):
        report.heading(f"Ranking over {games} games a pair")
        report.table(
            ["rank", "agent", "won", "interval", "paper", "first", "paper", "second", "paper",
             "drawn", "rating", "interval"],
            [_ranking_row(row, titles) for row in ranks],
        )  # fmt: skip
        report.heading(f"Who beat whom over {games} games a pair")
        report.paragraph("Row in the first seat: games won by the row and by the column.")
        heads = [titles[arm] for arm in definition.arms]
        rows: list[list[Cell]] = [[head, *row] for head, row in zip(heads, cells, strict=True)]
        report.table(["", *heads], rows)
    report.heading(f"Every run against `{definition.chosen_against}`")
    report.paragraph(
        f"{definition.choosing_games} games each. The ranking above is of one run of each kind."
    )
    report.table(
        ["agent", "mean", "runs"],
        [
            [titles[arm], _mean_score(found["scores"].values()),
             ", ".join(f"{score:.2f}" for score in found["scores"].values())]
            for arm, found in result["players"].items()
        ],
    )  # fmt: skip
    if any(row.row for row in definition.paper):
        report.heading(f"The paper's {definition.figures or 'matrix'}")
        by_arm = {row.arm: row.row.split() for row in definition.paper}
        heads = [titles[arm] for arm in definition.paper_arms]
        unknown = [""] * len(heads)
        theirs: list[list[Cell]] = [
            [titles[arm], *(by_arm.get(arm) or unknown)] for arm in definition.paper_arms
        ]
        report.table(["", *heads], theirs)
    return report.write(out / "report.md")


def _ranking_row(row: dict[str, Any], titles: Mapping[str, str]) -> list[Cell]:
    return [
        row["rank"], titles[row["arm"]], _percent(row["win_rate"]),
        f"{_percent(row['low'])} to {_percent(row['high'])}", _percent(row["paper"]),
        _percent(row["first"]), _percent(row["paper_first"]), _percent(row["second"]),
        _percent(row["paper_second"]), row["drawn"], f"{row['rating']:.0f}",
        f"{row['rating_low']:.0f} to {row['rating_high']:.0f}",
    ]  # fmt: skip


def _mean_score(scores: Iterable[float]) -> str:
    found = mean_interval(list(scores))
    if found.low is None or found.high is None:
        return f"{found.mean:.2f}"
    return f"{found.mean:.2f} ± {found.high - found.mean:.2f}"


def _cell(results: Sequence[float]) -> str:
    return f"{sum(x == 1.0 for x in results)}-{sum(x == 0.0 for x in results)}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
