"""Published results: `results/<game>-<experiment>.json` at the top of a checkout."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import stratagem
from stratagem.experiments.kept import read_result
from stratagem.runs.provenance import PUBLISHED

RESULTS = PUBLISHED[0]


@dataclass(frozen=True)
class Published:
    """A result, and the digest of its file that its figures contain."""

    result: dict[str, Any]
    digest: str


def checkout_root() -> Path:
    """Return the top of the checkout that this package runs from."""
    return Path(stratagem.__file__).resolve().parents[2]


def published_file(root: Path, name: str) -> Path:
    return root / RESULTS / f"{name.replace('/', '-')}.json"


def read_published(root: Path, name: str) -> Published | None:
    """Read the published result of an experiment, if there is one."""
    file = published_file(root, name)
    if not file.is_file():
        return None
    return Published(read_result(file), hashlib.sha256(file.read_bytes()).hexdigest()[:16])
