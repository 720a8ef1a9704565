"""A network to share: a folder with its weights, its card, and a page for people.

The folder plays wherever Stratagem is installed: `mcts:FOLDER`, `policy:FOLDER`. It contains
nothing that is needed only to continue training.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import stratagem
from stratagem.agents.shipped import KINDS, shipped
from stratagem.agents.spec import AgentSpec, agent_kinds
from stratagem.core.errors import BadSetting
from stratagem.core.files import new_folder, write_new
from stratagem.core.game import Game
from stratagem.core.manifest import Manifest, read_listed, read_manifest, write_manifest
from stratagem.core.registry import load_game
from stratagem.core.specs import ObservationSpec
from stratagem.evaluate.reports import Report, interval
from stratagem.nets.hierarchical import NAME as HIERARCHICAL
from stratagem.nets.model_file import CARD_FILE, WEIGHTS_FILE, ModelCard, read_card
from stratagem.runs.checkpoints import find_checkpoint
from stratagem.runs.folder import RunFolder, run_around
from stratagem.runs.metrics import newest_anchors
from stratagem.runs.provenance import Provenance

PAGE = "README.md"


@dataclass(frozen=True)
class FoundNetwork:
    """A checkpoint folder, its card, and the game that it is exported for."""

    folder: Path
    card: ModelCard
    game: Game


def find_network(target: str, game_spec: str = "") -> FoundNetwork:
    """Find the network that a run, a checkpoint or an agent spec names.

    Without a game it is the one that the network was trained on; `best` needs one.
    """
    spec = AgentSpec.parse(target)
    if spec.kind in KINDS:
        if not game_spec:
            raise BadSetting(f"{spec.kind} of which game? Add --game NAME/SCENARIO")
        player = shipped(load_game(game_spec), spec.target, spec.kind)
        if player is None or not Path(player.target).is_dir():
            raise BadSetting(f"no network ships for {game_spec}: use a run or a checkpoint")
        target = player.target
    elif spec.target and spec.kind in agent_kinds():
        target = spec.target
    folder = find_checkpoint(target)
    card = read_card(folder)
    return FoundNetwork(folder, card, load_game(game_spec or card.game))


def share_network(found: FoundNetwork, folder: Path) -> Path:
    """Write the folder, which must not exist yet; return its page."""
    if folder.exists():
        raise BadSetting(f"{folder} already exists: choose a new folder")
    manifest = read_manifest(found.folder)
    files = {name: manifest.files[name] for name in (WEIGHTS_FILE, CARD_FILE)}
    page = model_page(found, folder.name).text().encode()
    with new_folder(folder) as temporary:
        for name in files:
            write_new(temporary / name, read_listed(found.folder, manifest, name))
        # The page is not in the manifest, so that people can edit it.
        write_new(temporary / PAGE, page)
        write_manifest(temporary, Manifest(files=files))
    return folder / PAGE


def model_page(found: FoundNetwork, name: str) -> Report:
    """Return the model card for people: what the network is, its origin, how to play it."""
    card, game = found.card, found.game
    page = Report(f"{name}: a network for {game.title}")
    page.paragraph(
        f"This network was trained with Stratagem on `{card.game}`, a game for {game.num_seats} "
        f"players (version {card.game_version} of the rules)."
    )
    _add_playing(page, card, name)
    run = _run_of(found.folder)
    _add_strength(page, card, run, game.num_seats)
    page.heading("Network")
    page.table(["", ""], [["kind", card.network], *([k, str(v)] for k, v in card.settings.items())])
    observer = game.observer(card.encoding, card.encoding_options)
    page.heading("Encoding")
    page.paragraph(_encoding_text(card, observer.spec, game))
    page.table(
        ["slice", "kind", "shape", "from", "to"],
        [
            [part.name, part.kind, " x ".join(map(str, part.shape)), *observer.spec.bounds(part)]
            for part in observer.spec.slices
        ],
    )
    _add_training(page, card, run)
    return page


def _add_playing(page: Report, card: ModelCard, name: str) -> None:
    player = f"hdqn:{name}" if card.network == HIERARCHICAL else f"mcts:{name}?sims=64"
    page.heading("Play it")
    page.paragraph(
        f"```sh\nstratagem play {card.game} --opponent '{player}'\n"
        f"stratagem match {card.game} '{player}' random --games 20\n```"
    )
    page.paragraph(
        f"It needs Stratagem {stratagem.__version__} or later, with the same version of the game's "
        f"rules; anything else refuses it. It was written with Python {platform.python_version()} "
        f"and torch {version('torch')}. `{WEIGHTS_FILE}` holds the weights, `{CARD_FILE}` says "
        "what they are, and `manifest.json` has the checksums of both. Loading the folder executes "
        "nothing in it."
    )


def _add_strength(page: Report, card: ModelCard, run: RunFolder | None, seats: int) -> None:
    page.heading("Strength")
    last = card.training.get("iteration")
    rows = [] if run is None else [r for r in run.metrics() if last is None or r.iteration <= last]
    anchors = newest_anchors(rows)
    if not anchors:
        page.paragraph(
            "Its strength was not measured during training. Measure it with `stratagem match`."
        )
        return
    page.paragraph(
        "Scores in the last games of its run against fixed opponents; an equally strong player "
        f"would score about {1 / seats:.2g}."
    )
    page.table(
        ["opponent", "score", "95 % interval"],
        [[f"`{who}`", one.score, interval(one.low, one.high)] for who, one in anchors.items()],
    )


def _encoding_text(card: ModelCard, spec: ObservationSpec, game: Game) -> str:
    options = ", ".join(f"{key}={value}" for key, value in card.encoding_options.items())
    values = "the value for the deciding seat"
    if card.num_values > 1:
        values = f"{card.num_values} values, one for each seat, beginning with the deciding one,"
    return (
        f"`{card.encoding}`{f' with {options}' if options else ''}: {spec.size} numbers (float32) "
        f"that the deciding seat sees. The outputs are {game.actions.size} logits, one for each "
        f"action, and {values} in [-1, 1]."
    )


def _add_training(page: Report, card: ModelCard, run: RunFolder | None) -> None:
    page.heading("Training")
    about = Provenance() if run is None else run.provenance()
    facts = {**card.training, "search": card.search or "", "stratagem": about.stratagem,
             "commit": about.commit, "started": about.started,
             "command": " ".join(about.command)}  # fmt: skip
    page.table(["", ""], [[key, str(value)] for key, value in facts.items() if value != ""])


def _run_of(checkpoint: Path) -> RunFolder | None:
    """Return the run that contains a checkpoint; None for a shared folder."""
    try:
        return run_around(checkpoint)
    except BadSetting:
        return None
