"""Kind `arms`: arms share the budget, then every table of the file is measured on their networks.

The arms divide what is not reserved for measuring; each seed of each arm is a run in
out/runs/<arm>/s<number>, one on each core. Tables of win rates always get the number of games that
the file names, however long that takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stratagem.backend import ThreadBackend
from stratagem.backend.cores import available_cores
from stratagem.core.errors import StratagemError
from stratagem.core.settings import check_values
from stratagem.evaluate.reports import Report
from stratagem.experiments import learning
from stratagem.experiments.arms import Arm, run_path
from stratagem.experiments.call import Call
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.findings import Compared
from stratagem.experiments.measuring import Bench, load_table, table_names
from stratagem.experiments.processes import run_jobs
from stratagem.experiments.schedule import length, longest_first, makespan
from stratagem.experiments.training import TrainedArm, read_run, starting_network, train_arm
from stratagem.train.settings import RunSettings


def read(name: str, values: Mapping[str, Any]) -> Experiment:
    """Parse and check the file, including every arm's settings."""
    tables = {key: _tables(name, key, values[key]) for key in values if key in table_names()}
    rest = {key: value for key, value in values.items() if key not in tables}
    given = {**rest, "tables": tables, "name": name}
    experiment = check_values(Experiment, given, f"experiment {name}")
    for arm in experiment.arms:
        arm_settings(experiment, arm, 1.0, 0)
    return experiment


def _tables(experiment: str, key: str, sections: Any) -> tuple[Table, ...]:
    """Parse the section with the settings of its module: one table or several."""
    model: type[Table] = load_table(key).Settings
    return tuple(
        check_values(model, section, f"experiment {experiment}, {key} {number}")
        for number, section in enumerate(sections if isinstance(sections, list) else [sections], 1)
    )


def arm_settings(experiment: Experiment, arm: Arm, budget_seconds: float, seed: int) -> RunSettings:
    """Return the settings of an arm's run."""
    # Every iteration is kept, because any of them may be nearest to a checkpoint's share.
    values = {"seed": seed, "budget_seconds": budget_seconds, "keep_every": 1}
    settings = experiment.run_settings(arm, **values)
    # The tables do the measuring: anchors during training would take time from it.
    return settings.model_copy(update={"anchors": settings.anchors.model_copy(update={"times": 0})})


def run(experiment: Experiment, call: Call) -> dict[str, Any]:
    """Train every arm with every seed, then measure every table."""
    trained = train_arms(experiment, call)
    bench = Bench(experiment, trained, call)
    result: dict[str, Any] = {
        "game": experiment.game_spec,
        "seeds": experiment.seeds,
        "arms": [one.summary() for one in trained],
        "learning": learning.measure(bench),
    }
    return result | bench.measure()


def write(experiment: Experiment, result: Mapping[str, Any], page: Report) -> None:
    """Write a result on a page."""
    for key, tables in experiment.tables.items():
        if key in result:
            load_table(key).report(page, tables, result[key], experiment)
    if result["arms"]:
        learning.report(page, result, experiment)


def compared(experiment: Experiment, result: Mapping[str, Any]) -> list[Compared]:
    """Return everything by which arms can be compared."""
    return [
        one
        for key in experiment.tables
        if key in result
        for one in load_table(key).compared(result[key])
    ]


def train_arms(experiment: Experiment, call: Call) -> list[TrainedArm]:
    """Train every run for its share of the time; an arm with `after` starts from that network.

    Parallel runs have a core each and count their own process's time, so that other programs on the
    machine favour no arm.
    """
    groups = longest_first(experiment.arms, experiment.seeds)
    seconds = call.budget_seconds * (1 - experiment.measuring_time())
    lengths = [length(chain) for chain, _ in groups]
    places = available_cores() if len(groups) > 1 else 1
    unit = seconds / makespan(lengths, places) if groups else 0.0
    apart = len(groups) > 1 and not isinstance(call.backend, ThreadBackend)
    jobs = [
        (experiment, tuple(chain), number, unit, apart, call.out, call.seed + number)
        for chain, number in groups
    ]
    done = 0

    def on_outcome(job: int, outcome: str | StratagemError) -> None:
        nonlocal done
        done += 1
        call.progress(f"{done} of {len(jobs)}: {outcome}")

    run_jobs(train_chain, jobs, on_outcome, call.backend)
    return [
        read_run(arm, run_path(call.out, arm, number), number)
        for arm in experiment.arms
        for number in range(experiment.seeds)
    ]


def train_chain(
    experiment: Experiment,
    chain: Sequence[Arm],
    number: int,
    unit: float,
    apart: bool,
    out: Path,
    seed: int,
) -> str:
    """Train arms one after another for `unit` seconds times their shares; report the progress."""
    clock = "processor" if apart else "wall"
    trained: dict[str, TrainedArm] = {}
    lines = []
    for arm in chain:
        path = run_path(out, arm, number)
        settings = arm_settings(experiment, arm, unit * arm.share, seed)
        settings = settings.model_copy(update={"budget_clock": clock})
        if arm.after:
            start = starting_network(path, trained[arm.after])
            settings = settings.model_copy(update={"start": start})
        before = len(read_run(arm, path).rows)
        one = train_arm(arm, settings, path)
        trained[arm.name] = one
        how = "trained already" if before == len(one.rows) else f"{one.rows[-1].seconds:.0f} s"
        lines.append(f"{arm.name} seed {seed}: {how}, {one.rows[-1].iteration} iterations")
    return "; ".join(lines)
