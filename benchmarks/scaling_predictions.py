"""Compare the model of a cluster with every measurement, and predict larger clusters."""

from __future__ import annotations

import dataclasses
from typing import Any

from cluster_model import Cluster, Costs, simulate

# Assumed, not measured: there is no card and no second machine here.
BANDWIDTH = 1.25e9  # bytes per second: a network of 10 Gbit/s
CARD_LEARNS = 40.0  # times the cores of the machine that was measured
CARD_PLAYS = 30.0  # times one core
MACHINE_CORES = 16
LEARNER_SHARE = 0.6  # of a perfect speed-up, for a learner on all cores of such a machine
MACHINES = (1, 8, 64, 1024)
CARDS = ("none", "one, for the learner", "one in every machine")

Result = dict[str, Any]


def predict(found: Result, positions: int) -> Result:
    """From the measured costs; `positions` were those of each worker in an iteration."""
    costs = Costs(**found["costs"], message=found["workers"]["message_s"])
    learner = LEARNER_SHARE * MACHINE_CORES / found["machine"]["cores"]
    return {
        "checked": check(found, costs, positions),
        "assumed": {
            "bandwidth": BANDWIDTH,
            "card_learns": CARD_LEARNS,
            "card_plays": CARD_PLAYS,
            "machine_cores": MACHINE_CORES,
            "learner_share": LEARNER_SHARE,
        },
        "predictions": [
            row
            for machines in MACHINES
            for cards in CARDS
            for row in _predictions(costs, machines, cards, positions, learner)
        ],
        "experiment": _experiment(costs, positions),
    }


def check(found: Result, costs: Costs, positions: int) -> list[Result]:
    """Whole iterations as they were measured and as the model has them."""
    cores = found["machine"]["cores"]
    points = {**found["training"], **found.get("cluster", {})}
    rows = []
    for name, point in points.items():
        asynchronous = name.endswith("-asynchronous")
        workers = int(name.split("-")[1]) - asynchronous
        own = dataclasses.replace(costs, message=point.get("message_s", costs.message))
        here = Cluster(1, workers, cores)
        if asynchronous:  # the learner has one core, and the workers never have all to themselves
            own = dataclasses.replace(own, decision=own.decision_busy)
            here = dataclasses.replace(here, learner_speed=1 / cores)
        speed = simulate(own, here, positions * workers, asynchronous)
        measured = point["decisions"] / point["seconds"]
        rows.append(
            {
                "point": name,
                "measured": round(measured, 1),
                "model": round(speed.decisions_per_s, 1),
                "error": round(speed.decisions_per_s / measured - 1, 4),
            }
        )
    return rows


def _predictions(
    costs: Costs, machines: int, cards: str, positions: int, learner: float
) -> list[Result]:
    """Both modes; the positions of an iteration grow with the workers."""
    cluster = Cluster(
        machines, MACHINE_CORES, MACHINE_CORES, BANDWIDTH,
        learner_speed=learner if cards == CARDS[0] else CARD_LEARNS,
        player_speed=max(1.0, CARD_PLAYS / MACHINE_CORES) if cards == CARDS[2] else 1.0,
    )  # fmt: skip
    rows = []
    for mode in ("sequential", "asynchronous"):
        speed = simulate(
            costs, cluster, positions // 4 * cluster.all_workers, mode == "asynchronous", 8
        )
        rows.append(
            {
                "machines": machines,
                "cards": cards,
                "mode": mode,
                "decisions_per_s": round(speed.decisions_per_s),
                "efficiency": round(speed.efficiency, 4),
                "bottleneck": speed.bottleneck,
            }
        )
    return rows


def _experiment(costs: Costs, positions: int) -> list[Result]:
    """Arms and seeds of an experiment: independent runs of one core each, a message apart."""
    alone = Cluster(1, 1, 1)
    iteration = positions / simulate(costs, alone, positions, False).decisions_per_s
    run = 100 * iteration  # seconds of a run of a hundred iterations
    return [
        {
            "machines": machines,
            "runs": machines * MACHINE_CORES,
            "efficiency": round(run / (run + machines * MACHINE_CORES * costs.message), 4),
        }
        for machines in MACHINES
    ]
