"""Kind `study`: finds by successive halving which settings learn most in a given time.

Every arm is a change to one preset. A rung trains each remaining arm, with every seed, for its
minutes on one core, and measures it against opponents. The better arms advance to the next rung,
where their runs continue. So most of the time goes to the settings that deserve it. Minutes are
processor time: on a busy machine a study takes longer, but its result stays the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, Literal

import torch
from pydantic import Field, model_validator

from stratagem.agents.spec import make_agent
from stratagem.core.errors import StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.core.settings import check_values
from stratagem.evaluate.intervals import difference_interval, mean_interval, wilson
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.arms import Arm, WithArms, check_names, run_path
from stratagem.experiments.call import Call
from stratagem.experiments.definition import MODEL
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared
from stratagem.experiments.kept import read_kept
from stratagem.experiments.processes import run_jobs
from stratagem.experiments.training import train_arm
from stratagem.train.settings import RunSettings, check_settings

_ONE_CORE = {"selfplay.workers": 1, "learning.threads": 1, "anchors.times": 0}


class Rung(Part):
    """How long runs have been trained when this rung measures them, and how many arms advance."""

    minutes: float = Field(gt=0, description="of processor time of each run, from its start")
    keep: int = Field(0, ge=0, description="arms that advance; the last rung keeps none")


class Measuring(Part):
    """The matches that decide."""

    agent: str = Field(f"mcts:{MODEL}?sims=64", description="the player that a run makes")
    opponents: tuple[str, ...] = Field(min_length=1, description="agent specs that it meets")
    games: int = Field(40, ge=2, description="against each opponent")

    @model_validator(mode="after")
    def _names_the_model(self) -> Measuring:
        if MODEL not in self.agent:
            raise ValueError(f"agent: write {MODEL} in place of the network")
        return self


class Study(WithArms):
    """A complete experiment file."""

    kind: Literal["study"]
    arms: tuple[Arm, ...] = Field(min_length=2)
    baseline: str = Field(description="arm that the others are compared with; it is never dropped")
    seeds: int = Field(2, ge=1, description="runs of each arm")
    rungs: tuple[Rung, ...] = Field(min_length=1)
    measuring: Measuring

    @model_validator(mode="after")
    def _rungs_narrow(self) -> Study:
        check_names(self.arms, [self.baseline])
        for before, after in zip(self.rungs, self.rungs[1:], strict=False):
            if after.minutes <= before.minutes:
                raise ValueError("rungs: each one needs more minutes than the one before it")
            if not 1 <= before.keep < len(self.arms):
                raise ValueError(f"rungs: keep must be between 1 and {len(self.arms) - 1}")
        return self

    def settings_of(self, arm: Arm, seed: int, rung: Rung) -> RunSettings:
        """Return the settings of one run of an arm, on one core, with the length of this rung."""
        settings = self.run_settings(arm, seed=seed, budget_seconds=60.0 * rung.minutes)
        # Runs are compared by processor time, so that other programs do not matter.
        values = {**settings.model_dump(mode="json"), "budget_clock": "processor"}
        for key, value in _ONE_CORE.items():
            section, name = key.split(".")
            if name in values.get(section, {}):
                values[section][name] = value
        return check_settings(values, f"experiment {self.name}, arm {arm.name}")


def read(name: str, values: Mapping[str, Any]) -> Study:
    """Parse and check the file, including every arm's settings."""
    study = check_values(Study, {**values, "name": name}, f"experiment {name}")
    for arm in study.arms:
        study.settings_of(arm, 0, study.rungs[0])
    return study


def run(study: Study, call: Call) -> dict[str, Any]:
    """Climb the rungs. A budget that is too short ends the study after the current rung."""
    arms: Sequence[Arm] = study.arms
    rungs: list[dict[str, Any]] = []
    for number, rung in enumerate(study.rungs):
        if rungs and time.time() >= call.began + call.budget_seconds:
            call.progress(f"the budget is used up after {number} of {len(study.rungs)} rungs")
            break
        measured = _climb(study, number, arms, call)
        rows = ranked(study, arms, measured)
        kept = [row["arm"] for row in rows[: rung.keep]]
        rungs.append({"minutes": rung.minutes, "kept": kept, "arms": rows})
        arms = [arm for arm in arms if arm.name in {*kept, study.baseline}]
        call.progress(f"rung {number + 1}: best {rows[0]['arm']} with {rows[0]['score']:.3f}")
    return {
        "game": study.game_spec,
        "seeds": study.seeds,
        "baseline": study.baseline,
        "rungs": rungs,
    }


def compared(study: Study, result: Mapping[str, Any]) -> list[Compared]:
    """Return the scores of the runs on the last rung."""
    rows = result["rungs"][-1]["arms"]
    return [Compared("score on the last rung", {row["arm"]: row["by_run"] for row in rows})]


