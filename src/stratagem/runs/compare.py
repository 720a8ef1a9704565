"""What several runs have in common and where their settings differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

SEED = "seed"


def flatten(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return `search.sims` and the like, each with its plain value."""
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def differences(settings: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the settings that differ, with each run's value (None if it has none)."""
    flat = [flatten(one) for one in settings]
    keys = dict.fromkeys(key for one in flat for key in one)
    values = {key: [one.get(key) for one in flat] for key in keys}
    return {key: found for key, found in values.items() if any(one != found[0] for one in found)}


def same_but_seed(settings: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Group runs (by index) that differ only in their seeds, in the given order."""
    groups: dict[str, list[int]] = {}
    for index, one in enumerate(settings):
        rest = {key: value for key, value in flatten(one).items() if key != SEED}
        groups.setdefault(json.dumps(rest, sort_keys=True, default=str), []).append(index)
    return list(groups.values())
