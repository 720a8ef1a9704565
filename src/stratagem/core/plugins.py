"""What other packages add to Stratagem, found by entry point or by dotted name.

A package declares what it adds in its `pyproject.toml`:

    [project.entry-points."stratagem.agents"]
    cautious = "my_package.cautious"

Groups are `stratagem.games` (the package of a game's folder), `stratagem.agents`,
`stratagem.networks`, `stratagem.algorithms` (a package with the modules `settings` and `trainer`)
and `stratagem.measures`. An agent, network or measure without an entry point is found by its dotted
name, `my_package.cautious`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from stratagem.core.errors import BadSetting


@functools.cache
def plugins(group: str) -> Mapping[str, EntryPoint]:
    """Entry points of `stratagem.<group>` by name; nothing is imported yet."""
    return {point.name: point for point in entry_points(group=f"stratagem.{group}")}


def load_plugin(group: str, name: str) -> Any | None:
    """Load the object behind an entry point or a dotted name; None if the name is neither."""
    point = plugins(group).get(name)
    if point is None and "." not in name:
        return None
    try:
        return point.load() if point is not None else importlib.import_module(name)
    except (ImportError, AttributeError) as error:
        raise BadSetting(
            f"{group[:-1]} {name!r} cannot be imported ({error}): "
            "check the name, and that its package is installed or on PYTHONPATH"
        ) from None
