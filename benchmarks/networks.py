"""Measure positions per second of every kind of network and every shipped network.

    taskset -c 0 python benchmarks/networks.py [NAME...] [--seconds 1] [--batches 1 16 128] [--json]

Two paths are compared. The plain path is torch on the whole observation; the fast one is
`InferenceNetwork`, as agents and self-play use it. They take turns in one process on one core, and
the best of many short slices of processor time counts. Kinds have new, untrained weights, which
does not affect speed, and get positions of the game they were made for, after some random plies.

The last column is a learning step (forward, backward and optimiser on 256 positions), with the
share of a matrix product's operations/s that it reaches, counted as three forward passes.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch import nn

import stratagem.games
from stratagem.agents.kinds.random import RandomAgent
from stratagem.core.game import Game, Observer
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds, nth_seeds
from stratagem.evaluate.bench import opening_positions, step_randomly
from stratagem.nets.build import build_network
from stratagem.nets.device import mixed_precision
from stratagem.nets.inference import InferenceNetwork, Precision, choose_precision
from stratagem.nets.inference.runner import Array, TorchRunner
from stratagem.nets.inference.speed import alternate, count_operations, matrix_gflops
from stratagem.nets.layers.basic import count_parameters
from stratagem.nets.model_file import load_model, read_card
from stratagem.nets.output import num_values_for

POSITIONS = 512
PLIES = 12  # positions are up to so many random plies deep
CHUNK = 256  # of the plain path
LEARNED = 256  # positions of a learning step

# name: (game, kind, settings, encoding, its options)
KINDS: dict[str, tuple[str, str, dict[str, Any], str | None, dict[str, int]]] = {
    "cnn, 32 filters": ("battlefield", "cnn", {"filters": 32}, None, {}),
    "cnn, 64 filters": ("battlefield", "cnn", {}, None, {}),
    "cnn, 32 filters, pooling": (
        "battlefield", "cnn", {"filters": 32, "global_pooling": True}, None, {},
    ),
    "transformer": ("battlefield", "transformer", {}, None, {}),
    "transformer, action tokens": (
        "battlefield", "transformer", {"action_tokens": True}, "planes", {"actions": 1},
    ),
    "recall, 64 filters": ("hexwar", "recall", {}, None, {}),
    "recall, 32 filters, fields, focus": (
        "hexwar", "recall", {"filters": 32, "fields": 3, "focus": 4}, None, {},
    ),
    "recall, paper": ("hexwar", "recall", {"style": "paper", "filters": 256}, None, {}),
    "residual, paper": ("hexwar", "residual", {}, None, {}),
    "feedforward": ("catan", "feedforward", {}, None, {}),
    "gcn": ("catan", "gcn", {}, "thesis", {}),
    "rgcn": ("catan", "rgcn", {}, "thesis", {}),
    "graph": ("catan", "graph", {}, "graph", {}),
    "places": ("terra_mystica", "places", {}, "compact", {}),
    "doubled, 64 filters, 4 blocks": (
        "terra_mystica", "doubled", {"filters": 64, "blocks": 4}, "paper", {},
    ),
    "regions, duel8": ("hispania/duel8", "regions", {}, None, {}),
}  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """A network and positions to show it."""

    name: str
    module: nn.Module
    game: Game
    observer: Observer


def candidates(wanted: list[str]) -> Iterator[Candidate]:
    for name, (spec, kind, settings, encoding, options) in KINDS.items():
        if is_wanted(name, wanted):
            game = load_game(spec)
            observer = game.observer(encoding, options)
            torch.manual_seed(0)
            values = num_values_for(game.num_seats)
            module = build_network(kind, settings, observer.spec, game.actions, values)
            yield Candidate(name, module.eval(), game, observer)
    for card_file in sorted(Path(stratagem.games.__path__[0]).glob("*/best/*/model.json")):
        folder = card_file.parent
        name = f"best {folder.parts[-3]}/{folder.name}"
        if is_wanted(name, wanted):
            card = read_card(folder)
            game = load_game(card.game)
            observer = game.observer(card.encoding, card.encoding_options)
            yield Candidate(name, load_model(folder, game).module, game, observer)


def is_wanted(name: str, wanted: list[str]) -> bool:
    return not wanted or any(part in name for part in wanted)


def positions(game: Game, observer: Observer) -> Array:
    """What is seen in games that random players have begun."""
    agent, states = RandomAgent(game), opening_positions(game, POSITIONS, 1)
    seeds = derive_seeds(2, "benchmark", count=POSITIONS)
    for ply in range(PLIES):
        still = np.flatnonzero(np.arange(POSITIONS) % PLIES > ply)
        before = states[still]
        moved = before.copy()
        step_randomly(game, agent, moved, nth_seeds(seeds[still], np.full(len(still), ply)))
        usable = (moved["seat"] != OVER) & (moved["seat"] >= 0)
        states[still] = np.where(usable, moved, before)
    return observer(states)


def measure(candidate: Candidate, batches: list[int], seconds: float) -> dict[str, Any]:
    precision: Precision = choose_precision("auto")
    module, spec = candidate.module, candidate.observer.spec
    plain = TorchRunner(module, precision)
    fast = InferenceNetwork(module, spec, precision=precision)
    seen = positions(candidate.game, candidate.observer)
    row: dict[str, Any] = {
        "network": candidate.name,
        "parameters": count_parameters(module),
        "engine": fast.engine,
        "mflop": count_operations(module, np.ascontiguousarray(seen[:128])) / 1e6,
    }
    for batch in batches:
        shown = np.ascontiguousarray(np.resize(seen, (batch, spec.size)))
        parts = np.array_split(shown, -(-batch // CHUNK))
        before, after = alternate(
            [lambda p=parts: [plain(one, None) for one in p], lambda s=shown: fast(s)], seconds
        )
        row[f"plain_{batch}"], row[f"fast_{batch}"] = batch / before, batch / after
    # New weights are compiled when they are first used.
    renewed = alternate([lambda: (fast.refresh(module), fast(shown))], seconds)[0]
    row["refresh_s"] = renewed - after
    row["learned"] = learning_speed(candidate, seen, seconds)
    return row


def learning_speed(candidate: Candidate, seen: Array, seconds: float) -> float:
    """Positions a second of forward, backward and one step of the optimiser."""
    module = copy.deepcopy(candidate.module).train()
    optimiser = torch.optim.AdamW(module.parameters(), fused=True)
    batch = torch.from_numpy(np.ascontiguousarray(np.resize(seen, (LEARNED, seen.shape[1]))))
    mixed = choose_precision("auto") == "bfloat16"

    def step() -> None:
        with mixed_precision(mixed):
            output = module(batch)
        parts = [one.float().square().mean() for one in output if one is not None]
        torch.stack(parts).sum().backward()
        optimiser.step()
        optimiser.zero_grad()

    return LEARNED / alternate([step], seconds)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; none: all")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each comparison")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 16, 128])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    precision = choose_precision("auto")
    peak = matrix_gflops(precision, arguments.seconds)
    if not arguments.json:
        print(f"one core, {precision}; a matrix product reaches {peak:.0f} GFLOP/s")
        print("positions/s of the plain path and the fast one, by positions at a time; share of")
        print("that product's operations/s that the fast one reaches with the most of them")
    rows = []
    for candidate in candidates(arguments.names):
        row = measure(candidate, arguments.batches, arguments.seconds)
        last = arguments.batches[-1]
        row["gflops"] = row["mflop"] * row[f"fast_{last}"] / 1e3
        row["peak_share"] = row["gflops"] / peak
        row["learned_peak_share"] = 3 * row["mflop"] * row["learned"] / 1e3 / peak
        rows.append(row)
        if not arguments.json:
            print(as_line(row, arguments.batches), flush=True)
    if arguments.json:
        print(json.dumps({"precision": precision, "matrix_gflops": peak, "networks": rows}))


def as_line(row: dict[str, Any], batches: list[int]) -> str:
    cells = [f"{row['network']:34}{row['parameters']:>11,} {row['engine']:8}"]
    for batch in batches:
        before, after = row[f"plain_{batch}"], row[f"fast_{batch}"]
        cells.append(f"{before:>8,.0f} {after:>8,.0f} {after / before:5.2f}")
    cells.append(f"{row['peak_share']:5.2f} {1000 * row['refresh_s']:5.0f} ms")
    cells.append(f"{row['learned']:>8,.0f} {row['learned_peak_share']:5.2f}")
    return " | ".join(cells)


if __name__ == "__main__":
    main()
