"""An experiment's result as data and as a page, the paper's numbers in a column beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from stratagem.core.game import Game
from stratagem.core.record import GameRecord
from stratagem.evaluate.curves import Curve, curve_from_metrics
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.measures import Measures, measure_games
from stratagem.evaluate.reports import Cell, Report, measures_table
from stratagem.train.experiments.arms import Model, TrainedArm
from stratagem.train.experiments.conduct_report import add_conduct
from stratagem.train.experiments.contest import Contest
from stratagem.train.experiments.definition import Experiment
from stratagem.train.experiments.points_report import add_points
from stratagem.train.experiments.rates_report import add_rates

_LOSSES = (("policy_loss", "policy"), ("value_loss", "value"), ("loss", "total"))


def result_of(
    experiment: Experiment,
    game: Game,
    trained: Sequence[TrainedArm],
    models: Sequence[Model],
    contest: Contest | None,
) -> dict[str, Any]:
    """Everything that was trained and what came of the tournament, ready for JSON."""
    basics = {
        "name": experiment.name,
        "title": experiment.title,
        "source": experiment.source,
        "game": game.spec,
        "arms": [one.summary() for one in trained],
    }
    if contest is None:
        return basics
    ranking = rank(experiment, models, contest)
    return basics | {
        "ranking": ranking,
        "arm_means": arm_means(experiment, ranking),
        "tournament": contest.as_json(),
        "tactics": _tactics(game, contest).as_json() if game.rules.measures else None,
    }


def rank(experiment: Experiment, models: Sequence[Model], contest: Contest) -> list[dict[str, Any]]:
    """One row per player, by sequential Elo as in the paper, with the paper's row beside it."""
    by_name = {model.name: model for model in models}
    rows: list[dict[str, Any]] = []
    for standing in contest.tournament.standings:
        model = by_name.get(standing.spec)
        theirs = experiment.paper.row(standing.spec)
        rows.append(
            {
                "model": standing.spec,
                "arm": model and model.arm,
                "iteration": model and model.iteration,
                "elo": round(contest.elo[standing.spec], 1),
                "rating": round(standing.rating.rating, 1),
                "low": round(standing.rating.low, 1),
                "high": round(standing.rating.high, 1),
                "score": round(standing.score, 4),
                "games": standing.games,
                "paper_rank": theirs and theirs.rank,
                "paper_elo": theirs and theirs.elo,
            }
        )
    rows.sort(key=lambda row: -row["elo"])
    return [{"rank": number, **row} for number, row in enumerate(rows, start=1)]


