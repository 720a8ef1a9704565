"""The model of a cluster: limits that can be worked out by hand."""

import dataclasses
import importlib.util
import math
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "cluster_model.py"


@pytest.fixture(scope="module")
def model():
    found = importlib.util.spec_from_file_location("cluster_model", FILE)
    module = importlib.util.module_from_spec(found)
    sys.modules["cluster_model"] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    return module


@pytest.fixture
def costs(model):
    """Only playing costs anything: 1 ms a decision."""
    return model.Costs(0.0, 1e-3, 1e-3, 0.0, 0.0, 0.0, 0.0, 0.0, 10**6, 1000.0)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_without_other_costs_every_worker_counts(model, costs, asynchronous):
    for machines in (1, 8):
        speed = model.simulate(costs, model.Cluster(machines, 4, 4), 4096, asynchronous)
        assert speed.decisions_per_s == pytest.approx(machines * 4000, rel=0.02)
        assert speed.efficiency == pytest.approx(1, rel=0.02) and speed.bottleneck == "inference"


def test_in_sequential_mode_costs_add_up(model, costs):
    costs = dataclasses.replace(costs, learn=1e-3, take=1e-3, iteration=1.0, call=0.5)
    speed = model.simulate(costs, model.Cluster(1, 1, 2), 1000, False)
    # A call of half a second, then a second each of play, driver, learner and saving.
    assert speed.decisions_per_s == pytest.approx(1000 / 4.5)


def test_an_asynchronous_run_is_as_fast_as_its_slowest_part(model, costs):
    cluster = model.Cluster(4, 4, 4)
    learner = dataclasses.replace(costs, learn=1e-3)
    speed = model.simulate(learner, cluster, 4096, True, 50)
    assert speed.decisions_per_s == pytest.approx(1000, rel=0.05)
    assert speed.bottleneck == "learner"
    driver = dataclasses.replace(costs, take=1e-3)
    speed = model.simulate(driver, cluster, 4096, True, 50)
    assert speed.decisions_per_s == pytest.approx(1000, rel=0.05)
    assert speed.bottleneck == "driver"
    assert model.simulate(learner, cluster, 4096, False).decisions_per_s < 1000


def test_more_workers_than_cores_share_them(model, costs):
    crowded = model.simulate(costs, model.Cluster(1, 4, 2), 4096, False)
    assert crowded.decisions_per_s == pytest.approx(2000, rel=0.02)


def test_weights_spread_from_machine_to_machine(model, costs):
    one, many = (model.Cluster(n, 1, 1, bandwidth=1e6) for n in (1, 1023))
    assert one.broadcast_seconds(costs) == pytest.approx(1.0)
    assert many.broadcast_seconds(costs) == pytest.approx(10.0)
    assert model.Cluster(8, 1, 1, bandwidth=math.inf).broadcast_seconds(costs) == 0.0
