"""TOML files that name only what differs: `extends = "default"` builds on a file of the folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadScenario
from stratagem.core.toml import read_toml

_LONGEST = 100  # files that extend one another


def read_extended(file: Path) -> dict[str, Any]:
    """A TOML file on top of the one it extends, which may extend another in turn."""
    return _read(file, ())


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`changes` on top of `base`: tables are merged key by key, everything else is replaced.

    An empty table (`opponents = {}`) takes away what the base had there.
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
