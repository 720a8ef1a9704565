"""Goal Rush a second time, on the twin: what it may do in a position."""

from __future__ import annotations

from games.hexwar import twin


def choices(war: twin.War) -> set:
    """The actions that Goal Rush chooses among; more than one only where it draws lots."""
    legal = twin.legal(war)
    if war.phase == "reinforce":
        return set(legal)
    if war.phase == "attackers":
        joining = {action for action in legal if action[0] == "with"}
        return joining or set(legal)
    if war.phase == "move":
        unit = twin.mine(war, "ready")[0]
        here = (unit.hex, twin.level(war, unit))
        there = next_hex(war, unit)
        for direction in twin.DIRECTIONS:
            if there and twin.step_from(war, unit.hex, direction) == there:
                step = ("move", *here, direction)
                return {step} if step in legal else {("stay", *here)}
        return {("stay", *here)}
    able = twin.mine(war, "moved")
    for unit in able:
        there = next_hex(war, unit)
        if there and twin.owner(war, there) == 1 - war.seat:
            return {("attack", there)}
    return {("hold", able[0].hex, twin.level(war, able[0]))}


def next_hex(war: twin.War, unit: twin.Unit) -> tuple | None:
    """First step of the cheapest way to the nearest goal, hexes of equal ways in reading order."""
    ways = dict.fromkeys(war.board, 10**6)
    ways[unit.hex] = 0
    while True:  # relax everything until nothing changes
        better = {
            there: ways[here] + war.terrain[there][2]
            for here in war.board
            for there in twin.around(war, here)
            if ways[here] + war.terrain[there][2] < ways[there]
        }
        if not better:
            break
        ways.update(better)
    place = min(war.goals[1 - unit.seat], key=lambda goal: (ways[goal], goal))
    step = None
    while place != unit.hex:
        step = place
        place = min(
            here
            for here in twin.around(war, step)
            if ways[here] + war.terrain[step][2] == ways[step]
        )
    return step
