"""A trained network as an ONNX file, for programs that do not use Stratagem or PyTorch.

The file has one input, `observation` [B, D] float32, for any number of positions B, and the outputs
that `describe` names. A JSON file with the same name says what the input means: its slices, and how
to read the outputs. Every file is run once with ONNX Runtime and compared with PyTorch before it is
kept.
"""

from __future__ import annotations

import io
import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from stratagem.adapters.extras import need
from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_generator
from stratagem.core.session import GameSession, SessionSetup
from stratagem.core.state_arrays import gather
from stratagem.nets.build import build_network
from stratagem.nets.hierarchical import NAME as HIERARCHICAL
from stratagem.nets.hierarchical import HierarchicalNetwork, build_hierarchy
from stratagem.nets.model_file import LoadedModel, load_model, read_card

INPUT = "observation"
OPSET = 17
FORMAT = 1
_TOLERANCE = 1e-4  # relative to the largest number of an output
_CHECKED = (1, 2, 5)  # batch sizes that are compared


@dataclass(frozen=True)
class OnnxExport:
    """The files that were written."""

    model: Path
    description: Path
    outputs: tuple[str, ...]
    difference: float  # the largest between ONNX Runtime and PyTorch


def export_onnx(checkpoint: Path, game: Game, file: Path) -> OnnxExport:
    """Write FILE.onnx and FILE.json for the network in a checkpoint folder."""
    need("onnx", "onnx")
    need("onnxruntime", "onnx")
    if file.suffix != ".onnx":
        raise BadSetting(f"{file}: the name of an ONNX file ends in .onnx")
    loaded = load_for_export(checkpoint, game)
    observer = game.observer(loaded.card.encoding, loaded.card.encoding_options)
    network = _Flat(loaded.module)
    data = _convert(network, observer.spec.size)
    difference = _compare(data, network, observer(_positions(game)), loaded.card.network)
    about = describe(loaded, game, network.names)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, data)
    description = file.with_suffix(".json")
    write_atomically(description, json.dumps(about, indent=2) + "\n")
    return OnnxExport(file, description, network.names, difference)


def load_for_export(checkpoint: Path, game: Game) -> LoadedModel:
    """Load the network of a checkpoint, whatever its kind."""
    hierarchical = read_card(checkpoint).network == HIERARCHICAL
    return load_model(checkpoint, game, build_hierarchy if hierarchical else build_network)


def describe(loaded: LoadedModel, game: Game, outputs: tuple[str, ...]) -> dict[str, Any]:
    """Describe everything that a program needs to feed the network and to read its outputs."""
    card = loaded.card
    spec = game.observer(card.encoding, card.encoding_options).spec
    slices = []
    for part in spec.slices:
        first, end = spec.bounds(part)
        slices.append(
            {"name": part.name, "kind": part.kind, "shape": part.shape, "from": first, "to": end}
        )
    return {
        "format": FORMAT,
        "game": game.spec,
        "game_version": card.game_version,
        "seats": game.num_seats,
        "network": card.network,
        "settings": card.settings,
        "input": {
            "name": INPUT,
            "type": "float32",
            "shape": ["B", spec.size],
            "encoding": card.encoding,
            "encoding_options": card.encoding_options,
            "meaning": "what the deciding seat sees, slices one after another, each row by row",
            "slices": slices,
        },
        "outputs": {name: _meaning(name, loaded, game) for name in outputs},
        "actions": game.actions.size,
        "training": card.training,
    }


def _meaning(name: str, loaded: LoadedModel, game: Game) -> dict[str, Any]:
    if name == "logits":
        meaning = "one number for each action, illegal ones too: mask them, then softmax"
        return {"shape": ["B", game.actions.size], "meaning": meaning}
    if name == "values":
        meaning = "expected return in [-1, 1]; number k belongs to seat (deciding seat + k) % seats"
        return {"shape": ["B", loaded.card.num_values], "meaning": meaning}
    assert isinstance(loaded.module, HierarchicalNetwork)
    groups = loaded.module.groups
    if name == "orchestrator":
        listed = [[group.name, group.start, group.stop] for group in groups]
        meaning = "value of each group of actions; a group is a name, its first action and its end"
        return {"shape": ["B", len(groups)], "meaning": meaning, "groups": listed}
    group = next(group for group in groups if group.name == name)
    meaning = f"value of each action from {group.start} on"
    return {"shape": ["B", group.stop - group.start], "meaning": meaning}


class _Flat(nn.Module):
    """A network as a function from one tensor to a tuple of tensors, whose names are `names`."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module
        self.names: tuple[str, ...] = ("logits", "values")
        if isinstance(module, HierarchicalNetwork):
            self.names = tuple(module.parts())
        self.eval()  # the whole of it: exporting restores the mode that it finds at the top

    def forward(self, observation: Tensor) -> tuple[Tensor, ...]:
        if isinstance(self.module, HierarchicalNetwork):
            return tuple(part(observation).logits for part in self.module.parts().values())
        output = self.module(observation)
        return output.logits, output.values


def _convert(network: _Flat, size: int) -> bytes:
    written: Any = io.BytesIO()  # PyTorch's own types omit that it can write to streams
    axes = {name: {0: "B"} for name in (INPUT, *network.names)}
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # tracing warns about every fixed shape
            torch.onnx.export(
                network, (torch.rand(3, size),), written, dynamo=False, opset_version=OPSET,
                input_names=[INPUT], output_names=list(network.names), dynamic_axes=axes,
            )  # fmt: skip
    except (RuntimeError, torch.onnx.errors.OnnxExporterError) as error:
        reason = str(error).strip().splitlines()[0]
        raise BadSetting(
            f"this kind of network cannot be written as ONNX ({reason}): "
            "share its folder instead, `stratagem export RUN --out FOLDER`"
        ) from None
    return bytes(written.getvalue())


def _compare(data: bytes, network: _Flat, seen: npt.NDArray[np.float32], kind: str) -> float:
    """Return the largest difference between both over positions of a game; refuse a large one."""
    session = open_session(data)
    worst = 0.0
    for count in _CHECKED:
        batch = seen[:count]
        with torch.inference_mode():
            wanted = network(torch.from_numpy(batch))
        for found, expected in zip(session.run(None, {INPUT: batch}), wanted, strict=True):
            difference = float(np.abs(found - expected.numpy()).max(initial=0.0))
            spread = max(1.0, float(expected.abs().max()))
            worst = max(worst, difference)
            if not difference <= _TOLERANCE * spread:
                raise BadSetting(
                    f"networks of kind {kind} come out differently as ONNX (by {difference:.2g}): "
                    "share the folder instead, `stratagem export RUN --out FOLDER`"
                )
    return worst


def open_session(data: bytes) -> Any:
    """Open ONNX Runtime with one thread."""
    runtime = need("onnxruntime", "onnx")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def _positions(game: Game) -> States:
    """Return positions from random games, as their deciding seats see them."""
    generator = derive_generator(0, "onnx")
    found: list[Any] = []
    number = 0
    while len(found) < max(_CHECKED):
        session = GameSession(game, SessionSetup.new(game, ["random"] * game.num_seats, number))
        number += 1
        while not session.is_finished and len(found) < max(_CHECKED):
            if session.seat == CHANCE:
                session.roll()
                continue
            found.append(session.seen_by(session.seat))
            session.play(int(generator.choice(game.legal_actions(session.state))))
    return gather(found, game.rules.dtype)
