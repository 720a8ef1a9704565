"""Checkpoints of a run: saving and loading them, and finding the one that a text names.

A target is a checkpoint folder, a run folder (its best checkpoint, else its latest), or a run
folder with `@50%`: the checkpoint nearest to that share of the run's budget.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors.numpy
import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor, nn

from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.files import new_folder
from stratagem.nets.model_file import CARD_FILE, ModelCard, read_card, save_model
from stratagem.runs.folder import RunFolder

Arrays = dict[str, npt.NDArray[Any]]

_TENSORS, _STATE, _ARRAYS = "train_state.safetensors", "train_state.json", "slots.safetensors"


@dataclass(frozen=True)
class TrainingState:
    """What a resumed run needs besides the network that plays."""

    tensors: dict[str, Tensor]  # of learner and optimiser
    values: dict[str, Any]  # progress, metrics: anything that JSON holds
    arrays: Arrays = field(default_factory=dict)  # games under way; none: no file


def save_checkpoint(
    folder: RunFolder, iteration: int, module: nn.Module, card: ModelCard, state: TrainingState
) -> None:
    """Write model and training state, then move the pointer `latest`."""
    with new_folder(folder.step_folder(iteration)) as temporary:
        save_model(temporary, module, card)
        safetensors.torch.save_file(state.tensors, temporary / _TENSORS)
        if state.arrays:
            packed = {name: np.ascontiguousarray(array) for name, array in state.arrays.items()}
            safetensors.numpy.save_file(packed, temporary / _ARRAYS)
        (temporary / _STATE).write_text(json.dumps(state.values))
    folder.point_latest(iteration)


def load_training_state(folder: RunFolder, iteration: int) -> TrainingState:
    """What `save_checkpoint` wrote beside the model."""
    step = folder.step_folder(iteration)
    with reading_state(step):
        values: dict[str, Any] = json.loads((step / _STATE).read_text())
        tensors = safetensors.torch.load_file(step / _TENSORS)
        file = step / _ARRAYS
        arrays: Arrays = safetensors.numpy.load_file(file) if file.exists() else {}
    return TrainingState(tensors, values, arrays)


@contextmanager
def reading_state(folder: Path) -> Iterator[None]:
    """Whatever is wrong with a saved state becomes one line that says what to do."""
    try:
        yield
    except (
        SafetensorError, OSError, LookupError, TypeError, ValueError, RuntimeError,
    ) as error:  # fmt: skip
        reason = str(error).split("\n")[0]
        raise BadCheckpoint(
            f"{folder}: damaged training state ({reason}): restore it or start a new run"
        ) from None


def find_checkpoint(target: str) -> Path:
    """The checkpoint folder that a target names."""
    path_text, mark, share = target, "", ""
    if "@" in target and not Path(target).expanduser().is_dir():  # it may be part of a name
        path_text, mark, share = target.rpartition("@")
    path = Path(path_text).expanduser()
    if not path.is_dir():
        raise BadCheckpoint(f"no checkpoint or run folder at {path_text!r}: check the path")
    if (path / CARD_FILE).is_file():
        return path
    folder = RunFolder(path)
    if mark:
        return _nearest(folder, share)
    if not folder.best():
        raise BadCheckpoint(
            f"{path_text!r} holds no finished checkpoint: let the run finish an iteration"
        )
    return folder.step_folder(folder.best())


def _nearest(folder: RunFolder, share: str) -> Path:
    try:
        wanted = float(share.removesuffix("%")) / 100
    except ValueError:
        raise BadSetting(f"checkpoint share {share!r}: write it like @50%") from None
    found = {progress_of(folder.step_folder(step)): step for step in folder.steps()}
    if not found:
        raise BadCheckpoint(f"{folder.path} holds no finished checkpoint")
    return folder.step_folder(found[min(found, key=lambda progress: abs(progress - wanted))])


def progress_of(checkpoint: Path) -> float:
    """The share of its run's budget that was used when a checkpoint was written."""
    training: Mapping[str, Any] = read_card(checkpoint).training
    return float(str(training.get("progress", 0)))
