"""The tables of docs/scaling.md say what was measured, in people's words."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "scripts" / "scaling_tables.py"


@pytest.fixture(scope="module")
def tables():
    found = importlib.util.spec_from_file_location("scaling_tables", FILE)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_rates_stand_beside_one_thread(tables):
    found = {
        "rates": {
            "threads-1": {"decisions_per_s": 200.0},
            "processes-2": {"decisions_per_s": 390.0},
        },
        "cluster": {"ray-3": {"decisions_per_s": 350.0}},
    }
    assert tables.worker_rows(found) == [
        ("threads: 1", "200", "1.00"),
        ("processes: 2", "390", "1.95"),
        ("Ray, one-core nodes: 3", "350", "1.75"),
    ]


def test_the_model_stands_beside_what_was_measured(tables):
    row = {"point": "processes-2-asynchronous", "measured": 1000.0, "model": 930.4, "error": -0.07}
    assert tables.model_rows({"checked": [row]}) == [
        ("processes: 2, asynchronous", "1,000", "930", "-7 %")
    ]


def test_predictions_name_the_busiest_part(tables):
    row = {
        "machines": 1024, "cards": "none", "mode": "sequential", "decisions_per_s": 12345,
        "efficiency": 0.256, "bottleneck": "learner",
    }  # fmt: skip
    assert tables.prediction_rows({"predictions": [row]}) == [
        ("1,024", "none", "sequential", "12,345", "26 %", "learner")
    ]


def test_processes_stand_beside_as_many_threads(tables):
    found = {
        "machine": {"cores": 2},
        "rates": {
            "threads-2": {"decisions_per_s": 100.0},
            "processes-2": {"decisions_per_s": 98.0},
        },
        "workers": {"memory_mb": [480, 490], "replaced_in_s": 4.03, "message_s": 0.0028},
    }
    assert [value for _, value in tables.process_rows(found)] == [
        "0.98", "490 MB", "4.0 s", "2.8 ms",
    ]  # fmt: skip


def test_experiments_are_independent_runs(tables):
    found = {"experiment": [{"machines": 1024, "runs": 16384, "efficiency": 0.9039}]}
    assert tables.experiment_rows(found) == [("1,024", "16,384", "90 %")]
