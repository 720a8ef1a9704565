"""Checkpoints of a run: saving them, loading them, and finding the one that a string names.

A target is a checkpoint folder, a run folder (its best checkpoint, else its latest), or a run
folder with `@50%`: the checkpoint nearest to that share of the run's budget.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor, nn

from stratagem.core.errors import BadCheckpoint, BadSetting, BadState
from stratagem.core.files import new_folder, write_new
from stratagem.core.manifest import (
    Checksum,
    check_files,
    read_listed,
    read_manifest,
    seal,
)
from stratagem.core.reading import at_home
from stratagem.core.state_arrays import Arrays
from stratagem.nets.model_file import (
    CARD_FILE,
    WEIGHTS_FILE,
    ModelCard,
    read_card,
    save_model,
)
from stratagem.runs.folder import RunFolder

_SHARE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?%?", re.ASCII)
_MOST_PROGRESS = 1000  # progress can exceed 1 if the budget was reduced
_TENSORS, _STATE, _ARRAYS = "train_state.safetensors", "train_state.json", "slots.safetensors"


@dataclass(frozen=True)
class TrainingState:
    """What a resumed run needs besides the playing network."""

    tensors: dict[str, Tensor]  # of learner and optimiser
    values: dict[str, Any]  # progress, metrics: any JSON values
    arrays: Arrays = field(default_factory=dict)  # games in progress; empty: no file


def save_checkpoint(
    folder: RunFolder,
    iteration: int,
    module: nn.Module,
    card: ModelCard,
    state: TrainingState,
    needs: Collection[Path] = (),
) -> None:
    """Write model, training state and manifest, then move the pointer `latest`.

    `needs` are files elsewhere in the run that are needed to resume from here.
    """
    sums = _sums_of(folder, iteration, needs)
    with new_folder(folder.step_folder(iteration)) as temporary:
        save_model(temporary, module, card)
        write_new(temporary / _TENSORS, safetensors.torch.save(state.tensors))
        if state.arrays:
            packed = {name: np.ascontiguousarray(array) for name, array in state.arrays.items()}
            write_new(temporary / _ARRAYS, safetensors.numpy.save(packed))
        write_new(temporary / _STATE, json.dumps(state.values).encode())
        seal(temporary, sums)
    folder.point_latest(iteration)


def _sums_of(folder: RunFolder, iteration: int, files: Collection[Path]) -> dict[str, Checksum]:
    """Return checksums by path from the run folder.

    Those in an earlier manifest are reused, so that damage since then is still detected.
    """
    known: dict[str, Checksum] = {}
    for step in {folder.step_folder(iteration - 1), *(file.parent for file in files)}:
        with suppress(BadCheckpoint):
            manifest, place = read_manifest(step), step.relative_to(folder.path)
            known |= manifest.needs | {str(place / n): one for n, one in manifest.files.items()}
    names = sorted(str(file.relative_to(folder.path)) for file in files)
    return {
        name: known[name] if name in known else Checksum.of((folder.path / name).read_bytes())
        for name in names
    }


def newest_whole(folder: RunFolder) -> tuple[int, list[str]]:
    """Return (the newest iteration that can be resumed, 0 if none; why newer ones cannot)."""
    reasons: list[str] = []
    numbers = folder.step_numbers()
    try:
        latest = folder.latest()
        numbers = {number for number in numbers if number <= latest}
    except BadCheckpoint as error:
        reasons.append(str(error))
    for number in sorted(numbers, reverse=True):
        try:
            check_whole(folder, number)
            return number, reasons
        except BadCheckpoint as error:
            reasons.append(str(error))
    if not reasons:
        return 0, []
    raise BadCheckpoint(f"{reasons[0]}; no older checkpoint can be resumed: start a new run")


def check_whole(folder: RunFolder, iteration: int) -> None:
    """Refuse unless every file that a resumed run would read is intact."""
    step = folder.step_folder(iteration)
    manifest = read_manifest(step)
    if _STATE not in manifest.files:
        raise BadCheckpoint(f"{step} contains a network but no training state")
    check_files(step, manifest.files)
    check_files(folder.path, manifest.needs)
    for network in sorted({Path(name).parent for name in manifest.needs}):
        if network.name.startswith("step_"):
            read_manifest(folder.path / network)


def load_training_state(folder: RunFolder, iteration: int) -> TrainingState:
    """Load what `save_checkpoint` wrote beside the model."""
    step = folder.step_folder(iteration)
    manifest = read_manifest(step)
    with reading_state(step):
        values: dict[str, Any] = json.loads(read_listed(step, manifest, _STATE))
        tensors = safetensors.torch.load(read_listed(step, manifest, _TENSORS))
        arrays: Arrays = {}
        if _ARRAYS in manifest.files:
            arrays = safetensors.numpy.load(read_listed(step, manifest, _ARRAYS))
    return TrainingState(tensors, values, arrays)


@contextmanager
def reading_state(folder: Path) -> Iterator[None]:
    """Turn any problem with a saved state into a one-line error that says what to do."""
    try:
        yield
    except (
        SafetensorError, OSError, LookupError, TypeError, ValueError, RuntimeError, BadState,
    ) as error:  # fmt: skip
        reason = str(error).split("\n")[0]
        raise BadCheckpoint(
            f"{folder}: damaged training state ({reason}): restore it or start a new run"
        ) from None


def files_of_network(folder: RunFolder, iteration: int) -> list[Path]:
    """Return the files that are needed to play with the network of an iteration."""
    return [folder.step_folder(iteration) / name for name in (CARD_FILE, WEIGHTS_FILE)]


def find_checkpoint(target: str) -> Path:
    """Return the checkpoint folder that a target names."""
    path_text, mark, share = target, "", ""
    if "@" in target and not at_home(Path(target)).is_dir():  # the @ may be part of a name
        path_text, mark, share = target.rpartition("@")
    path = at_home(Path(path_text))
    if not path.is_dir():
        raise BadCheckpoint(f"no checkpoint or run folder at {path_text!r}: check the path")
    if (path / CARD_FILE).is_file():
        return path
    folder = RunFolder(path)
    if mark:
        return _nearest(folder, share)
    best = folder.best()
    if not best:
        raise BadCheckpoint(
            f"{path_text!r} contains no finished checkpoint: let the run finish an iteration"
        )
    return folder.step_folder(best)


def _nearest(folder: RunFolder, share: str) -> Path:
    if not _SHARE.fullmatch(share) or float(share.removesuffix("%")) > 100:
        raise BadSetting(f"checkpoint share {share!r}: write it like @50%, from 0 to 100")
    wanted = float(share.removesuffix("%")) / 100
    found = {progress_of(folder.step_folder(step)): step for step in folder.steps()}
    if not found:
        raise BadCheckpoint(f"{folder.path} contains no finished checkpoint")
    return folder.step_folder(found[min(found, key=lambda progress: abs(progress - wanted))])


def progress_of(checkpoint: Path) -> float:
    """Return the share of its run's budget that was used when a checkpoint was written."""
    training: Mapping[str, Any] = read_card(checkpoint).training
    progress = training.get("progress", 0)
    if not isinstance(progress, int | float) or not 0 <= progress <= _MOST_PROGRESS:
        raise BadCheckpoint(f"{checkpoint / CARD_FILE}: invalid progress: use another checkpoint")
    return float(progress)
