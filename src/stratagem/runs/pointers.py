"""A run's pointers `latest` and `best`: each names a checkpoint and a hash of its weights.

    step_000012 5d41402abc4b2a76b9719d911017c592

So damage that turns the name into that of another checkpoint is noticed too.
"""

from __future__ import annotations

import re
from pathlib import Path

from stratagem.core.errors import BadCheckpoint
from stratagem.core.files import write_atomically
from stratagem.core.manifest import read_manifest
from stratagem.core.reading import read_regular

WEIGHTS = "model.safetensors"  # as in nets.model_file, which would load torch
_FIX = "resume the run, or use one of its checkpoints directly"
_LINE = re.compile(rb"step_([0-9]{6,9}) ([0-9a-f]{32})\n")


def write_pointer(pointer: Path, step: Path) -> None:
    """Write the name of a checkpoint in the same folder."""
    expected = read_manifest(step).files[WEIGHTS].hash
    write_atomically(pointer, f"{step.name} {expected}\n")


def read_pointer(pointer: Path) -> int:
    """Return the iteration that a pointer names; a damaged pointer is refused."""
    try:
        found = _LINE.fullmatch(read_regular(pointer))
    except FileNotFoundError:
        raise BadCheckpoint(f"{pointer} is missing: {_FIX}") from None
    except OSError as error:
        raise BadCheckpoint(f"cannot read {pointer}: {error.strerror}: {_FIX}") from None
    step = pointer.parent / f"step_{int(found[1]):06d}" if found else pointer
    if found is None or not step.is_dir():
        raise BadCheckpoint(
            f"{pointer} is damaged: it does not name a checkpoint in its folder: {_FIX}"
        )
    listed = read_manifest(step).files.get(WEIGHTS)
    if listed is None or listed.hash != found[2].decode():
        raise BadCheckpoint(
            f"{pointer} is damaged: the weights of {step.name} do not match it: {_FIX}"
        )
    return int(found[1])
