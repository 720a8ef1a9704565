"""Positions per second of each network through InferenceNetwork.

    python benchmarks/networks.py [--threads 2] [--json]

The input is Battlefield's default size (14 planes of 7x7, 81 actions); weights are random, which
changes nothing about speed. Prints the best of several repetitions: run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch

from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork, Precision
from stratagem.nets.layers.basic import count_parameters

BOARD = ObservationSlice("board", (14, 7, 7), "planes")
MOVES = ObservationSlice("moves", (81, 6), "actions")
BATCHES = (1, 16, 128, 512)
NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "cnn 32 filters": ("cnn", {"filters": 32}),
    "cnn 64 filters": ("cnn", {}),
    "cnn 32 filters, global pooling": ("cnn", {"filters": 32, "global_pooling": True}),
    "transformer": ("transformer", {}),
    "transformer, action tokens": ("transformer", {"action_tokens": True}),
}
PRECISIONS: tuple[Precision, ...] = ("float32", "bfloat16")


def positions_per_second(inference: InferenceNetwork, batch: int, repetitions: int) -> float:
    """The best of several timings of about 256 positions each."""
    generator = np.random.default_rng(0)
    observations = generator.random((batch, inference.observation.size), dtype=np.float32)
    calls = max(1, 256 // batch)
    inference(observations)
    best = float("inf")
    for _ in range(repetitions):
        started = time.perf_counter()
        for _ in range(calls):
            inference(observations)
        best = min(best, (time.perf_counter() - started) / calls)
    return batch / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rows = []
    for name, (kind, settings) in NETWORKS.items():
        parts = (BOARD, MOVES) if settings.get("action_tokens") else (BOARD,)
        observation = ObservationSpec(parts)
        network = build_network(kind, settings, observation, ActionSpec(81), 1)
        for precision in PRECISIONS:
            inference = InferenceNetwork(network, observation, precision=precision)
            speeds = {
                str(batch): round(positions_per_second(inference, batch, arguments.repetitions))
                for batch in BATCHES
            }
            parameters = count_parameters(network)
            rows.append(
                {"network": name, "parameters": parameters, "precision": precision, **speeds}
            )
            if not arguments.json:
                figures = " ".join(f"{speed:>8,}" for speed in speeds.values())
                print(f"{name:32}{parameters:>9,} {precision:9}{figures}", flush=True)
    if arguments.json:
        print(json.dumps({"threads": arguments.threads, "positions_per_s": rows}))


if __name__ == "__main__":
    main()
