"""Train Battlefield on a Ray cluster of three nodes that loses one of them halfway.

    python benchmarks/cluster_training.py [--iterations 10]

Trains the same run twice: on the cluster, where a node is removed after half of the iterations, and
in threads. Prints how the network plays against random before and after, and whether the two runs
are identical, bit for bit. If they are, nothing was lost and nothing was counted twice.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from stratagem.agents import make_agent
from stratagem.backend import Backend, ThreadBackend
from stratagem.backend.ray import RayBackend
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import IterationMetrics
from stratagem.train.alphazero.trainer import Trainer
from stratagem.train.settings import resolve_settings

GAME = "battlefield"
CHANGES = (
    "search.sims=32", "selfplay.workers=3", "selfplay.slots=192", "selfplay.positions=2048",
    "selfplay.first_sims_share=1.0", "replay.minimum=2048", "learning.replay_ratio=4.0",
    "anchors.times=0",
)  # fmt: skip


def train(path: Path, iterations: int, backend: Backend, on_iteration: Any = None) -> RunFolder:
    """The run of this benchmark, on some backend."""
    changes = [*CHANGES, f"iterations={iterations}"]
    settings = resolve_settings(GAME, load_game(GAME).rules.folder, overrides=changes)
    folder = RunFolder.create(path, settings)
    Trainer(settings, folder, backend, on_iteration).run()  # type: ignore[arg-type]
    return folder


def score(run: RunFolder, kind: str, share: str) -> float:
    """Against random, in 200 games."""
    game = load_game(GAME)
    agents = [make_agent(spec, game) for spec in (f"{kind}:{run.path}@{share}", "random")]
    return play_match(game, agents, 200, 1).agents[0].tally.score


def networks(run: RunFolder) -> dict[str, str]:
    """Hashes of all networks of a run."""
    return {
        file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(run.path.rglob("model.safetensors"))
    }


def home_of(actor: Any) -> Any:
    """The node that an actor is on."""
    return ray.get(
        actor.__ray_call__.remote(lambda worker: ray.get_runtime_context().get_node_id())
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=None)
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp())
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # for the nodes
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 (its own name; like other work here)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=2) for _ in range(3)]
    lost: list[threading.Thread] = []
    with closing(RayBackend(cluster.address)) as backend:

        def lose(metrics: IterationMetrics) -> None:
            if metrics.iteration == arguments.iterations // 2:
                (crew,) = backend.crews
                homes = [home_of(link.actor) for link in crew.links]  # type: ignore[attr-defined]
                own = ray.get_runtime_context().get_node_id()  # the driver needs its node
                node = next(one for one in nodes if one.node_id in homes and one.node_id != own)
                lost.append(threading.Thread(target=cluster.remove_node, args=(node, False)))
                lost[0].start()  # goes while the next iteration is played

        began = time.perf_counter()
        there = train(folder / "ray", arguments.iterations, backend, lose)
        seconds = time.perf_counter() - began
    lost[0].join()
    cluster.shutdown()
    here = train(folder / "threads", arguments.iterations, ThreadBackend())
    last = there.metrics()[-1]
    print(
        json.dumps(
            {
                "iterations": last.iteration,
                "seconds": round(seconds, 1),
                "games": last.games,
                "decisions": last.decisions,
                "same_games_as_threads": last.games == here.metrics()[-1].games,
                "same_networks_as_threads": networks(there) == networks(here),
                "first_network_against_random": score(there, "policy", "0%"),
                "last_network_against_random": score(there, "policy", "100%"),
                "last_network_with_search": score(there, "mcts", "100%"),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
