"""Recipe studies: rungs narrow the arms, runs go on, a repeated call plays nothing again."""

import json
from pathlib import Path

import pytest

from stratagem.core.errors import BadSetting
from stratagem.experiments import files, load_experiment, run_experiment
from stratagem.experiments.kinds import study

NAME = "connect_four/tiny"
TINY = """
kind = "study"
title = "Tiny"
baseline = "two"
seeds = 1
rungs = [{ minutes = 0.002, keep = 1 }, { minutes = 0.004 }]

[settings]
network = { kind = "cnn", settings = { filters = 4, blocks = 1 } }
search = { sims = 2 }
selfplay = { slots = 8, positions = 64 }
replay = { minimum = 32 }
learning = { batch_size = 16, replay_ratio = 1.0 }

[measuring]
agent = "policy:{model}"
opponents = ["random"]
games = 4

[[arms]]
name = "two"

[[arms]]
name = "three"
settings.search = { sims = 3 }

[[arms]]
name = "four"
settings.search = { sims = 4 }
"""


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    file = tmp_path / "tiny.toml"
    file.write_text(TINY)
    monkeypatch.setattr(files, "experiment_files", lambda: {NAME: file})
    return file


def play_jobs_here(work, jobs, report, backend=None):
    for number, job in enumerate(jobs):
        report(number, work(*job))


@pytest.mark.slow
def test_the_better_arms_go_on_and_a_second_call_repeats_nothing(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "run_jobs", play_jobs_here)
    out = tmp_path / "out"
    result = run_experiment(NAME, 600, out)
    first, last = result["rungs"]
    assert {row["arm"] for row in first["arms"]} == {"two", "three", "four"}
    assert first["kept"] == [first["arms"][0]["arm"]]
    assert {row["arm"] for row in last["arms"]} == {*first["kept"], "two"}
    assert sorted(row["score"] for row in first["arms"])[-1] == first["arms"][0]["score"]
    assert "Rung 2" in (out / "report.md").read_text()
    # What was measured is read, not played again.
    for file in (out / "measured").iterdir():
        file.write_text(json.dumps({"random": 0.25}))
    again = run_experiment(NAME, 600, out)
    assert [row["score"] for row in again["rungs"][0]["arms"]] == [0.25, 0.25, 0.25]


def test_runs_of_a_study_use_one_core(tiny):
    definition = load_experiment(NAME)
    settings = definition.settings_of(definition.arms[0], 3, definition.rungs[0])
    assert settings.selfplay.workers == settings.learning.threads == 1
    assert settings.anchors.times == 0
    assert settings.budget_seconds == pytest.approx(0.12)


def test_the_baseline_stays_and_differences_are_to_it(tiny):
    definition = load_experiment(NAME)
    measured = {
        "two": [{"random": 0.5}, {"random": 0.7}],
        "three": [{"random": 0.9}, {"random": 0.7}],
        "four": [{"random": 0.4}, {"random": 0.2}],
    }
    rows = study.ranked(definition, definition.arms, measured)
    assert [row["arm"] for row in rows] == ["three", "two", "four"]
    assert [row["above_baseline"] for row in rows] == [0.2, None, -0.3]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("keep = 1", "keep = 3", "keep must be between 1 and 2"),
        ("minutes = 0.004", "minutes = 0.001", "more minutes"),
        ('baseline = "two"', 'baseline = "five"', "no arm 'five'"),
        ("policy:{model}", "policy:", "write {model}"),
    ],
)
def test_mistakes_are_named(tiny: Path, old, new, says):
    tiny.write_text(TINY.replace(old, new))
    with pytest.raises(BadSetting, match=says):
        load_experiment(NAME)
