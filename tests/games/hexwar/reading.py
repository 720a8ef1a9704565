"""Between records of the game and the twin: fresh wars, texts of actions, differences."""

from __future__ import annotations

from typing import Any

from games.hexwar import twin
from stratagem.core.game import Game
from stratagem.core.seats import OVER

STATUSES = ("away", "ready", "moved", "done", "moved", "dead")
PHASES = ("reinforce", "move", "target", "attackers")
UNITS = 32


def start_beside(game: Game, s: Any) -> twin.War:
    """The twin of a fresh record; only what was drawn is read from it."""
    scenario: Any = game.scenario
    letters = {kind.letter: name for name, kind in scenario.terrains.items()}
    wide = scenario.width
    names = {
        divmod(cell, wide): letters[chr(s["terrain_letters"][int(s["ground"][cell]) & 7])]
        for cell in range(scenario.height * wide)
    }
    if scenario.map:
        rows = [row.replace(" ", "") for row in scenario.map]
        assert names == {
            (r, c): letters[letter] for r, row in enumerate(rows) for c, letter in enumerate(row)
        }
    goals = [
        [divmod(int(cell), wide) for cell in s["goals"][seat, : s["goal_count"][seat]]]
        for seat in range(2)
    ]
    return twin.start(scenario, names, goals)


def text_of(action: tuple) -> str:
    """The twin's action in the game's notation."""
    verb, (row, column), *rest = action
    name = f"{'abcdefghijklmnopqrst'[column]}{row + 1}"
    if rest:
        name += f"/{rest[0] + 1}"
    return " ".join([verb, name, *rest[1:]])


def differences(war: twin.War, s: Any) -> list[str]:
    """Where a record disagrees with the twin."""
    found = []
    seat = OVER if war.over else war.seat
    for name, wanted, given in (
        ("seat", seat, int(s["seat"])),
        ("turn", war.turn, int(s["turn"])),
        ("phase", war.phase, PHASES[s["phase"]] if not war.over else war.phase),
        ("target", war.target, where(s, s["target"])),
        ("crew", [index_of(unit) for unit in war.attackers], s["crew"][: s["crew_size"]].tolist()),
    ):
        if wanted != given:
            found.append(f"{name}: twin {wanted}, record {given}")
    for unit in [*war.units[0], *war.units[1]]:
        index = index_of(unit)
        given = (STATUSES[s["status"][index]], int(s["points"][index]), where(s, s["cell"][index]))
        if (unit.status, unit.points, unit.hex) != given:
            found.append(f"unit {index}: twin {unit}, record {given}")
    for place, units in war.board.items():
        given = stack(s, place[0] * war.width + place[1])
        if [index_of(unit) for unit in units] != given:
            found.append(f"stack {place}: twin {units}, record {given}")
    return found


def index_of(unit: twin.Unit) -> int:
    return unit.seat * UNITS + unit.number


def where(s: Any, cell: int) -> tuple[int, int] | None:
    return None if cell == 0xFFFF else divmod(int(cell), int(s["width"]))


def stack(s: Any, cell: int) -> list[int]:
    units, link = [], int(s["stack"][cell])
    while link:
        units.append(link - 1)
        link = int(s["above"][link - 1])
    return units
