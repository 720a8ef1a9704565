"""An experiment from start to end: train every arm, hold the tournament, write the report.

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
from stratagem.train.experiments.definition import load_experiment


def run_experiment(
    name: str,
    budget_seconds: float,
    out: Path,
    seed: int = 0,
    progress: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Run `name` within about `budget_seconds` of wall clock; writes result.json and report.md.

    The arms share what the tournament leaves over evenly, each in out/runs/<arm>.
    """
    experiment = load_experiment(name)
    if budget_seconds <= 0:
        raise BadSetting(f"budget {budget_seconds}: an experiment needs some seconds")
    # torch loads here, not when experiments are listed
    from stratagem.train.experiments.arms import pick_models, train_arm
    from stratagem.train.experiments.contest import hold_contest
    from stratagem.train.experiments.report import result_of, write_report

    began = time.perf_counter()
    game = load_game(experiment.game_spec)
    contest_seconds = budget_seconds * experiment.tournament.budget_share
    arm_seconds = (budget_seconds - contest_seconds) / len(experiment.arms)
    trained = []
    for number, arm in enumerate(experiment.arms, start=1):
        progress(f"arm {number} of {len(experiment.arms)}: {arm.name}")
        settings = experiment.arm_settings(arm, arm_seconds, seed)
        trained.append(train_arm(arm, settings, out / "runs" / arm.name, progress))
    models = pick_models(experiment, trained)
    contest = hold_contest(game, models, experiment.tournament, contest_seconds, seed, progress)
    result = result_of(experiment, game, trained, models, contest)
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
