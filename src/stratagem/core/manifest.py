"""A checkpoint's list of files with their checksums, written last and checked before use.

`manifest.json` is in the checkpoint's folder. Besides the files there it lists those that the
checkpoint needs from elsewhere in its run (replay segments, networks of earlier iterations), and
it contains a checksum of itself. A checkpoint without a manifest is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from stratagem.core.errors import BadCheckpoint
from stratagem.core.files import write_atomically
from stratagem.core.reading import read_regular

MANIFEST_FILE = "manifest.json"
FORMAT = 1


class Checksum(BaseModel):
    """Size and hash of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    size: int = Field(ge=0)
    hash: str = Field(min_length=32, max_length=32)

    @classmethod
    def of(cls, data: bytes) -> Checksum:
        return cls(size=len(data), hash=hashlib.blake2b(data, digest_size=16).hexdigest())


class Manifest(BaseModel):
    """The files of a checkpoint, and the files elsewhere in its run that it needs."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: int = FORMAT
    files: dict[str, Checksum]  # by their names in the checkpoint's folder
    needs: dict[str, Checksum] = {}  # by their paths from the run folder


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write a manifest with its own checksum."""
    values = manifest.model_dump()
    write_atomically(
        folder / MANIFEST_FILE, json.dumps({**values, "hash": _own_hash(values)}, indent=1) + "\n"
    )


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a checkpoint; if it is missing or damaged, the error names it."""
    file = folder / MANIFEST_FILE
    try:
        values = json.loads(read_regular(file))
        own = values.pop("hash")
        manifest = Manifest.model_validate(values)
    except FileNotFoundError:
        raise BadCheckpoint(
            f"no {MANIFEST_FILE} in {folder}: the checkpoint is incomplete: use another one"
        ) from None
    except OSError as error:
        raise BadCheckpoint(f"cannot read {file}: {error.strerror}: check the path") from None
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise BadCheckpoint(f"{file} is damaged: use another checkpoint") from None
    if own != _own_hash(values):
        raise BadCheckpoint(f"{file} is damaged: use another checkpoint")
    if manifest.format != FORMAT:
        raise BadCheckpoint(
            f"{file} has format {manifest.format}, but this program reads {FORMAT}: train it again"
        )
    return manifest


def seal(folder: Path, needs: Mapping[str, Checksum] | None = None) -> Manifest:
    """Write a manifest of all files now in a folder."""
    files = {
        file.name: Checksum.of(file.read_bytes())
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name != MANIFEST_FILE
    }
    manifest = Manifest(files=files, needs=dict(needs or {}))
    write_manifest(folder, manifest)
    return manifest


def read_listed(folder: Path, manifest: Manifest, name: str) -> bytes:
    """Read a file of a checkpoint and check it against the manifest."""
    expected = manifest.files.get(name)
    if expected is None:
        raise BadCheckpoint(
            f"{folder / MANIFEST_FILE} does not list {name}: use another checkpoint"
        )
    return read_checked(folder / name, expected)


def read_checked(file: Path, expected: Checksum) -> bytes:
    """Read a file and check its size and hash; the size is compared first."""
    try:
        data = read_regular(file, expected.size)
    except FileNotFoundError:
        raise BadCheckpoint(
            f"no {file.name} in {file.parent}: the checkpoint is incomplete"
        ) from None
    except (OSError, ValueError) as error:  # the latter: a name that no file can have
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadCheckpoint(f"cannot use {str(file)!r}: {reason}: use another checkpoint") from None
    if Checksum.of(data) != expected:
        raise BadCheckpoint(f"{file} is truncated or damaged: use another checkpoint")
    return data


def check_files(
    root: Path, sums: Mapping[str, Checksum], names: Iterable[str] | None = None
) -> None:
    """Refuse these files below a folder unless they match their checksums."""
    for name in sums if names is None else names:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise BadCheckpoint(f"{root}: a manifest lists {name!r}, which is outside it")
        read_checked(root / name, sums[name])


def _own_hash(values: Mapping[str, Any]) -> str:
    return Checksum.of(json.dumps(values, sort_keys=True).encode()).hash
