"""Describes decisions of hexwar: units by kind, hexes by name, fights with their strengths."""

from typing import Any

from stratagem.core.seats import OVER
from stratagem.core.sentences import joined
from stratagem.games.hexwar.board import goals_held, neighbour, stat, terrain_of
from stratagem.games.hexwar.notation.codes import goal_owner, hex_name, stack_of
from stratagem.games.hexwar.state import (
    ATTACK,
    DEAD,
    DEFENCE,
    HUNDRED,
    UNITS,
)

KINDS = {"I": "infantry", "A": "armour", "C": "cavalry", "G": "guns", "H": "guards"}
_WORDS = ("north", "north-east", "south-east", "south", "south-west", "north-west")


def describe(s: Any, action: int, after: Any) -> str:
    return _deed(s, action, after) + _ending(s, after)


def unit_name(s: Any, unit: int) -> str:
    """Return the name of a unit's kind; the letter for kinds defined by a scenario."""
    letter = chr(int(s["kind_letters"][int(s["kind"][unit])]))
    return KINDS.get(letter, f"unit {letter}")


def strengths(s: Any) -> tuple[float, float]:
    """Return attack and defence of the fight being prepared, including terrain."""
    attack = sum(
        int(stat(s, int(unit), ATTACK)) * int(s["attack_mods"][terrain_of(s, s["cell"][unit])])
        for unit in s["crew"][: int(s["crew_size"])]
    )
    target = int(s["target"])
    defence = sum(int(stat(s, unit, DEFENCE)) for unit in stack_of(s, target))
    defence *= int(s["defence_mods"][terrain_of(s, target)])
    return attack / HUNDRED, defence / HUNDRED


def _deed(s: Any, action: int, after: Any) -> str:
    height, width, stacking = int(s["height"]), int(s["width"]), int(s["stacking"])
    plane, cell = divmod(int(action), height * width)
    name = hex_name(s, cell)
    if plane == 0:
        return f"{{place}} {unit_name(s, int(s['arriving']))} on {name}"
    plane -= 1
    if plane < 6 * stacking:
        direction, level = divmod(plane, stacking)
        return _step(s, cell, level, direction)
    plane -= 6 * stacking
    if plane == 0:
        return f"{{attack}} {name} ({_defenders(s, cell)})"
    if plane <= stacking:
        unit = stack_of(s, cell)[plane - 1]
        return f"{{add}} {_which(s, cell, plane - 1)} to the attack (strength {_power(s, unit)})"
    if plane == stacking + 1:
        return _fight(s, cell, after)
    group, level = divmod(plane - stacking - 2, stacking)
    which = _which(s, cell, level)
    return f"{{keep}} {which} in place" if group == 0 else f"{{hold}} {which} back from attacking"


def _which(s: Any, cell: int, level: int, link: str = "on") -> str:
    """Name a unit by kind and hex, and by its place in the stack if that is ambiguous."""
    units = stack_of(s, cell)
    name = unit_name(s, units[level])
    alike = [place for place, unit in enumerate(units) if unit_name(s, unit) == name]
    return f"{_placed(name, alike.index(level), len(alike))} {link} {hex_name(s, cell)}"


def _placed(name: str, place: int, alike: int) -> str:
    """Return `infantry`; `the lower infantry` of two; `infantry 2 of 3 (from the bottom)`."""
    if alike == 1:
        return name
    if alike == 2:
        return f"the {('lower', 'upper')[place]} {name}"
    return f"{name} {place + 1} of {alike} (from the bottom)"


def _step(s: Any, cell: int, level: int, direction: int) -> str:
    there = int(neighbour(s, cell, direction))
    owner = goal_owner(s, there)
    goal = ", a victory hex" if owner == 1 - int(s["seat"]) else ""
    which = _which(s, cell, level, "from")
    return f"{{move}} {which} {_WORDS[direction]} to {hex_name(s, there)}{goal}"


def _defenders(s: Any, cell: int) -> str:
    units = stack_of(s, cell)
    modifier = int(s["defence_mods"][terrain_of(s, cell)])
    total = sum(int(stat(s, unit, DEFENCE)) for unit in units) * modifier / HUNDRED
    return f"{joined([unit_name(s, unit) for unit in units])}, defence {total:g}"


def _power(s: Any, unit: int) -> str:
    modifier = int(s["attack_mods"][terrain_of(s, s["cell"][unit])])
    return f"{int(stat(s, unit, ATTACK)) * modifier / HUNDRED:g}"


def _fight(s: Any, cell: int, after: Any) -> str:
    attack, defence = strengths(s)
    text = f"{{fight}} for {hex_name(s, cell)}: attack {attack:g} against defence {defence:g}"
    if after is None:
        return text
    lost = [
        f"{{{unit // UNITS}}} {{lose}} {unit_name(s, unit)}"
        for unit in range(2 * UNITS)
        if s["status"][unit] != DEAD and after["status"][unit] == DEAD
    ]
    return f"{text}; {joined(lost)}"


def _ending(s: Any, after: Any) -> str:
    """Describe the end of a turn, or of the game."""
    if after is None:
        return ""
    if after["seat"] == OVER:
        held = [goals_held(after, seat) * int(after["goal_count"][seat]) for seat in range(2)]
        if held[0] == held[1]:
            return "; the game ends in a draw"
        return f"; the game ends and {{{0 if held[0] > held[1] else 1}}} {{win}}"
    return f"; turn {int(after['turn'])} begins" if after["turn"] > s["turn"] else ""
