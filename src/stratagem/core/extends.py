"""TOML files that contain only differences: `extends = "default"` builds on a sibling file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadScenario
from stratagem.core.toml import read_toml

_LONGEST = 100  # files in a chain


def read_extended(file: Path) -> dict[str, Any]:
    """Read a TOML file merged into the file it extends, which may extend another in turn."""
    return _read(file, ())


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `changes`: tables are merged key by key, other values are replaced.

    An empty table (`opponents = {}`) removes what the base has there.
    """
    merged = dict(base)
    for key, value in changes.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping) and value:
            merged[key] = merge(below, value)
        else:
            merged[key] = value
    return merged


def _read(file: Path, above: tuple[str, ...]) -> dict[str, Any]:
    values = read_toml(file)
    base = values.pop("extends", None)
    if base is None:
        return values
    chain = (*above, file.stem)
    if len(chain) > _LONGEST:
        raise BadScenario(f"{file.name}: key 'extends': a chain of more than {_LONGEST} files")
    if isinstance(base, str) and base in chain:
        circle = " -> ".join((*chain, str(base)))
        raise BadScenario(f"{file.name}: key 'extends' leads back to itself ({circle}): break it")
    known = {other.stem: other for other in sorted(file.parent.glob("*.toml"))}
    if not isinstance(base, str) or base not in known:
        names = ", ".join(known)
        raise BadScenario(f"{file.name}: key 'extends': no file {base!r} here, known: {names}")
    return merge(_read(known[base], chain), values)