def _climb(
    study: Study, number: int, arms: Sequence[Arm], call: Call
) -> dict[str, list[dict[str, float]]]:
    """Train and measure every run of a rung; return scores by arm, seed and opponent."""
    rung, measuring = study.rungs[number], study.measuring.model_dump(mode="json")
    jobs = [
        (
            arm,
            study.settings_of(arm, call.seed + seed, rung).model_dump(mode="json"),
            run_path(call.out, arm, seed),
            call.out / "measured" / f"rung{number + 1}-{arm.name}-s{seed}.json",
            measuring,
        )
        for seed in range(study.seeds)
        for arm in arms
    ]
    found: dict[str, list[dict[str, float]]] = {arm.name: [] for arm in arms}

    def report(job: int, outcome: dict[str, float] | StratagemError) -> None:
        if isinstance(outcome, StratagemError):
            call.progress(f"{jobs[job][0].name}: {outcome}")
            return
        found[jobs[job][0].name].append(outcome)
        scores = ", ".join(f"{spec} {score:.3f}" for spec, score in outcome.items())
        call.progress(f"rung {number + 1}, {job + 1} of {len(jobs)}: {jobs[job][0].name}: {scores}")

    run_jobs(train_and_measure, jobs, report, call.backend)
    return found


def train_and_measure(
    arm: Arm, values: Mapping[str, Any], path: Path, file: Path, measuring: Mapping[str, Any]
) -> dict[str, float]:
    """Train one run up to this rung and play its matches, unless that has been done."""
    if file.is_file():
        known: dict[str, float] = read_kept(file)
        return known
    torch.set_num_threads(1)
    settings = check_settings(values, str(path))
    folder = train_arm(arm, settings, path).folder
    game, asked = load_game(settings.game), Measuring.model_validate(measuring)
    spec = asked.agent.replace(MODEL, str(folder.step_folder(folder.latest())))
    scores = {}
    for opponent in asked.opponents:
        agents = [make_agent(spec, game), make_agent(opponent, game)]
        match = play_match(game, agents, asked.games, settings.seed)
        scores[opponent] = match.agents[0].tally.score
    write_atomically(file, json.dumps(scores) + "\n")
    return scores


def ranked(
    study: Study, arms: Sequence[Arm], measured: Mapping[str, Sequence[Mapping[str, float]]]
) -> list[dict[str, Any]]:
    """Rank the arms of a rung, best first: scores by seed, and how far above the baseline."""
    base = [mean(scores.values()) for scores in measured[study.baseline]]
    rows = []
    for arm in arms:
        runs = measured[arm.name]
        by_run = [mean(scores.values()) for scores in runs]
        total = study.measuring.games * len(study.measuring.opponents) * len(runs)
        above = difference_interval(by_run, base) if arm.name != study.baseline else None
        rows.append(
            {
                "arm": arm.name,
                "title": arm.title,
                "score": round(mean_interval(by_run).mean, 4),
                "games_interval": [round(bound, 4) for bound in wilson(mean(by_run), total)],
                "by_run": [round(score, 4) for score in by_run],
                "above_baseline": None if above is None else round(above.mean, 4),
                "opponents": {
                    spec: round(mean(scores[spec] for scores in runs), 4)
                    for spec in study.measuring.opponents
                },
            }
        )
    return sorted(rows, key=lambda row: -row["score"])


def write(study: Study, result: Mapping[str, Any], page: Report) -> None:
    """Write every rung with its arms, best first."""
    page.paragraph(
        f"Every arm changes the preset `{study.preset}` and trains with {study.seeds} seeds, one "
        f"core per run. The best arms go on to the next rung. The score is the mean over all "
        f"opponents, {study.measuring.games} games each, played by `{study.measuring.agent}`. The "
        f"interval is over games, not over seeds."
    )
    opponents = study.measuring.opponents
    for number, rung in enumerate(result["rungs"], start=1):
        page.heading(f"Rung {number}: {rung['minutes']:g} minutes")
        columns = ["arm", "score", "95 % interval", "above baseline", "by seed", *opponents]
        page.table(columns, [_row(row, opponents) for row in rung["arms"]])


def _row(row: dict[str, Any], opponents: Sequence[str]) -> list[Cell]:
    low, high = row["games_interval"]
    above = row["above_baseline"]
    return [
        row["title"] or row["arm"],
        f"{row['score']:.3f}",
        f"{low:.3f} to {high:.3f}",
        "" if above is None else f"{above:+.3f}",
        ", ".join(f"{score:.3f}" for score in row["by_run"]),
        *(f"{row['opponents'][spec]:.3f}" for spec in opponents),
    ]
