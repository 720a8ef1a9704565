"""From a path to a network that is ready to play: run folders, checkpoints, fractions of a run.

A target is a checkpoint folder, a run folder (its best checkpoint, else its latest), or a run
folder with `@50%`: the checkpoint nearest to that share of the run's budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stratagem.agents.network import NetworkEvaluator
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.game import Game
from stratagem.nets.hierarchical import NAME as HIERARCHICAL
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.model_file import load_model, read_card


def load_evaluator(target: str, game: Game, iterations: int | None = None) -> NetworkEvaluator:
    """The network behind a target, ready for inference on this game.

    `iterations` changes how often a recurrent network repeats itself.
    """
    folder = find_checkpoint(target)
    if read_card(folder).network == HIERARCHICAL:
        raise BadSetting(f"{target} decides in two steps: write hdqn:{target}")
    loaded = load_model(folder, game)
    card = loaded.card
    observer = game.observer(card.encoding, card.encoding_options)
    network = InferenceNetwork(loaded.module, observer.spec, iterations=iterations)
    return NetworkEvaluator(game, observer, network, card.search)


def parse_iterations(spec: str, options: Mapping[str, str]) -> int | None:
    """The option `iterations` of an agent spec; None leaves a network as it was trained."""
    if "iterations" not in options:
        return None
    try:
        return int(options["iterations"])
    except ValueError:
        raise BadSetting(f"agent spec {spec!r}: iterations must be a whole number") from None


def find_checkpoint(target: str) -> Path:
    """The checkpoint folder that a target names."""
    path_text, mark, share = target, "", ""
    if "@" in target and not Path(target).expanduser().is_dir():  # it may be part of a name
        path_text, mark, share = target.rpartition("@")
    path = Path(path_text).expanduser()
    if not path.is_dir():
        raise BadCheckpoint(f"no checkpoint or run folder at {path_text!r}: check the path")
    if (path / "model.json").is_file():
        return path
    checkpoints = path / "ckpt"
    if mark:
        return _nearest(checkpoints, share)
    for pointer in ("best", "latest"):
        file = checkpoints / pointer
        if file.is_file():
            return checkpoints / file.read_text().strip()
    raise BadCheckpoint(
        f"{path_text!r} holds no finished checkpoint: let the run finish an iteration"
    )


def _nearest(checkpoints: Path, share: str) -> Path:
    try:
        wanted = float(share.removesuffix("%")) / 100
    except ValueError:
        raise BadSetting(f"checkpoint share {share!r}: write it like @50%") from None
    found = {
        float(str(read_card(file.parent).training.get("progress", 0))): file.parent
        for file in sorted(checkpoints.glob("step_*/model.json"))
    }
    if not found:
        raise BadCheckpoint(f"{checkpoints.parent} holds no finished checkpoint")
    return found[min(found, key=lambda progress: abs(progress - wanted))]
