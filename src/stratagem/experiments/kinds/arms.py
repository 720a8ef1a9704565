"""Kind `arms`: arms share the budget, then every table of the file is measured on their networks.

The arms divide what is not set aside for measuring; each is a run in out/runs/<arm>. Tables of win
rates always get the games that the file asks for, however long they take.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stratagem.core.errors import BadSetting
from stratagem.core.scenario import explain
from stratagem.evaluate.reports import Report
from stratagem.experiments import learning
from stratagem.experiments.arms import Arm
from stratagem.experiments.call import Call
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.measuring import Bench, load_table, table_names
from stratagem.experiments.training import TrainedArm, starting_network, train_arm
from stratagem.runs.metrics import IterationMetrics
from stratagem.train.settings import RunSettings


def read(name: str, values: Mapping[str, Any]) -> Experiment:
    """The file as a definition; every arm's settings are checked too."""
    tables = {key: _tables(name, key, values[key]) for key in values if key in table_names()}
    try:
        rest = {key: value for key, value in values.items() if key not in tables}
        experiment = Experiment.model_validate({**rest, "tables": tables, "name": name})
    except ValidationError as error:
        raise BadSetting(f"experiment {name}: {explain(error)}") from None
    for arm in experiment.arms:
        arm_settings(experiment, arm, 1.0, 0)
    return experiment


def _tables(experiment: str, key: str, sections: Any) -> tuple[Table, ...]:
    """The section as settings of its module: one table or several."""
    tables: list[Table] = []
    for number, section in enumerate(sections if isinstance(sections, list) else [sections]):
        try:
            tables.append(load_table(key).Settings.model_validate(section))
        except ValidationError as error:
            where = f"experiment {experiment}, {key} {number + 1}"
            raise BadSetting(f"{where}: {explain(error)}") from None
    return tuple(tables)


def arm_settings(experiment: Experiment, arm: Arm, budget_seconds: float, seed: int) -> RunSettings:
    """The run of one arm."""
    # Every iteration is kept, because any of them may be nearest to a checkpoint's share.
    return experiment.run_settings(arm, seed=seed, budget_seconds=budget_seconds, keep_every=1)


def run(experiment: Experiment, call: Call) -> tuple[dict[str, Any], Report]:
    """Train every arm, measure every table."""
    trained = train_arms(experiment, call)
    bench = Bench(experiment, trained, call)
    result: dict[str, Any] = {
        "game": experiment.game_spec,
        "arms": [one.summary() for one in trained],
        "learning": learning.measure(bench),
    }
    page = Report(experiment.title)
    page.paragraph(_first_words(experiment, call))
    for key, tables in experiment.tables.items():
        module = load_table(key)
        result[key] = module.measure(tables, bench)
        module.report(page, tables, result[key], bench)
    if trained:
        learning.report(page, result, bench)
    return result, page


def train_arms(experiment: Experiment, call: Call) -> list[TrainedArm]:
    """Train every arm for its part of the time; one that comes after another starts from it."""
    seconds = call.budget_seconds * (1 - experiment.measuring_time())
    whole = sum(arm.share for arm in experiment.arms)
    trained: dict[str, TrainedArm] = {}
    for number, arm in enumerate(experiment.arms, start=1):
        call.progress(f"arm {number} of {len(experiment.arms)}: {arm.name}")
        path = call.out / "runs" / arm.name
        settings = arm_settings(experiment, arm, seconds * arm.share / whole, call.seed)
        if arm.after:
            start = starting_network(path, trained[arm.after])
            settings = settings.model_copy(update={"start": start})
        trained[arm.name] = _train(arm, settings, path, call)
    return list(trained.values())


def _train(arm: Arm, settings: RunSettings, path: Path, call: Call) -> TrainedArm:
    new = 0

    def report(metrics: IterationMetrics) -> None:
        nonlocal new
        new += 1
        # The first iterations only fill the replay.
        loss = "no loss yet" if metrics.loss is None else f"loss {metrics.loss:.3f}"
        done = f"{100 * metrics.progress:.0f} %, iteration {metrics.iteration}"
        call.progress(f"{arm.name}: {done}, {loss}")

    trained = train_arm(arm, settings, path, report)
    if not new:
        count = trained.rows[-1].iteration
        call.progress(f"{arm.name}: trained already, {count} iterations")
    return trained


def _first_words(experiment: Experiment, call: Call) -> str:
    text = f"After {experiment.source or 'no paper'}; seed {call.seed}."
    if not experiment.arms:  # nothing has a budget
        return text
    return (
        f"{text} Budget {call.budget_seconds / 60:.1f} minutes for everything; "
        f"{experiment.game_spec}, preset {experiment.preset}."
    )
