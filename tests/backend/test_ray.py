"""Ray: the same results as here, on several nodes, one of which goes away in the middle."""

import os
import runpy
import sys
import threading
from pathlib import Path

import pytest

ray = pytest.importorskip("ray", reason="Ray is the extra `cluster`: pip install '.[cluster]'")
from ray.cluster_utils import Cluster  # noqa: E402

from backend.counting import Counter, Refusing, fail_at_two, slow_square, square_once_killed  # noqa: E402
from backend.test_asynchronous import train_counting  # noqa: E402
from backend.test_one_truth import train  # noqa: E402
from stratagem.backend import ThreadBackend  # noqa: E402
from stratagem.backend.ray import RayBackend  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray's own warnings


@pytest.fixture(scope="module")
def cluster():
    """A head without cores for work, and three nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # nodes import the tests' workers
        # A lost node is missed after five seconds, not after a quarter of a minute.
        quick = {"health_check_period_ms": 1000}
        cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": quick}
        )
        for _ in range(3):
            cluster.add_node(num_cpus=2)
        yield cluster  # nodes that are added later start in the same environment
        cluster.shutdown()


@pytest.fixture
def backend(cluster):
    backend = RayBackend(cluster.address)
    yield backend
    backend.close()


def node_of(worker):
    return ray.get_runtime_context().get_node_id()


def machine_of(cluster, link):
    """The node that a worker runs on."""
    home = ray.get(link.actor.__ray_call__.remote(node_of))
    (node,) = [node for node in cluster.list_all_nodes() if node.node_id == home]
    return node


def test_map_keeps_the_order_and_hands_errors_on(backend):
    heard = []
    numbers = list(range(20))
    assert backend.map(slow_square, numbers, heard.append) == heard == [n * n for n in numbers]
    assert backend.map(slow_square, []) == []
    with pytest.raises(ValueError, match="two"):
        backend.map(fail_at_two, [1, 2, 3])


def test_a_killed_process_costs_map_nothing(backend, tmp_path):
    tasks = [(number, str(tmp_path)) for number in range(3)]
    assert backend.map(square_once_killed, tasks) == [0, 1, 4]


def test_a_killed_worker_is_replaced_and_counts_once(backend, tmp_path):
    crew = backend.start_workers(Counter, [1, 10])
    assert crew.call("add", [(1,), (2,)]) == [2, 12]
    calls = [(5, str(tmp_path)), (7, str(tmp_path))]
    assert crew.call("add_once_killed", calls) == [7, 19]
    with pytest.raises(ValueError, match="no"):
        crew.call("fail", [("no",), ("no",)])
    assert crew.call("add", [(0,), (0,)]) == [7, 19]
    with pytest.raises(ValueError, match="refused 3"):
        backend.start_workers(Refusing, [3])


def test_a_node_lost_in_a_call_costs_nothing(cluster, backend):
    crew = backend.start_workers(Counter, [1, 10, 100])
    assert crew.call("add", [(1,)] * 3) == [2, 11, 101]
    node = machine_of(cluster, crew.links[1])
    losing = threading.Timer(0.5, cluster.remove_node, (node, False))
    losing.start()
    assert crew.call("add_slowly", [(1, 3.0)] * 3) == [3, 12, 102]
    losing.join()
    cluster.add_node(num_cpus=2)
    assert crew.call("add", [(1,)] * 3) == [4, 13, 103]


def test_a_node_lost_in_training_changes_nothing(cluster, backend, tmp_path):
    iterations, threads = [], []

    def lose(metrics):
        iterations.append(metrics)
        if len(iterations) == 2:  # the third is played while the machine goes
            (crew,) = backend.crews
            node = machine_of(cluster, crew.links[0])
            threads.append(threading.Thread(target=cluster.remove_node, args=(node, False)))
            threads[0].start()

    there = train(tmp_path / "ray", backend, lose)
    threads[0].join()
    cluster.add_node(num_cpus=2)
    assert there == train(tmp_path / "threads", ThreadBackend())


def test_a_node_lost_in_asynchronous_training_loses_nothing(
    cluster, backend, tmp_path, monkeypatch
):
    iterations, threads = [], []

    def lose(metrics):
        iterations.append(metrics)
        if len(iterations) == 2:
            (crew,) = backend.crews
            node = machine_of(cluster, crew.links[0])
            threads.append(threading.Thread(target=cluster.remove_node, args=(node, False)))
            threads[0].start()

    train_counting(tmp_path / "run", backend, monkeypatch, lose)
    threads[0].join()
    cluster.add_node(num_cpus=2)


def test_the_example_trains_and_measures_on_the_cluster(cluster, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "cluster.py"))
    # The same lines on a smaller network and fewer positions.
    example["SETTINGS"] |= {
        "network.settings.filters": 8, "network.settings.blocks": 1, "selfplay.slots": 16,
        "selfplay.positions": 64, "replay.minimum": 32, "search.sims": 4,
        "learning.batch_size": 16,
    }  # fmt: skip
    example["main"](cluster.address, iterations=1, run="run")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("iteration 1: ")
    assert {line.partition("  ")[2].partition("?")[0] for line in lines[1:]} == {
        f"mcts:{tmp_path / 'run'}", "mcts:none", "random",
    }  # fmt: skip
