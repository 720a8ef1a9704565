"""A run as a page: curves, settings, a sample game, measures of early and late games.

Only reads the run's files; plays and trains nothing, and needs no network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.record import read_record
from stratagem.core.registry import load_game
from stratagem.core.toml import format_toml
from stratagem.evaluate.curves import Curve, curve_from_metrics
from stratagem.evaluate.drawing.charts import draw_curves, draw_measures, draw_score_table
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.match_report import add_sides
from stratagem.evaluate.match_result import MatchResult
from stratagem.evaluate.measures import measure_games, measures_of, read_games_of
from stratagem.evaluate.reports import Report, interval, match_table, measures_table
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import IterationMetrics, newest_anchors
from stratagem.runs.payoffs import Payoffs, payoffs_of

_SAMPLED = 20  # self-play games at each end of the run for which measures are computed

Rows = Sequence[IterationMetrics]


def write_run_report(
    run: Path, folder: Path | None = None, matches: Sequence[MatchResult] = ()
) -> Path:
    """Write report.md and its pictures into `folder` (default: the run's own); return the page."""
    source = RunFolder.open(run)
    rows = source.metrics()
    if not rows:
        raise BadSetting(f"{run} has no finished iteration yet: let it train for longer")
    settings = source.settings()
    game = load_game(str(settings["game"]))
    target = run if folder is None else folder
    report = Report(f"Run {run.name}: {game.spec}")
    report.paragraph(_lead(rows, source))
    for text in source.damage():
        report.paragraph(f"Damaged: {text}.")
    if matches:
        report.heading("Strength")
        for match in matches:
            report.paragraph(match_table(match))
    _add_curves(report, rows, target, game.num_seats)
    _add_games(report, game, source, target, matches)
    report.heading("Settings")
    report.paragraph(f"```toml\n{format_toml(settings)}```")
    return report.write(target / "report.md")


def _lead(rows: Rows, run: RunFolder) -> str:
    last, about = rows[-1], run.provenance()
    text = (
        f"{last.iteration} iterations, {last.games:,} games and {last.decisions:,} "
        f"decisions in {last.seconds / 60:.1f} minutes."
    )
    if about.started:
        text += f" Started {about.started}, commit {about.commit or 'unknown'}."
    return text


def _add_curves(report: Report, rows: Rows, folder: Path, seats: int) -> None:
    anchors = anchor_curves(rows)
    if anchors:
        report.heading("Strength during training")
        file = draw_curves(
            anchors,
            folder / "anchors.png",
            "Score against fixed opponents",
            "minutes",
            "score",
            1.0 / seats,  # parity
        )
        report.picture(file, "Score against fixed opponents with 95 % intervals")
        report.paragraph(
            f"The latest scores. An equally strong player would score about {1 / seats:.2g}."
        )
        report.table(
            ["opponent", "score", "95 % interval", "games"],
            [
                [f"`{who}`", one.score, interval(one.low, one.high), one.games or ""]
                for who, one in newest_anchors(rows).items()
            ],
        )
    _add_payoffs(report, payoffs_of(rows), folder)
    report.heading("Losses")
    names = dict.fromkeys(name for row in rows for name in row.losses)
    losses = [
        curve_from_metrics([row.losses | {"at": row.iteration} for row in rows], "at", name)
        for name in names
    ]
    file = draw_curves(losses, folder / "losses.png", "Losses", "iteration", "loss")
    report.picture(file, "Losses by iteration")
    report.heading("Speed")
    numbers = [{"iteration": row.iteration, "rate": row.games_per_s} for row in rows]
    speed = [curve_from_metrics(numbers, "iteration", "rate", "games/s")]
    file = draw_curves(speed, folder / "speed.png", "Self-play", "iteration", "games per second")
    report.picture(file, "Self-play games per second")


def _add_payoffs(report: Report, payoffs: Payoffs, folder: Path) -> None:
    """Add the learner's scores against its training opponents over time."""
    if not payoffs.opponents:
        return
    report.heading("Opponents in training")
    scores = np.array(payoffs.scores, np.float64)  # None becomes NaN
    spans = [f"{first}-{last}" if last > first else str(first) for first, last in payoffs.spans]
    file = draw_score_table(
        scores, payoffs.opponents, spans, folder / "opponents.png", "score of the learner"
    )
    report.picture(file, "Score against each opponent by iterations")


def anchor_curves(rows: Rows) -> list[Curve]:
    """Return one curve over minutes for each fixed opponent."""
    curves = []
    for spec in dict.fromkeys(spec for row in rows for spec in row.anchors):
        met = [
            {"minutes": row.seconds / 60.0, **row.anchors[spec].model_dump()}
            for row in rows
            if spec in row.anchors
        ]
        curves.append(curve_from_metrics(met, "minutes", "score", spec, ("low", "high")))
    return curves


def _add_games(
    report: Report, game: Game, run: RunFolder, folder: Path, matches: Sequence[MatchResult]
) -> None:
    files = run.games()
    played = [record for match in matches for record in match.records]
    sample = played[-1] if played else read_record(files[-1]) if files else None
    if sample is not None and game.rules.view is not None:
        report.heading("A game")
        add_course(report, game, sample, folder / "game.png")
    if measures_of(game) is None or not files:
        return
    early = read_games_of("early self-play", files[:_SAMPLED])
    late = read_games_of("late self-play", files[-_SAMPLED:]) if len(files) > _SAMPLED else []
    measured = measure_games(game, [*early, *late, *played])
    report.heading("Measures")
    report.paragraph(measures_table(measured))
    report.picture(draw_measures(measured, folder / "measures.png"), "Measures by agent")
    add_sides(report, game, measured, folder)
