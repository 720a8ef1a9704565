"""A trained network on disk: model.safetensors (weights) and model.json (the card).

Nothing is ever unpickled. The card says which game, encoding and network the weights belong to. A
manifest beside them (core.manifest) has checksums of both, so that a damaged or mismatched pair is
refused instead of playing badly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor, nn

from stratagem.core.errors import BadCheckpoint, StratagemError
from stratagem.core.files import new_folder, write_atomically
from stratagem.core.game import Game
from stratagem.core.manifest import (
    Checksum,
    Manifest,
    read_listed,
    read_manifest,
    write_manifest,
)
from stratagem.core.registry import GameSpec, load_game
from stratagem.core.settings import explain
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.bounded import at_most_parameters
from stratagem.nets.build import build_network, is_seat_free, is_size_free, network_kinds
from stratagem.nets.output import num_values_for

# Builds a network from a card: (kind, settings, observation, actions, number of values).
Builder = Callable[[str, Mapping[str, Any], ObservationSpec, ActionSpec, int], nn.Module]

FORMAT = 2
WEIGHTS_FILE = "model.safetensors"
CARD_FILE = "model.json"


class ModelCard(BaseModel):
    """What a network was built from and for: the contents of model.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = Field(FORMAT, description="version of this file's layout")
    game: str = Field(description="game spec it was trained on: name/scenario?key=value")
    game_version: int = Field(description="version of that game's rules")
    network: str = Field(description="kind of network")
    settings: dict[str, Any] = Field(description="settings of that kind")
    encoding: str = Field(description="the game's encoding that it reads")
    encoding_options: dict[str, int] = Field(description="options of that encoding")
    num_values: int = Field(description="values that it predicts")
    search: dict[str, float] = Field(
        default={}, description="search settings that its values were learned with"
    )
    training: dict[str, Any] = Field(default={}, description="origin, in free form")


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A network in evaluation mode, and its card."""

    module: nn.Module
    card: ModelCard


def save_model(folder: Path, module: nn.Module, card: ModelCard) -> None:
    """Write both files and their manifest; a new folder appears completely or not at all."""
    save_weights(folder, module.state_dict(), card)


def save_weights(folder: Path, named: Mapping[str, Tensor], card: ModelCard) -> None:
    """Do the same for weights without their network."""
    weights = safetensors.torch.save({name: one.contiguous() for name, one in named.items()})
    if folder.exists():
        _write(folder, weights, card)
        return
    with new_folder(folder) as temporary:
        _write(temporary, weights, card)


def read_card(folder: Path) -> ModelCard:
    """Read only the card, without loading weights."""
    return _read_card(folder, read_manifest(folder))


def _read_card(folder: Path, manifest: Manifest) -> ModelCard:
    file = folder / CARD_FILE
    data = read_listed(folder, manifest, CARD_FILE)
    try:
        card = ModelCard.model_validate_json(data)
        GameSpec.parse(card.game)
    except ValidationError as error:
        raise BadCheckpoint(
            f"{file} is damaged or from another program version: {explain(error)}: use another one"
        ) from None
    except StratagemError as error:
        raise BadCheckpoint(f"{file} is damaged: {error}") from None
    if card.format != FORMAT:
        raise BadCheckpoint(
            f"{file} has format {card.format}, but this program reads {FORMAT}: train it again"
        )
    return card


def load_model(folder: Path, game: Game, build: Builder = build_network) -> LoadedModel:
    """Load the network in a folder if it fits the game; `build` builds it from its card.

    Other scenarios of the same game are allowed if their observations and actions have the same
    layout; other board sizes or numbers of seats are allowed for kinds whose weights do not depend
    on them.
    """
    manifest = read_manifest(folder)
    card = _read_card(folder, manifest)
    _check_game(folder, card, game)
    tensors = _read_weights(folder, manifest)
    try:
        observer = game.observer(card.encoding, card.encoding_options)
        values = card.num_values
        if _fits_every_seat_count(card.network):
            values = num_values_for(game.num_seats)
        with at_most_parameters(sum(tensor.numel() for tensor in tensors.values())):
            module = build(card.network, card.settings, observer.spec, game.actions, values)
    except StratagemError as error:
        raise BadCheckpoint(f"{folder} cannot be rebuilt: {error}") from None
    try:
        module.load_state_dict(tensors)
    except RuntimeError:
        raise BadCheckpoint(_other_size(folder, card, game)) from None
    return LoadedModel(module.eval(), card)


def _check_game(folder: Path, card: ModelCard, game: Game) -> None:
    if GameSpec.parse(card.game).name != game.name:
        raise BadCheckpoint(
            f"{folder} was trained on {card.game} and cannot play {game.name}: "
            "choose a checkpoint of that game"
        )
    if card.game_version != game.version:
        raise BadCheckpoint(
            f"{folder} was trained on version {card.game_version} of {game.name}, but these are "
            f"the rules of version {game.version}: train it again"
        )
    if card.num_values != num_values_for(game.num_seats) and not _fits_every_seat_count(
        card.network
    ):
        raise BadCheckpoint(_other_size(folder, card, game))
    try:
        trained_on = load_game(card.game)
        before = trained_on.observer(card.encoding, card.encoding_options).spec
        now = game.observer(card.encoding, card.encoding_options).spec
    except StratagemError:
        return  # the scenario or the encoding is gone: rebuilding and the weights decide
    same = before == now and trained_on.actions == game.actions
    if not same and not _fits_every_size(card.network):
        raise BadCheckpoint(_other_size(folder, card, game))


def _fits_every_seat_count(kind: str) -> bool:
    return kind in network_kinds() and is_seat_free(kind)


def _fits_every_size(kind: str) -> bool:
    return kind in network_kinds() and is_size_free(kind)


def _other_size(folder: Path, card: ModelCard, game: Game) -> str:
    return (
        f"{folder} was trained on {card.game}, whose board, actions or seats differ in size from "
        f"{game.spec}: choose a scenario of the same size"
    )


def _read_weights(folder: Path, manifest: Manifest) -> dict[str, Tensor]:
    data = read_listed(folder, manifest, WEIGHTS_FILE)
    try:
        tensors: dict[str, Tensor] = safetensors.torch.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError):
        raise BadCheckpoint(
            f"{folder / WEIGHTS_FILE} is truncated or damaged: use another checkpoint"
        ) from None
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
            raise BadCheckpoint(
                f"{folder / WEIGHTS_FILE}: {name} is not finite: use another checkpoint"
            )
    return tensors


def _write(folder: Path, weights: bytes, card: ModelCard) -> None:
    contents = {WEIGHTS_FILE: weights, CARD_FILE: f"{card.model_dump_json(indent=2)}\n".encode()}
    for name, data in contents.items():
        write_atomically(folder / name, data)
    files = {name: Checksum.of(data) for name, data in contents.items()}
    write_manifest(folder, Manifest(files=files))
