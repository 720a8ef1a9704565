"""Ray: the same results as here, on several nodes, one of which goes away in the middle."""

import os
import runpy
import sys
import threading
from pathlib import Path

import pytest

ray = pytest.importorskip("ray", reason="Ray is the extra `cluster`: pip install '.[cluster]'")
import yaml  # noqa: E402
from ray.autoscaler._private.util import prepare_config, validate_config  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from backend.counting import Counter, Refusing, fail_at_two, slow_square, square_once_killed  # noqa: E402
from backend.test_asynchronous import train_counting  # noqa: E402
from backend.test_one_truth import train  # noqa: E402
from experiments.kinds.test_repeats_league import TRAINING  # noqa: E402
from stratagem.agents import make_agent  # noqa: E402
from stratagem.backend import ThreadBackend  # noqa: E402
from stratagem.backend.ray import RayBackend  # noqa: E402
from stratagem.core.errors import BadSetting  # noqa: E402
from stratagem.core.registry import load_game  # noqa: E402
from stratagem.evaluate.matches import play_match, spread_match  # noqa: E402
from stratagem.experiments import files as experiment_files  # noqa: E402
from stratagem.experiments import run_experiment  # noqa: E402
from stratagem.runs.folder import RunFolder  # noqa: E402
from train.alphazero import tiny as alphazero  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray's own warnings


@pytest.fixture(scope="module")
def cluster():
    """A head without cores for work, and three nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # nodes import the tests' workers
        patch.setenv("RAY_worker_niceness", "0")  # else other work on the machine comes first
        cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}
        )
        for _ in range(3):
            cluster.add_node(num_cpus=2)
    yield cluster
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


def some_machine(cluster, crew):
    """A node with a worker on it that is not the driver's own: that one cannot be removed."""
    own = ray.get_runtime_context().get_node_id()
    return next(
        node for node in (machine_of(cluster, link) for link in crew.links) if node.node_id != own
    )


def test_an_address_where_nobody_is_is_refused_at_once():
    with pytest.raises(BadSetting, match="ray start --head"):
        RayBackend("127.0.0.1:9")


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


def test_workers_spread_over_the_nodes_and_leave_room_for_tasks(cluster, backend):
    cores = backend.cores
    crew = backend.start_workers(Counter, list(range(cores + 1)))  # one more than there are cores
    homes = {machine_of(cluster, link).node_id for link in crew.links}
    assert {node.node_id for node in cluster.worker_nodes} <= homes
    assert backend.map(slow_square, [1, 2, 3]) == [1, 4, 9]  # nobody waits for a free core
    assert crew.call("add", [(1,)] * (cores + 1)) == list(range(1, cores + 2))


def test_a_node_lost_in_a_call_costs_nothing(cluster, backend):
    crew = backend.start_workers(Counter, [1, 10, 100])
    assert crew.call("add", [(1,)] * 3) == [2, 11, 101]
    node = some_machine(cluster, crew)
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
            node = some_machine(cluster, crew)
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
            node = some_machine(cluster, crew)
            threads.append(threading.Thread(target=cluster.remove_node, args=(node, False)))
            threads[0].start()

    train_counting(tmp_path / "run", backend, monkeypatch, lose)
    threads[0].join()
    cluster.add_node(num_cpus=2)


def test_an_experiment_gives_the_same_numbers_as_here(backend, tmp_path, monkeypatch):
    """Two arms, two seeds: four runs on the cluster, and four here."""
    file = tmp_path / "small.toml"
    file.write_text(TRAINING)
    monkeypatch.setattr(experiment_files, "experiment_files", lambda: {"catan/small": file})
    monkeypatch.chdir(tmp_path)  # relative folders mean the same on every node
    found = {}
    for name, where in (("here", ThreadBackend()), ("there", backend)):
        found[name] = run_experiment("catan/small", 600.0, Path(name), 5, backend=where)
        for arm in found[name]["arms"]:
            assert arm.pop("runs") == 2 and arm.pop("unfinished") == 0
            del arm["seconds"]
    assert found["here"]["arms"] == found["there"]["arms"]
    assert found["here"]["curves"] == found["there"]["curves"]
    networks = [
        {
            str(one.relative_to(name)): one.read_bytes()
            for one in Path(name).rglob("model.safetensors")
        }
        for name in found
    ]
    assert len(networks[0]) == 8 and networks[0] == networks[1]


def test_a_match_gives_the_same_games_as_here(backend):
    game, specs = load_game("connect_four"), ["random", "mcts:none?sims=4"]
    agents = [make_agent(spec, game) for spec in specs]
    there = spread_match(game, specs, 100, 3, backend)
    assert there.outcomes == play_match(game, agents, 100, 3).outcomes


def test_the_driver_resumes_from_the_run_folder(backend, tmp_path):
    alphazero.start_run(tmp_path / "whole").run()
    alphazero.start_run(tmp_path / "parts", backend)._iterate()
    for crew in list(backend.crews):
        crew.close()  # as if the driver had died with its actors
    alphazero.take_up(tmp_path / "parts", backend).run()
    assert alphazero.outcome(tmp_path / "whole") == alphazero.outcome(tmp_path / "parts")


def test_the_example_runs(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = runpy.run_path(str(EXAMPLES / "cluster.py"))
    assert example["main"](cluster.address, iterations=2) > 0.5
    assert len(RunFolder.open(tmp_path / example["RUN"]).metrics()) == 2


def test_ray_takes_the_example_of_a_cluster_file():
    values = yaml.safe_load((EXAMPLES / "cluster.yaml").read_text())
    validate_config(prepare_config(values))
