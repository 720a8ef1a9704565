"""A model of training on many machines: who waits for whom, event by event.

Workers play, a driver sends out weights and collects games, a learner takes gradient steps. `Costs`
holds what each of these costs, as measured by `scaling.py`; `Cluster` holds the assumptions about
the machines. `simulate` runs iterations as a queue of events and returns the decisions per second.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Costs:
    """Seconds and bytes of one workload, on this machine."""

    call: float  # of a worker, each time it is asked to play
    decision: float  # of a worker on a core of its own
    decision_busy: float  # of a worker when every core has one
    spread: float  # standard deviation of a worker's time, as a share of it
    learn: float  # of the learner, for each new decision
    take: float  # of the driver, for each decision that comes in
    iteration: float  # of the driver: checkpoint, metrics
    message: float  # of a call without data, there and back
    weights_bytes: int
    decision_bytes: float


@dataclass(frozen=True)
class Cluster:
    """Machines and what connects them. A card makes learning or playing faster by a factor."""

    machines: int
    workers: int  # on each
    cores: int  # on each, for those workers
    bandwidth: float = math.inf  # bytes per second of one machine
    learner_speed: float = 1.0
    player_speed: float = 1.0

    @property
    def all_workers(self) -> int:
        return self.machines * self.workers

    def decision_seconds(self, costs: Costs) -> float:
        """Of one worker beside its neighbours."""
        one = costs.decision if self.workers == 1 < self.cores else costs.decision_busy
        return one * max(1.0, self.workers / self.cores) / self.player_speed

    def broadcast_seconds(self, costs: Costs) -> float:
        """Until all machines have the weights: whoever has them passes them on."""
        hops = math.ceil(math.log2(self.machines + 1))
        return costs.message + hops * costs.weights_bytes / self.bandwidth


@dataclass(frozen=True)
class Speed:
    """What a simulated training reaches."""

    decisions_per_s: float
    efficiency: float  # of the workers: 1 would be no waiting at all
    bottleneck: str  # what was busy for the largest share of the time
    busy: dict[str, float]  # shares of the time


def simulate(
    costs: Costs, cluster: Cluster, positions: int, asynchronous: bool, iterations: int = 20
) -> Speed:
    """Some iterations of so many decisions each."""
    generator = np.random.default_rng(1)
    run = _asynchronous if asynchronous else _sequential
    seconds, decisions, busy = run(costs, cluster, positions, iterations, generator)
    ideal = cluster.all_workers / cluster.decision_seconds(costs)
    shares = {name: value / seconds for name, value in busy.items()}
    slowest = max(shares, key=lambda name: shares[name])
    return Speed(decisions / seconds, decisions / seconds / ideal, slowest, shares)


def _play_seconds(
    costs: Costs, cluster: Cluster, decisions: float, count: int, generator: np.random.Generator
) -> np.ndarray:
    """[count] times of workers that play so many decisions each."""
    mean = costs.call / cluster.player_speed + decisions * cluster.decision_seconds(costs)
    return np.maximum(mean * (1 + costs.spread * generator.standard_normal(count)), 0.1 * mean)


def _arrival(costs: Costs, cluster: Cluster, decisions: float) -> float:
    """Seconds that the driver is busy with a worker's decisions: its network and its hands."""
    return decisions * (costs.take + costs.decision_bytes / cluster.bandwidth)


def _sequential(
    costs: Costs, cluster: Cluster, positions: int, iterations: int, generator: np.random.Generator
) -> tuple[float, float, dict[str, float]]:
    """Broadcast, play, take in, learn, save: one after another."""
    workers = cluster.all_workers
    each = math.ceil(positions / workers)
    arrival = _arrival(costs, cluster, each)
    seconds = playing = 0.0
    for _ in range(iterations):
        times = _play_seconds(costs, cluster, each, workers, generator)
        playing += float(times.mean())
        done = 0.0  # when the driver has taken in what came first
        for time in np.sort(times):
            done = max(done, float(time)) + arrival
        seconds += cluster.broadcast_seconds(costs) + done + costs.iteration
        seconds += workers * each * costs.learn / cluster.learner_speed
    total = iterations * workers * each
    return (
        seconds,
        total,
        {
            "inference": playing,
            "weights": iterations * cluster.broadcast_seconds(costs),
            "learner": total * costs.learn / cluster.learner_speed,
            "driver": total * arrival / each + iterations * costs.iteration,
        },
    )


def _asynchronous(
    costs: Costs, cluster: Cluster, positions: int, iterations: int, generator: np.random.Generator
) -> tuple[float, float, dict[str, float]]:
    """Workers play rounds on and on; two that nobody has taken make a worker wait.

    Two rounds are a worker's share of an iteration. An iteration ends when its decisions have been
    taken in and the learner is through with those of the one before.
    """
    workers, waiting_most = cluster.all_workers, 2
    each = math.ceil(positions / workers / 2)
    arrival = _arrival(costs, cluster, each)
    learn = positions * costs.learn / cluster.learner_speed
    weights = cluster.broadcast_seconds(costs)
    draw = iter(_play_seconds(costs, cluster, each, 8 * workers * iterations, generator))
    playing = [(float(next(draw)), worker) for worker in range(workers)]
    heapq.heapify(playing)
    waiting: list[int] = []  # finished rounds in the order of their ends, by worker
    untaken = [0] * workers
    now, begun, ends, taken, inside = 0.0, 0.0, [], 0.0, 0.0
    while len(ends) < iterations:
        # The driver takes one round, or waits for the next to end.
        while playing and playing[0][0] <= now:
            end, worker = heapq.heappop(playing)
            inside += each * cluster.decision_seconds(costs) / workers
            untaken[worker] += 1
            waiting.append(worker)
            if untaken[worker] < waiting_most:
                heapq.heappush(playing, (end + float(next(draw)), worker))
        if not waiting:
            now = playing[0][0]
            continue
        worker = waiting.pop(0)
        now += arrival
        taken += each
        if untaken[worker] == waiting_most:  # it has waited
            heapq.heappush(playing, (now + float(next(draw)), worker))
        untaken[worker] -= 1
        if taken >= positions * (len(ends) + 1):
            now = max(now, begun + (learn if ends else 0.0)) + costs.iteration + weights
            begun = now
            ends.append(now)
    return (
        now,
        taken,
        {
            "inference": inside,
            "weights": iterations * weights,
            "learner": (iterations - 1) * learn,
            "driver": taken * arrival / each + iterations * costs.iteration,
        },
    )
