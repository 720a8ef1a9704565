"""An experiment from start to end: train every arm, measure, write the report.

Nothing is kept in memory that is not on disk: the same call on the same folder goes on where an
interrupted one stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.train.experiments.definition import (
    experiment_name,
    experiment_values,
    load_experiment,
)
from stratagem.train.experiments.forms import DEFAULT, form_of, load_form


def run_experiment(
    name: str,
    budget_seconds: float,
    out: Path,
    seed: int = 0,
    progress: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Run `name` within about `budget_seconds` of wall clock; writes result.json and report.md.

    A file that names another form is that form's to run (forms.py); what follows is for arms.

    The arms share what is not set aside for measuring, each in out/runs/<arm>. Tables of win
    rates always get the games that the file asks for, however long they take.
    """
    if budget_seconds <= 0:
        raise BadSetting(f"budget {budget_seconds}: an experiment needs some seconds")
    name = experiment_name(name)
    values = experiment_values(name)
    form = form_of(values)
    if form != DEFAULT:
        other = load_form(form, name).run(name, values, budget_seconds, out, seed, progress)
        return dict(other)
    experiment = load_experiment(name)
    # torch loads here, not when experiments are listed
    from stratagem.train.experiments.arms import pick_models, train_arms
    from stratagem.train.experiments.conduct_report import measure_conduct
    from stratagem.train.experiments.contest import hold_contest
    from stratagem.train.experiments.points_report import measure_points
    from stratagem.train.experiments.rates import measure_curves, measure_tables
    from stratagem.train.experiments.report import result_of, write_report

    began = time.perf_counter()
    game = load_game(experiment.game_spec)
    share = experiment.tournament.budget_share if experiment.checkpoints else 0.0
    contest_seconds = budget_seconds * share
    counted = experiment.rates or experiment.curves or experiment.conduct
    share += experiment.rates_share if counted else 0.0
    trained = train_arms(experiment, budget_seconds * (1 - share), seed, out / "runs", progress)
    models = pick_models(experiment, trained)
    contest = None
    if models:
        contest = hold_contest(game, models, experiment.tournament, contest_seconds, seed, progress)
    result = result_of(experiment, game, trained, models, contest)
    result |= {
        "rates": measure_tables(experiment, trained, seed, out, progress),
        "rate_curves": measure_curves(experiment, trained, seed, out, progress),
        "points": measure_points(experiment, game, trained, seed, progress),
        "conduct": measure_conduct(experiment, trained, seed, out, progress),
    }
    result |= {
        "budget_seconds": budget_seconds,
        "seed": seed,
        "seconds": round(time.perf_counter() - began, 1),
    }
    write_report(experiment, game, trained, contest, result, out)
    text = json.dumps(result, indent=2)
    write_atomically(out / "result.json", text + "\n")
    progress(f"report: {out / 'report.md'}")
    written: dict[str, Any] = json.loads(text)  # exactly what the file says
    return written
