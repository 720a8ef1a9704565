"""A hexwar scenario as one structured record, for the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.games.hexwar.board import zone_bit
from stratagem.games.hexwar.scenario.fields import HexwarFields
from stratagem.games.hexwar.state import CONSTANTS, HUNDRED, TERRAINS, UNITS

SCENARIO = np.dtype(
    [
        *CONSTANTS,
        ("random_ground", "u1"),  # 1: terrain is drawn hex by hex
        ("shares", "f8", TERRAINS),  # cumulative shares of the terrains, for drawing
        ("random_goals", "u1", 2),  # 1: the victory hexes of a seat are drawn from its side
    ]
)


def pack(scenario: HexwarFields) -> npt.NDArray[np.void]:
    packed = np.zeros(1, SCENARIO)
    record = packed[0]
    for name in ("height", "width", "turns", "stacking"):
        record[name] = getattr(scenario, name)
    _pack_tables(scenario, record)
    _pack_ground(scenario, record)
    for seat in range(2):
        _pack_goals(scenario, seat, record)
        _pack_schedule(scenario, seat, record)
    return packed


def _pack_tables(scenario: HexwarFields, record: Any) -> None:
    for index, terrain in enumerate(scenario.terrains.values()):
        record["attack_mods"][index] = round(terrain.attack * HUNDRED)
        record["defence_mods"][index] = round(terrain.defence * HUNDRED)
        record["costs"][index] = terrain.cost
        record["terrain_letters"][index] = ord(terrain.letter)
    for index, kind in enumerate(scenario.kinds.values()):
        record["kinds"][index] = (kind.attack, kind.defence, kind.movement)
        record["kind_letters"][index] = ord(kind.letter)


def _pack_ground(scenario: HexwarFields, record: Any) -> None:
    for number, hexes in enumerate(scenario.zones):
        for row, column in hexes:
            record["ground"][row * scenario.width + column] |= zone_bit(number + 1)
    letters = [terrain.letter for terrain in scenario.terrains.values()]
    for cell, letter in enumerate("".join(scenario.rows())):
        record["ground"][cell] |= letters.index(letter)
    if scenario.random_terrain:
        record["random_ground"] = 1
        total = 0.0
        for index, name in enumerate(scenario.terrains):
            total += scenario.random_terrain.get(name, 0.0)
            record["shares"][index] = total
        # Beyond the last terrain: rounding must not let a sample slip through.
        used = max(list(scenario.terrains).index(name) for name in scenario.random_terrain)
        record["shares"][used:] = 2.0


def _pack_goals(scenario: HexwarFields, seat: int, record: Any) -> None:
    record["home"][seat] = scenario.home(seat)
    victory = scenario.players[seat].victory
    if isinstance(victory, int):
        record["random_goals"][seat] = 1
        record["goal_count"][seat] = victory
        return
    record["goal_count"][seat] = len(victory)
    for index, (row, column) in enumerate(victory):
        record["goals"][seat, index] = row * scenario.width + column


def _pack_schedule(scenario: HexwarFields, seat: int, record: Any) -> None:
    """Pack units by turn; those of one turn in the order of the file."""
    kinds = list(scenario.kinds)
    unit = seat * UNITS
    record["count"][seat] = scenario.unit_count(seat)
    for arrival in sorted(scenario.players[seat].arrivals, key=lambda arrival: arrival.turn):
        hexes = sorted({(row, column) for row, column in arrival.hexes})
        for name in arrival.units:
            record["kind"][unit] = kinds.index(name)
            record["turn_due"][unit] = arrival.turn
            record["zone"][unit] = scenario.zones.index(hexes) + 1 if hexes else 0
            unit += 1
