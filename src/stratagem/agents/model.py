"""Loads a network that is ready to play from a run or checkpoint folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from stratagem.agents.network import NetworkEvaluator
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.nets.engine import AnyEngine
from stratagem.nets.hierarchical import NAME as HIERARCHICAL
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.model_file import load_model, read_card
from stratagem.nets.strength import USUAL, strength_column
from stratagem.runs.checkpoints import find_checkpoint


@dataclass(frozen=True)
class NetworkOptions:
    """How a network is run."""

    iterations: int | None = None  # of a recurrent network; None: as in training
    engine: AnyEngine = "auto"


def load_evaluator(
    target: str, game: Game, options: NetworkOptions | None = None, strength: float | None = None
) -> NetworkEvaluator:
    """Load the network of a target, ready for inference on this game.

    `strength` says how closely it follows its reference policy, if it was trained with that as an
    input.
    """
    options = options or NetworkOptions()
    folder = find_checkpoint(target)
    if read_card(folder).network == HIERARCHICAL:
        raise BadSetting(f"{target} decides in two steps: write hdqn:{target}")
    loaded = load_model(folder, game)
    card = loaded.card
    observer = game.observer(card.encoding, card.encoding_options)
    if strength is not None and strength_column(observer.spec) is None:
        raise BadSetting(
            f"lambda: {target} was not trained with it as an input, leave it out "
            "(train with network.encoding_options.strength=1 and reference.policy)"
        )
    network = InferenceNetwork(
        loaded.module, observer.spec, iterations=options.iterations, engine=options.engine
    )
    return NetworkEvaluator(game, observer, network, card.search, strength or USUAL)


def parse_network_options(spec: str, options: Mapping[str, str]) -> NetworkOptions:
    """Parse the options of an agent spec that concern its network."""
    iterations: int | None = None
    if "iterations" in options:
        try:
            iterations = int(options["iterations"])
        except ValueError:
            raise BadSetting(f"agent spec {spec!r}: iterations must be a whole number") from None
    return NetworkOptions(iterations, cast(AnyEngine, options.get("engine", "auto")))
