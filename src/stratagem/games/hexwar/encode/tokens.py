"""Hexwar's actions as tokens, for networks that decide field by field.

A token names the kind of action, the hex where it happens, the unit's level in that hex, and the
target hex: the destination of a move, or the hex under attack. The actions themselves are planes
over the board (`actions.py`); this module only says which entries of a token each of them sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stratagem.core.specs import ActionField, ActionSpec
from stratagem.games.hexwar import actions
from stratagem.games.hexwar.board import hexes_around


def spec(scenario: Any) -> ActionSpec:
    """Return the actions as planes, and each as a token."""
    layout = actions.spec(scenario)
    area = scenario.height * scenario.width
    fields = (
        ActionField("kind", len(actions.plane_groups(scenario.stacking)), "choice"),
        ActionField("tile", area, "nodes"),
        ActionField("units", scenario.stacking, "set"),
        ActionField("target", area, "nodes"),
    )
    return ActionSpec(layout.size, layout.shape, fields=fields, tokens=tuple(_tokens(scenario)))


def _tokens(scenario: Any) -> Iterator[tuple[int, ...]]:
    """Yield the entries that each action sets, in the order of the actions."""
    groups = actions.plane_groups(scenario.stacking)
    area = scenario.height * scenario.width
    tile = len(groups)
    units = tile + area
    target = units + scenario.stacking
    around = hexes_around(scenario.height, scenario.width)
    for kind, (name, planes) in enumerate(groups):
        for plane in range(planes):
            direction, level = divmod(plane, scenario.stacking)
            for cell in range(area):
                if name == "movement":
                    there = int(around[cell, direction])
                    aim = (target + there,) if there >= 0 else ()  # off the board: never legal
                    yield kind, tile + cell, units + level, *aim
                elif name in ("target", "confirm"):
                    yield kind, target + cell
                elif name == "placement":
                    yield kind, tile + cell
                else:
                    yield kind, tile + cell, units + level