def arm_means(experiment: Experiment, ranking: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mean ratings over an arm's models: what the paper concludes from."""
    means = []
    for arm in experiment.arms:
        mine = [row for row in ranking if row["arm"] == arm.name]
        theirs = [row["paper_elo"] for row in mine if row["paper_elo"] is not None]
        means.append(
            {
                "arm": arm.name,
                "elo": round(mean(row["elo"] for row in mine), 1),
                "rating": round(mean(row["rating"] for row in mine), 1),
                "paper_elo": round(mean(theirs), 1) if theirs else None,
            }
        )
    return means


def write_report(
    experiment: Experiment,
    game: Game,
    trained: Sequence[TrainedArm],
    contest: Contest | None,
    result: dict[str, Any],
    out: Path,
) -> Path:
    """report.md and its pictures."""
    report = Report(experiment.title)
    if not trained:  # nothing has a budget
        report.paragraph(f"After {experiment.source or 'no paper'}; seed {result['seed']}.")
        add_conduct(report, experiment, result, out)
        return report.write(out / "report.md")
    report.paragraph(
        f"After {experiment.source or 'no paper'}. Budget {result['budget_seconds'] / 60:.1f} "
        f"minutes for everything, {result['seconds'] / 60:.1f} used by this call; seed "
        f"{result['seed']}; {game.spec}, preset {experiment.preset}."
    )
    add_points(report, experiment, trained, result, out)
    add_rates(report, experiment, result, out)
    add_conduct(report, experiment, result, out)
    if contest is not None:
        _add_ranking(report, experiment, contest, result)
    _add_arms(report, result)
    _add_curves(report, experiment, trained, out)
    if contest is not None:
        _add_games(report, experiment, game, contest, result, out)
    return report.write(out / "report.md")


def _add_games(
    report: Report,
    experiment: Experiment,
    game: Game,
    contest: Contest,
    result: dict[str, Any],
    out: Path,
) -> None:
    """A game of the best model and how all of them play."""
    best = next(row["model"] for row in result["ranking"] if row["arm"] is not None)
    if game.rules.view is not None:
        report.heading(_caption(experiment.figures.gameplay, "A game of the best model"))
        add_course(report, game, typical_game(contest.records[best]), out / "gameplay.png")
    if game.rules.measures is not None:
        report.heading("Measures")
        games = experiment.tournament.tactics_games
        report.paragraph(f"Each model against itself, {games} games; mean and 95 % interval.")
        report.paragraph(measures_table(_tactics(game, contest)))


def typical_game(records: Sequence[GameRecord]) -> GameRecord:
    """The game of median length among those with a winner, else among all."""
    decided = [r for r in records if len(set(r.returns)) > 1] or list(records)
    return sorted(decided, key=lambda record: len(record.events))[len(decided) // 2]


def _add_ranking(
    report: Report, experiment: Experiment, contest: Contest, result: dict[str, Any]
) -> None:
    rounds, plan = experiment.tournament.games_per_pair, contest.plan
    report.heading(_caption(experiment.paper.table, "Ranking"))
    report.paragraph(
        f"Elo is sequential (K = 32, from 1500) over the first {rounds} games of each pair, as in "
        f"the paper. The rating is Bradley-Terry over all {plan.games_per_pair} games a pair, "
        f"`{contest.tournament.anchor}` = 0, with its 95 % interval. {plan.sims} simulations a "
        "decision, no shaping. Iteration is where the model comes from."
    )
    theirs = any(row["paper_elo"] is not None for row in result["ranking"])
    rows: list[list[Cell]] = [
        [
            row["rank"], row["model"], row["iteration"], _points(row["elo"]),
            *([row["paper_rank"], _points(row["paper_elo"])] if theirs else []),
            _points(row["rating"]), f"{row['low']:.0f} to {row['high']:.0f}", row["score"],
        ]
        for row in result["ranking"]
    ]  # fmt: skip
    paper = ["paper's rank", "paper's Elo"] if theirs else []
    report.table(
        ["rank", "model", "iteration", "Elo", *paper, "rating", "95 % interval", "score"], rows
    )
    report.paragraph("Means over each arm's models:")
    means: list[list[Cell]] = [
        [row["arm"], _points(row["elo"]), *([_points(row["paper_elo"])] if theirs else []),
         _points(row["rating"])]
        for row in result["arm_means"]
    ]  # fmt: skip
    report.table(["arm", "Elo", *paper[1:], "rating"], means)


def _add_arms(report: Report, result: dict[str, Any]) -> None:
    report.heading("Arms")
    rows: list[list[Cell]] = [
        [
            arm["name"], arm["title"], arm["iterations"], arm["games"], arm["decisions"],
            f"{arm['seconds'] / 60:.1f}", arm["policy_loss"], arm["value_loss"],
            arm["candidates_tested"], arm["acceptance_rate"],
        ]
        for arm in result["arms"]
    ]  # fmt: skip
    report.table(
        ["arm", "what", "iterations", "games", "decisions", "minutes", "policy loss", "value loss",
         "candidates tested", "accepted"],
        rows,
    )  # fmt: skip


def _add_curves(
    report: Report, experiment: Experiment, trained: Sequence[TrainedArm], out: Path
) -> None:
    from stratagem.evaluate.drawing.charts import draw_curves  # matplotlib loads slowly

    report.heading(_caption(experiment.figures.losses, "Losses"))
    for key, label in _LOSSES:
        curves = loss_curves(experiment, trained, key)
        file = draw_curves(curves, out / f"{key}.png", f"{label} loss", "iteration", "loss")
        report.picture(file, f"{label} loss by iteration, moving average")
    tested = acceptance_curves(experiment, trained, "gate_score")
    if not tested:
        return
    report.heading(_caption(experiment.figures.acceptance, "Acceptance of candidates"))
    file = draw_curves(
        tested, out / "win_rate.png", "score of candidates", "iteration", "score", 0.5
    )
    report.picture(file, "(a) Score of candidates against accepted networks, moving average")
    file = draw_curves(
        acceptance_curves(experiment, trained, "accepted"), out / "acceptance_rate.png",
        "acceptance rate", "iteration", "share accepted",
    )  # fmt: skip
    report.picture(file, "(b) Share of candidates that were accepted, moving average")


def loss_curves(experiment: Experiment, trained: Sequence[TrainedArm], key: str) -> list[Curve]:
    """One loss of every arm over its iterations, from the first that trained on."""
    return [
        curve_from_metrics(
            [row for row in one.rows if row["steps"]], "iteration", key, one.arm.name,
            smoothing=experiment.smoothing,
        )
        for one in trained
    ]  # fmt: skip


def acceptance_curves(
    experiment: Experiment, trained: Sequence[TrainedArm], key: str
) -> list[Curve]:
    """`gate_score` or `accepted` over the tested candidates of every arm that tests them."""
    curves = []
    for one in trained:
        rows = [{**row, key: float(row[key])} for row in one.rows if row["gate_games"] > 0]
        if rows:
            smoothing = experiment.smoothing
            curves.append(curve_from_metrics(rows, "iteration", key, one.arm.name, None, smoothing))
    return curves


def _tactics(game: Game, contest: Contest) -> Measures:
    records = [record for records in contest.records.values() for record in records]
    return measure_games(game, records)


def _caption(number: str, text: str) -> str:
    return f"{text} (the paper's {number[0].lower()}{number[1:]})" if number else text


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
