"""A hexwar scenario as one structured record, for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stratagem.games.hexwar import board, rules

if TYPE_CHECKING:
    from stratagem.games.hexwar.scenario import HexwarScenario


def pack(scenario: HexwarScenario) -> npt.NDArray[np.void]:
    packed = np.zeros(1, rules.SCENARIO)
    record = packed[0]
    for name in ("height", "width", "turns", "stacking"):
        record[name] = getattr(scenario, name)
    _pack_tables(scenario, record)
    _pack_ground(scenario, record)
    for seat in range(2):
        _pack_goals(scenario, seat, record)
        _pack_schedule(scenario, seat, record)
    return packed


def _pack_tables(scenario: HexwarScenario, record: Any) -> None:
    for index, terrain in enumerate(scenario.terrains.values()):
        record["attack_mods"][index] = round(terrain.attack * board.HUNDRED)
        record["defence_mods"][index] = round(terrain.defence * board.HUNDRED)
        record["costs"][index] = terrain.cost
        record["terrain_letters"][index] = ord(terrain.letter)
    for index, kind in enumerate(scenario.kinds.values()):
        record["kinds"][index] = (kind.attack, kind.defence, kind.movement)
        record["kind_letters"][index] = ord(kind.letter)


def _pack_ground(scenario: HexwarScenario, record: Any) -> None:
    for number, hexes in enumerate(scenario.zones):
        for row, column in hexes:
            record["ground"][row * scenario.width + column] |= board.zone_bit(number + 1)
    letters = [terrain.letter for terrain in scenario.terrains.values()]
    for cell, letter in enumerate("".join(scenario.rows())):
        record["ground"][cell] |= letters.index(letter)
    if scenario.random_terrain:
        record["random_ground"] = 1
        total = 0.0
        for index, name in enumerate(scenario.terrains):
            total += scenario.random_terrain.get(name, 0.0)
            record["shares"][index] = total
        # Beyond the last terrain of all: rounding must not let a sample slip through.
        used = max(list(scenario.terrains).index(name) for name in scenario.random_terrain)
        record["shares"][used:] = 2.0


def _pack_goals(scenario: HexwarScenario, seat: int, record: Any) -> None:
    record["home"][seat] = scenario.home(seat)
    victory = scenario.players[seat].victory
    if isinstance(victory, int):
        record["random_goals"][seat] = 1
        record["goal_count"][seat] = victory
        return
    record["goal_count"][seat] = len(victory)
    for index, (row, column) in enumerate(victory):
        record["goals"][seat, index] = row * scenario.width + column


def _pack_schedule(scenario: HexwarScenario, seat: int, record: Any) -> None:
    """Units by turn; those of one turn in the order of the file."""
    kinds = list(scenario.kinds)
    unit = seat * board.UNITS
    record["count"][seat] = scenario.unit_count(seat)
    for arrival in sorted(scenario.players[seat].arrivals, key=lambda arrival: arrival.turn):
        hexes = sorted({(row, column) for row, column in arrival.hexes})
        for name in arrival.units:
            record["kind"][unit] = kinds.index(name)
            record["turn_due"][unit] = arrival.turn
            record["zone"][unit] = scenario.zones.index(hexes) + 1 if hexes else 0
            unit += 1
