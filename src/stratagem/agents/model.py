"""From a run or checkpoint folder to a network that is ready to play."""

from __future__ import annotations

from collections.abc import Mapping

from stratagem.agents.network import NetworkEvaluator
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.nets.hierarchical import NAME as HIERARCHICAL
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.model_file import load_model, read_card
from stratagem.nets.strength import USUAL, strength_column
from stratagem.runs.checkpoints import find_checkpoint


def load_evaluator(
    target: str, game: Game, iterations: int | None = None, strength: float | None = None
) -> NetworkEvaluator:
    """The network behind a target, ready for inference on this game.

    `iterations` changes how often a recurrent network repeats itself, `strength` how closely it
    keeps to its reference policy, where it was trained with that as an input.
    """
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
    network = InferenceNetwork(loaded.module, observer.spec, iterations=iterations)
    return NetworkEvaluator(game, observer, network, card.search, strength or USUAL)


def parse_iterations(spec: str, options: Mapping[str, str]) -> int | None:
    """The option `iterations` of an agent spec; None leaves a network as it was trained."""
    if "iterations" not in options:
        return None
    try:
        return int(options["iterations"])
    except ValueError:
        raise BadSetting(f"agent spec {spec!r}: iterations must be a whole number") from None
