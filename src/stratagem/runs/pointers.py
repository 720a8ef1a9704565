"""Pointers of a run: `latest` and `best` name a checkpoint, and carry the hash of its weights.

    step_000012 5d41402abc4b2a76b9719d911017c592

So a pointer that was damaged into the name of another checkpoint is noticed too.
"""

from __future__ import annotations

import re
from pathlib import Path

from stratagem.core.errors import BadCheckpoint
from stratagem.core.files import write_atomically
from stratagem.core.manifest import read_manifest
from stratagem.core.reading import read_regular

WEIGHTS = "model.safetensors"  # as in nets.model_file, which would load torch
_FIX = "resume the run, or name one of its checkpoints"
_LINE = re.compile(rb"step_([0-9]{6,9}) ([0-9a-f]{32})\n")


def write_pointer(pointer: Path, step: Path) -> None:
    """Name a checkpoint that lies beside the pointer."""
    expected = read_manifest(step).files[WEIGHTS].hash
    write_atomically(pointer, f"{step.name} {expected}\n")


def read_pointer(pointer: Path) -> int:
    """The iteration that a pointer names; one that is damaged is refused."""
    try:
        found = _LINE.fullmatch(read_regular(pointer))
    except FileNotFoundError:
        raise BadCheckpoint(f"{pointer} is missing: {_FIX}") from None
    except OSError as error:
        raise BadCheckpoint(f"cannot read {pointer}: {error.strerror}: {_FIX}") from None
    step = pointer.parent / f"step_{int(found[1]):06d}" if found else pointer
    if found is None or not step.is_dir():
        raise BadCheckpoint(f"{pointer} is damaged and names no checkpoint beside it: {_FIX}")
    listed = read_manifest(step).files.get(WEIGHTS)
    if listed is None or listed.hash != found[2].decode():
        raise BadCheckpoint(
            f"{pointer} is damaged: it names {step.name} with other weights: {_FIX}"
        )
    return int(found[1])
