"""How fast self-play runs with a network, and how much of it is spent outside the network.

The network has fresh weights. For a game that shows itself in planes it is the Battlefield paper's
CNN (64 filters, 3 blocks) with 32 simulations, the same for all of them. For any other game the
network, the search, the games side by side and the threads are those of its default preset.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch

from stratagem.agents.network import NetworkEvaluator
from stratagem.backend import LocalBackend
from stratagem.core.game import Game
from stratagem.core.seeding import derive_generator
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.output import num_values_for
from stratagem.search import SearchSettings, UniformEvaluator
from stratagem.train.alphazero.replay import Samples
from stratagem.train.alphazero.selfplay import Harvest, SelfPlay
from stratagem.train.alphazero.settings import (
    SelfPlaySection,
    Settings,
    ShapingSection,
)
from stratagem.train.sections import Network
from stratagem.train.settings import resolve_settings

_SIMS = 32
_FEW = 4  # games played to their end only to weigh their positions
_NETWORK = {"filters": 64, "blocks": 3}


@dataclass(frozen=True)
class SelfPlaySpeed:
    """Rates of all threads together."""

    network: str  # kind and precision
    sims_per_s: float
    positions_per_s: float
    outside_network_share: float  # of the time that the threads played, 0 to 1
    replay_bytes_per_position: float


def measure_self_play(
    game: Game, positions: int = 2048, slots: int | None = None, seconds: float = 6.0
) -> SelfPlaySpeed:
    """Play about so many decisions, after a round that warms everything up.

    Where a decision is slow, fewer: as many as fit into the seconds, at least one per slot.
    """
    settings = _settings_of(game)
    dials, search = settings.selfplay, settings.full_search
    slots = slots or dials.slots
    workers = min(dials.workers, slots)
    groups = [
        SelfPlay(game, dials, search, settings.shaping, slots // workers) for _ in range(workers)
    ]
    evaluators, network = _evaluators(game, settings, workers)

    # Each thread's own time: a short measurement ends with one of them waiting for the other.
    played_for = [0.0] * workers

    def play(number: int, decisions: int) -> Harvest:
        torch.set_num_threads(1)
        generator = derive_generator(1, "bench", number, decisions)
        began = time.perf_counter()
        harvest = groups[number].play(decisions, evaluators[number], generator, search.sims)
        played_for[number] = time.perf_counter() - began
        return harvest

    def round_of(decisions: int) -> list[Harvest]:
        tasks = [lambda number=n: play(number, decisions // workers) for n in range(workers)]
        return LocalBackend().run(tasks)

    began = time.perf_counter()
    round_of(slots)
    affordable = int(slots * seconds / (time.perf_counter() - began))
    if affordable > slots:  # trees that are kept from move to move have their room by then
        round_of(min(3 * slots, affordable))
    for evaluator in evaluators:
        evaluator.seconds = 0.0
    began = time.perf_counter()
    harvests = round_of(max(min(positions, affordable), slots))
    spent = time.perf_counter() - began
    inside = sum(evaluator.seconds for evaluator in evaluators)
    return SelfPlaySpeed(
        network=network,
        sims_per_s=sum(harvest.sims for harvest in harvests) / spent,
        positions_per_s=sum(harvest.decisions for harvest in harvests) / spent,
        outside_network_share=max(0.0, 1.0 - inside / sum(played_for)),
        replay_bytes_per_position=_bytes_per_position(game, harvests[0].samples),
    )


def _evaluators(game: Game, settings: Settings, count: int) -> tuple[list[NetworkEvaluator], str]:
    network, precision = settings.network, choose_precision(settings.selfplay.precision)
    observer = game.observer(network.encoding or None, network.encoding_options)
    torch.manual_seed(0)
    module = build_network(
        network.kind, network.settings, observer.spec, game.actions, num_values_for(game.num_seats)
    ).eval()
    evaluators = [
        NetworkEvaluator(
            game, observer, InferenceNetwork(module, observer.spec, precision=precision)
        )
        for _ in range(count)
    ]
    return evaluators, f"{network.kind}, {precision}"


def _settings_of(game: Game) -> Settings:
    """The self-play that is measured."""
    network = Network(kind="cnn", settings=_NETWORK)
    if game.observer().spec.of_kind("planes") is None:
        preset = resolve_settings(game.spec, game.rules.folder)
        if isinstance(preset, Settings):
            return preset
        # Another algorithm's network can be searched too.
        other = getattr(preset, "network", None)
        network = Network() if other is None else Network(**other.model_dump())
    return Settings(
        game=game.spec,
        network=network,
        search=SearchSettings(sims=_SIMS),
        selfplay=SelfPlaySection(precision="float32"),
    )


def _bytes_per_position(game: Game, samples: Samples) -> float:
    """Of finished games; where none has ended yet, of a few that are played without the network."""
    generator = derive_generator(1, "bench", "finish")
    search = SearchSettings(sims=_SIMS)
    group = SelfPlay(game, SelfPlaySection(slots=_FEW), search, ShapingSection(), _FEW)
    while not len(samples):
        samples = group.play(_FEW, UniformEvaluator(game), generator, _SIMS).samples
    return samples.nbytes / len(samples)
