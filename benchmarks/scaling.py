"""How training scales: measured here, then predicted for clusters by `cluster_model.py`.

    python benchmarks/scaling.py rates training cluster predict [--out results/scaling.json]

Each word is a part that adds its measurements to the file; `predict` adds what follows from all of
them. The parts use Battlefield's default network and search, with 64 games in parallel per worker.
The configurations take turns and medians are kept. Run it on a quiet machine. The part `cluster`
needs the extra `cluster`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from scaling_predictions import predict

from stratagem.backend import Backend, ThreadBackend
from stratagem.backend.cores import available_cores
from stratagem.backend.processes import ProcessBackend
from stratagem.core.registry import load_game
from stratagem.runs.folder import RunFolder
from stratagem.runs.provenance import find_checkout
from stratagem.train.alphazero.collect import Collected, Collector
from stratagem.train.alphazero.learner import Learner
from stratagem.train.alphazero.replay import Replay, join, save_samples
from stratagem.train.alphazero.settings import Settings
from stratagem.train.alphazero.trainer import Trainer
from stratagem.train.named_tensors import named_arrays
from stratagem.train.settings import resolve_settings

GAME = "battlefield"
SLOTS, POSITIONS = 64, 1024  # of each worker
REPEATS = 5
ITERATIONS = 4  # of a training; the first one is not counted
NODES = (1, 2, 3, 4)

Result = dict[str, Any]


def settings_for(workers: int, mode: str = "sequential") -> Settings:
    """The workload for so many workers; in asynchronous mode a core more is for the learner."""
    playing = workers - (mode == "asynchronous")
    changes = [
        f"mode={mode}", f"iterations={ITERATIONS}", "anchors.times=0",
        f"selfplay.workers={workers}", f"selfplay.slots={SLOTS * playing}",
        f"selfplay.positions={POSITIONS * playing}", "selfplay.first_sims_share=1.0",
        f"replay.minimum={POSITIONS}",
    ]  # fmt: skip
    settings = resolve_settings(GAME, load_game(GAME).rules.folder, overrides=changes)
    assert isinstance(settings, Settings)
    return settings


class Contestant:
    """Workers of one backend that play when it is their turn."""

    def __init__(self, backend: Backend, workers: int, positions: int = POSITIONS) -> None:
        settings = settings_for(workers)
        wanted = settings.selfplay.model_copy(update={"positions": positions * workers})
        self._sims = settings.search.sims
        self._collector = Collector(settings.model_copy(update={"selfplay": wanted}), backend)
        learner = Learner([load_game(GAME)], settings.network, settings.learning, 1)
        self.weights = named_arrays(learner.playing)
        self.turns: list[Collected] = []
        self.play()  # compiles, and fills the slots with games
        self.turns.clear()

    def play(self) -> Collected:
        number = len(self.turns) + 1
        self.turns.append(self._collector.self_play(self.weights, number, self._sims))
        return self.turns[-1]

    @property
    def seconds(self) -> float:
        """Of a turn."""
        return statistics.median(turn.seconds for turn in self.turns)

    @property
    def decisions(self) -> float:
        """Of a turn."""
        return statistics.median(turn.result.decisions for turn in self.turns)

    @property
    def summary(self) -> Result:
        rates = [turn.result.decisions / turn.seconds for turn in self.turns]
        return {
            "decisions_per_s": round(statistics.median(rates), 1),
            "all": [round(rate, 1) for rate in rates],
        }


def measure_rates() -> Result:
    """Self-play alone: threads and processes in turns, on one core and on all."""
    cores = available_cores()
    processes = {n: ProcessBackend() for n in (1, cores)}
    players = {f"threads-{n}": Contestant(ThreadBackend(), n) for n in (1, cores)}
    players |= {f"processes-{n}": Contestant(processes[n], n) for n in (1, cores)}
    players["short"] = Contestant(ThreadBackend(), 1, POSITIONS // 8)
    for _ in range(REPEATS):
        for player in players.values():
            player.play()
    (crew,) = processes[cores].crews
    workers = {
        "memory_mb": [round(_memory_mb(link.pid)) for link in crew.links],
        "replaced_in_s": round(_replacement_seconds(crew), 2),
        "message_s": _message_seconds(crew),
    }
    costs = _player_costs(players)
    for backend in processes.values():
        backend.close()
    del players["short"]
    found = {name: player.summary for name, player in players.items()}
    return {"rates": found, "workers": workers, "costs": costs}


def _player_costs(players: Mapping[str, Contestant]) -> Result:
    """What a worker's time is made of: a long and a short call, and all cores at once."""
    cores = available_cores()
    long, short, full = (players[name] for name in ("threads-1", "short", f"threads-{cores}"))
    decision = (long.seconds - short.seconds) / (long.decisions - short.decisions)
    seconds = [1 / rate for rate in long.summary["all"]]
    samples = join([turn.result.samples for turn in long.turns])
    return {
        "call": max(short.seconds - short.decisions * decision, 0.0),
        "decision": decision,
        "decision_busy": decision
        * full.seconds
        / long.seconds
        * cores
        * long.decisions
        / full.decisions,
        "spread": statistics.stdev(seconds) / statistics.mean(seconds),
        "weights_bytes": sum(array.nbytes for array in long.weights.values()),
        "decision_bytes": samples.nbytes / len(samples),
    }


