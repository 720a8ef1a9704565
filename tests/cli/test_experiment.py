"""`experiment` finds experiments by name and hands over budget, folder and seed."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from stratagem import experiments
from stratagem.experiments import publish
from stratagem.runs.provenance import Checkout


@pytest.fixture
def calls(monkeypatch):
    made = []

    def run_experiment(name, budget_seconds, out, seed, progress, backend):
        made.append((name, budget_seconds, out, seed))
        progress("half way")
        return {"name": name, "rows": [1, 2]}

    known = [SimpleNamespace(name="battlefield/shaping", title="Table 1")]
    monkeypatch.setattr(experiments, "list_experiments", lambda: known)
    monkeypatch.setattr(experiments, "experiment_name", lambda name: name)
    monkeypatch.setattr(experiments, "run_experiment", run_experiment)
    loaded = SimpleNamespace(budget="45m")
    monkeypatch.setattr(experiments, "load_experiment", lambda name: loaded)
    return made


def test_without_a_name_they_are_listed(cli, calls):
    assert json.loads(cli("experiment", "--json").out) == [
        {"name": "battlefield/shaping", "title": "Table 1"}
    ]
    assert "Table 1" in cli("experiment").out
    assert calls == []


def test_a_name_is_run_with_budget_folder_and_seed(cli, calls):
    answer = cli("experiment", "battlefield/shaping", "--budget", "2m", "--out", "x", "--seed", "4",
                 "--json")  # fmt: skip
    assert json.loads(answer.out) == {"name": "battlefield/shaping", "rows": [1, 2]}
    assert "half way" in answer.err
    assert calls == [("battlefield/shaping", 120.0, Path("x"), 4)]


def test_the_file_says_what_an_experiment_needs(cli, calls):
    cli("experiment", "battlefield/shaping", "--out", "x")
    assert calls == [("battlefield/shaping", 2700.0, Path("x"), 0)]


def test_unknown_name_and_wrong_budget_run_nothing(cli, calls):
    assert "battlefield/shaping" in cli("experiment", "battlefield/shapes").err
    assert cli("experiment", "battlefield/shaping", "--budget", "2 minutes").code == 2
    assert calls == []


def test_publishing_from_a_changed_checkout_is_refused_before_training(cli, monkeypatch):
    monkeypatch.setattr(publish, "find_checkout", lambda ignore: Checkout("abc1234", True))
    answer = cli("experiment", "battlefield/shaping", "--publish", "--out", "x")
    assert answer.code == 2
    assert "changes since abc1234: commit or stash them" in answer.err
    assert not Path("x").exists()
