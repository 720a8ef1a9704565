"""How fast a search runs with the network of each of a game's presets, on one core.

The weights are fresh, which changes nothing about speed. Presets of other algorithms, and those
whose network does not fit the scenario, are left out.
"""

from __future__ import annotations

import time

import numpy as np
import torch

from stratagem.agents.network import NetworkEvaluator
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seeds
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.output import num_values_for
from stratagem.search import Forest, SearchSettings
from stratagem.train.alphazero.settings import Settings
from stratagem.train.settings import resolve_settings

_TREES = 64  # searched side by side, as many as a thread of self-play has
_SIMS = 64  # before the trees start again


def measure_presets(game: Game, seconds: float) -> dict[str, float]:
    """Simulations per second by preset, each measured for about so long."""
    torch.set_num_threads(1)
    speeds = {}
    for file in sorted((game.rules.folder / "presets").glob("*.toml")):
        settings = resolve_settings(game.spec, game.rules.folder, file.stem)
        if isinstance(settings, Settings):
            try:
                evaluator = _evaluator(game, settings)
            except StratagemError:
                continue  # made for another scenario
            speeds[file.stem] = _sims_per_second(game, evaluator, seconds)
    return speeds


def _evaluator(game: Game, settings: Settings) -> NetworkEvaluator:
    network = settings.network
    observer = game.observer(network.encoding or None, network.encoding_options)
    torch.manual_seed(0)
    module = build_network(
        network.kind, network.settings, observer.spec, game.actions, num_values_for(game.num_seats)
    )
    precision = choose_precision(settings.selfplay.precision)
    inference = InferenceNetwork(module, observer.spec, precision=precision)
    return NetworkEvaluator(game, observer, inference)


def _sims_per_second(game: Game, evaluator: NetworkEvaluator, seconds: float) -> float:
    trees = np.arange(_TREES)
    forest = Forest(game, SearchSettings(sims=_SIMS), _TREES)
    seeds = derive_seeds(1, "preset speed", count=_TREES)

    def set_roots() -> None:
        forest.set_roots(trees, game.new_states(seeds), seeds, evaluator)
        forest.prepare_roots(trees, noise=False)
        forest.simulate(trees, evaluator)  # the first call compiles and packs

    set_roots()
    done, spent, rounds = 0, 0.0, 0
    while spent < seconds:
        if rounds == _SIMS:
            set_roots()
            rounds = 0
        started = time.perf_counter()
        forest.simulate(trees, evaluator)
        spent += time.perf_counter() - started
        done += _TREES
        rounds += 1
    return done / spent