def _memory_mb(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in text.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


def _replacement_seconds(crew: Any) -> float:
    """From SIGKILL to the successor's first answer."""
    began = time.perf_counter()
    os.kill(crew.links[0].pid, signal.SIGKILL)
    crew.submit(0, "export", crew.prepare()).result()
    return time.perf_counter() - began


def _message_seconds(crew: Any) -> float:
    """There and back, with next to nothing to carry."""
    return _median(lambda: crew.submit(0, "export", crew.prepare()).result())


def _median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def measure_training() -> Result:
    """Whole iterations, and what the driver and the learner cost in them."""
    cores = available_cores()
    points = {}
    for name, make, workers, mode in (
        ("threads-1", ThreadBackend, 1, "sequential"),
        (f"threads-{cores}", ThreadBackend, cores, "sequential"),
        (f"processes-{cores}", ProcessBackend, cores, "sequential"),
        (f"processes-{cores}-asynchronous", ProcessBackend, cores, "asynchronous"),
    ):
        with closing(make()) as backend:
            points[name] = train(settings_for(workers, mode), backend)
    both = points[f"threads-{cores}"]
    take = _take_seconds()
    learn = both["train_seconds"] / both["decisions"]
    other = both["seconds"] - both["play_seconds"] - both["train_seconds"]
    costs = {"learn": learn, "take": take, "iteration": other - take * both["decisions"]}
    return {"training": points, "costs": costs}


def train(settings: Settings, backend: Backend) -> Result:
    """Medians over the iterations of a short run, without the first."""
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder.create(Path(folder) / "run", settings)
        Trainer(settings, run, backend).run()
        rows = run.metrics()
    pairs = list(zip(rows[1:], rows[:-1], strict=True))
    return {
        "seconds": statistics.median(now.seconds - before.seconds for now, before in pairs),
        "decisions": statistics.median(now.decisions - before.decisions for now, before in pairs),
        "play_seconds": statistics.median(now.play_seconds for now, _ in pairs),
        "train_seconds": statistics.median(now.train_seconds for now, _ in pairs),
    }


def _take_seconds() -> float:
    """Of the driver for each decision: join, remember, write to disk."""
    player = Contestant(ThreadBackend(), 1)
    samples = join([player.play().result.samples for _ in range(REPEATS)])
    replay, numbers = Replay([load_game(GAME)]), iter(range(1000))
    with tempfile.TemporaryDirectory() as folder:

        def take() -> None:
            together = join([samples])
            replay.add(next(numbers), together)
            save_samples(together, Path(folder) / "segment")

        return _median(take) / len(samples)


def measure_cluster() -> Result:
    """Self-play and training on Ray nodes of one core each; more nodes than cores share them."""
    from ray.cluster_utils import Cluster as RayCluster

    from stratagem.backend.ray import RayBackend

    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # for the nodes
    cluster = RayCluster(initialize_head=True, head_node_args={"num_cpus": 0})
    points: Result = {}
    for nodes in NODES:
        cluster.add_node(num_cpus=1)
        with closing(RayBackend(cluster.address)) as backend:
            player = Contestant(backend, nodes)
            for _ in range(3):
                player.play()
            (crew,) = backend.crews
            message = _message_seconds(crew)
            crew.close()
            trained = train(settings_for(nodes), backend)
        points[f"ray-{nodes}"] = player.summary | trained | {"message_s": message}
    cluster.shutdown()
    return {"cluster": points}


PARTS = {"rates": measure_rates, "training": measure_training, "cluster": measure_cluster}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", choices=[*PARTS, "predict"])
    parser.add_argument("--out", type=Path, default=Path("results") / "scaling.json")
    arguments = parser.parse_args()
    found: Result = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    for part in arguments.parts:
        began = time.time()
        new = predict(found, POSITIONS) if part == "predict" else PARTS[part]()
        costs = {**found.get("costs", {}), **new.get("costs", {})}
        found |= new | {"costs": costs}
        found["machine"] = {"cores": available_cores(), "processor": platform.machine()}
        found.setdefault("commits", {})[part] = str(find_checkout((str(arguments.out),)))
        arguments.out.write_text(json.dumps(found, indent=2) + "\n")
        print(f"{part}: {time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
