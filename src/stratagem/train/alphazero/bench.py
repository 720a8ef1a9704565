"""Measures the speed of self-play with a network, and the share of time outside the network.

The network has fresh weights. For games with an encoding in planes it is the Battlefield paper's
CNN (64 filters, 3 blocks) with 32 simulations. For other games, the network, the search, the number
of parallel games and the threads are those of the default preset.

Searches are also measured on one core with the network of each of a game's presets, except presets
of other algorithms and those whose network does not fit the scenario.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from stratagem.agents.network import NetworkEvaluator
from stratagem.backend import ThreadBackend
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game, Observer
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.evaluate.bench import opening_positions
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.inference.speed import NetworkSpeed, measure_network
from stratagem.search import Forest, SearchSettings, UniformEvaluator
from stratagem.train.alphazero.replay import Samples
from stratagem.train.alphazero.results import SelfPlayResult
from stratagem.train.alphazero.scenarios import ScenarioNetworks
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import (
    SelfPlaySection,
    Settings,
    ShapingSection,
)
from stratagem.train.sections import Network
from stratagem.train.settings import resolve_settings

_SIMS = 32
_FEW = 4  # games played to the end only to measure the size of their positions
_NETWORK = {"filters": 64, "blocks": 3}
_TREES = 64  # searched in parallel with a preset's network, as in a self-play thread
_BATCH = 128  # positions per batch when measuring the network alone
_PRESET_SIMS = 64  # simulations before those trees start again


@dataclass(frozen=True)
class SelfPlaySpeed:
    """Rates of all threads together."""

    network: str  # kind and precision
    sims_per_s: float
    positions_per_s: float
    outside_network_share: float  # share of the threads' playing time, 0 to 1
    replay_bytes_per_position: float


def measure_self_play(
    game: Game, positions: int = 2048, slots: int | None = None, seconds: float = 6.0
) -> SelfPlaySpeed:
    """Play about `positions` decisions, after a warm-up round.

    If decisions are slow, play only as many as fit into the time, but at least one per slot.
    """
    settings = _settings_of(game)
    slots = slots or settings.selfplay.slots
    workers = min(settings.selfplay.workers, slots)
    spec = (settings.model_dump(mode="json"), slots // workers)
    crew = ThreadBackend().start_workers(BenchWorker, [spec] * workers)

    def round_of(decisions: int) -> list[Played]:
        return crew.call("play", [(number, decisions // workers) for number in range(workers)])

    began = time.perf_counter()
    round_of(slots)
    affordable = int(slots * seconds / (time.perf_counter() - began))
    if affordable > slots:  # by then, trees kept from move to move have the room they need
        round_of(min(3 * slots, affordable))
    began = time.perf_counter()
    played = round_of(max(min(positions, affordable), slots))
    spent = time.perf_counter() - began
    # Use each thread's own time: a short measurement ends with one waiting for the other.
    inside = sum(one.network_seconds for one in played) / sum(one.seconds for one in played)
    precision = choose_precision(settings.selfplay.precision)
    return SelfPlaySpeed(
        network=f"{settings.network.kind}, {precision}",
        sims_per_s=sum(one.result.sims for one in played) / spent,
        positions_per_s=sum(one.result.decisions for one in played) / spent,
        outside_network_share=max(0.0, 1.0 - inside),
        replay_bytes_per_position=_bytes_per_position(game, played[0].result.samples),
    )


@dataclass(frozen=True)
class Played:
    """What one worker played, and how long it took."""

    result: SelfPlayResult
    seconds: float
    network_seconds: float


class BenchWorker:
    """A group of slots with a network of fresh weights."""

    def __init__(self, spec: tuple[dict[str, Any], int]) -> None:
        """`spec`: the settings as data, and the number of slots."""
        values, slots = spec
        settings = Settings.model_validate(values)
        game = load_game(settings.game)
        self._evaluator = _fresh_evaluator(game, settings)
        self._sims = settings.search.sims
        self._group = SelfPlay(
            game, settings.selfplay, settings.full_search, settings.shaping, slots
        )

    def play(self, number: int, decisions: int) -> Played:
        """Play about this many decisions."""
        torch.set_num_threads(1)
        generator = derive_generator(1, "bench", number, decisions)
        began, inside = time.perf_counter(), self._evaluator.seconds
        result = self._group.play(decisions, self._evaluator, generator, self._sims)
        return Played(result, time.perf_counter() - began, self._evaluator.seconds - inside)


def measure_self_play_network(game: Game, seconds: float) -> NetworkSpeed:
    """Measure the self-play network alone on one core, on opening positions."""
    module, observer, network = _fresh_network(game, _settings_of(game))
    seen = observer(opening_positions(game, _BATCH, 1))
    return measure_network(module, network, seen, seconds)


def _fresh_evaluator(game: Game, settings: Settings) -> NetworkEvaluator:
    _, observer, network = _fresh_network(game, settings)
    return NetworkEvaluator(game, observer, network)


def _fresh_network(game: Game, settings: Settings) -> tuple[nn.Module, Observer, InferenceNetwork]:
    """Build the network with fresh weights, which do not affect speed."""
    networks = ScenarioNetworks([game], settings.network)
    observer = networks.observers[0]
    torch.manual_seed(0)
    module, play = networks.build().eval(), settings.selfplay
    network = InferenceNetwork(
        module, observer.spec, precision=choose_precision(play.precision), engine=play.engine
    )
    return module, observer, network


def _settings_of(game: Game) -> Settings:
    """Return the settings of the self-play to be measured."""
    network = Network(kind="cnn", settings=_NETWORK)
    if game.observer().spec.of_kind("planes") is None:
        preset = resolve_settings(game.spec, game.rules.folder)
        if isinstance(preset, Settings):
            return preset
        # Networks of other algorithms can be searched too.
        other = getattr(preset, "network", None)
        network = Network() if other is None else Network(**other.model_dump())
    return Settings(
        game=game.spec,
        network=network,
        search=SearchSettings(sims=_SIMS),
        selfplay=SelfPlaySection(precision="float32"),
    )


def _bytes_per_position(game: Game, samples: Samples) -> float:
    """Measure finished games; if none has ended yet, play a few without the network."""
    generator = derive_generator(1, "bench", "finish")
    search = SearchSettings(sims=_SIMS)
    group = SelfPlay(game, SelfPlaySection(slots=_FEW), search, ShapingSection(), _FEW)
    while not len(samples):
        samples = group.play(_FEW, UniformEvaluator(game), generator, _SIMS).samples
    return samples.nbytes / len(samples)


def measure_presets(game: Game, seconds: float) -> dict[str, float]:
    """Return simulations per second by preset, each measured for about this many seconds."""
    torch.set_num_threads(1)
    speeds = {}
    for file in sorted((game.rules.folder / "presets").glob("*.toml")):
        settings = resolve_settings(game.spec, game.rules.folder, file.stem)
        if isinstance(settings, Settings):
            try:
                evaluator = _fresh_evaluator(game, settings)
            except StratagemError:
                continue  # for another scenario
            speeds[file.stem] = _sims_per_second(game, evaluator, seconds)
    return speeds


def _sims_per_second(game: Game, evaluator: NetworkEvaluator, seconds: float) -> float:
    trees = np.arange(_TREES)
    forest = Forest(game, SearchSettings(sims=_PRESET_SIMS), _TREES)
    seeds = derive_seeds(1, "preset speed", count=_TREES)

    def set_roots() -> None:
        forest.set_roots(trees, game.new_states(seeds), seeds, evaluator)
        forest.prepare_roots(trees, noise=False)
        forest.simulate(trees, evaluator)  # the first call compiles and packs

    set_roots()
    done, spent, rounds = 0, 0.0, 0
    while spent < seconds:
        if rounds == _PRESET_SIMS:
            set_roots()
            rounds = 0
        started = time.perf_counter()
        forest.simulate(trees, evaluator)
        spent += time.perf_counter() - started
        done += _TREES
        rounds += 1
    return done / spent
