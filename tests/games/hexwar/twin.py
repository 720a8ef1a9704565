"""Hexwar a second time, slow and obvious, from the rules on docs/games/hexwar.md.

Units are objects, a board is a dictionary from (row, column) to a list of units, every question
is answered by looking at everything. Actions are tuples: ("place", hex), ("move", hex, level,
direction), ("stay", hex, level), ("attack", hex), ("with", hex, level), ("fight", hex),
("hold", hex, level).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


@dataclass(eq=False)
class Unit:
    seat: int
    number: int  # place in the seat's schedule
    attack: int
    defence: int
    movement: int
    due: int
    arrival: frozenset  # hexes
    status: str = "away"  # away, ready, moved, done, dead
    points: int = 0
    hex: tuple | None = None


@dataclass
class War:
    height: int
    width: int
    turns: int
    stacking: int
    terrain: dict  # hex -> (attack modifier, defence modifier, cost)
    goals: list  # per seat: its victory hexes
    units: list  # per seat: in schedule order
    board: dict = field(default_factory=dict)  # hex -> units from the bottom up
    turn: int = 0
    seat: int = 0
    phase: str = "reinforce"
    target: tuple | None = None
    attackers: list = field(default_factory=list)
    over: bool = False


def start(scenario: Any, terrain_names: dict, goals: list) -> War:
    """A fresh game of a scenario model, with the terrain and the victory hexes that were drawn."""
    every = {(r, c) for r in range(scenario.height) for c in range(scenario.width)}
    wide = scenario.width
    if wide % 2 == 1:
        west, east = range(wide // 2), range(wide // 2 + 1, wide)
    else:
        west, east = range(wide // 2 - 1), range(wide // 2 + 1, wide)
    units = []
    for seat, player in enumerate((scenario.player1, scenario.player2)):
        own = frozenset(place for place in every if place[1] in (west, east)[seat])
        schedule = []
        for turn in range(scenario.turns + 1):
            for arrival in player.arrivals:
                if arrival.turn != turn:
                    continue
                where = frozenset(map(tuple, arrival.hexes)) or own
                for name in arrival.units:
                    kind = scenario.kinds[name]
                    schedule.append(
                        Unit(
                            seat, len(schedule), kind.attack, kind.defence, kind.movement, turn,
                            where,
                        )
                    )  # fmt: skip
        units.append(schedule)
    terrain = {}
    for place, name in terrain_names.items():
        kind = scenario.terrains[name]
        exact = [Fraction(str(kind.attack)), Fraction(str(kind.defence))]
        terrain[place] = (*exact, kind.cost)
    war = War(
        scenario.height, scenario.width, scenario.turns, scenario.stacking, terrain, goals, units,
        {place: [] for place in every},
    )  # fmt: skip
    go_on(war)
    return war


def step_from(war: War, place: tuple, direction: str) -> tuple | None:
    """The hex next to this one, found by drawing: columns 3/2 apart, odd ones half a hex lower."""
    across = {"N": 0, "S": 0, "NE": 1, "SE": 1, "NW": -1, "SW": -1}[direction]
    down = {"N": -2, "S": 2, "NE": -1, "NW": -1, "SE": 1, "SW": 1}[direction]  # in half hexes
    row, column = place
    height = 2 * row + (column % 2) + down
    found = ((height - (column + across) % 2) // 2, column + across)
    return found if found in war.board else None


def around(war: War, place: tuple) -> list:
    return [there for d in DIRECTIONS if (there := step_from(war, place, d))]


def owner(war: War, place: tuple) -> int | None:
    return war.board[place][0].seat if war.board[place] else None


def free_for(war: War, seat: int, place: tuple) -> bool:
    return owner(war, place) in (None, seat) and len(war.board[place]) < war.stacking


def enemies_near(war: War, unit: Unit) -> list:
    return [there for there in around(war, unit.hex) if owner(war, there) == 1 - unit.seat]


def waiting(war: War) -> Unit | None:
    """The reinforcement to place now: due, and with a free hex."""
    for unit in war.units[war.seat]:
        open_hexes = [place for place in unit.arrival if free_for(war, war.seat, place)]
        if unit.status == "away" and unit.due <= war.turn and open_hexes:
            return unit
    return None


def mine(war: War, status: str) -> list:
    return [unit for unit in war.units[war.seat] if unit.status == status]


def level(war: War, unit: Unit) -> int:
    return war.board[unit.hex].index(unit)


def legal(war: War) -> list:
    if war.over:
        return []
    if war.phase == "reinforce":
        unit = waiting(war)
        return [("place", place) for place in unit.arrival if free_for(war, war.seat, place)]
    if war.phase == "move":
        found = []
        for unit in mine(war, "ready"):
            found.append(("stay", unit.hex, level(war, unit)))
            for direction in DIRECTIONS:
                there = step_from(war, unit.hex, direction)
                if (
                    there
                    and war.terrain[there][2] <= unit.points
                    and free_for(war, war.seat, there)
                ):
                    found.append(("move", unit.hex, level(war, unit), direction))
        return found
    if war.phase == "target":
        able = mine(war, "moved")
        targets = {there for unit in able for there in enemies_near(war, unit)}
        return [
            *(("attack", there) for there in targets),
            *(("hold", unit.hex, level(war, unit)) for unit in able),
        ]
    able = [unit for unit in mine(war, "moved") if war.target in around(war, unit.hex)]
    found = [("with", unit.hex, level(war, unit)) for unit in able if unit not in war.attackers]
    return [*found, *([("fight", war.target)] if war.attackers else [])]


def play(war: War, action: tuple) -> None:
    verb, place, *rest = action
    if verb == "place":
        unit = waiting(war)
        unit.hex, unit.status, unit.points = place, "ready", unit.movement
        war.board[place].append(unit)
    elif verb == "attack":
        war.target, war.phase = place, "attackers"
    elif verb == "fight":
        fight(war)
    else:
        unit = war.board[place][rest[0]]
        if verb == "with":
            war.attackers.append(unit)
        elif verb == "hold":
            unit.status = "done"
        elif verb == "stay":
            finish_moving(war, unit)
        else:
            move(war, unit, step_from(war, place, rest[1]))
    go_on(war)


def move(war: War, unit: Unit, there: tuple) -> None:
    war.board[unit.hex].remove(unit)
    war.board[there].append(unit)
    unit.hex = there
    unit.points -= war.terrain[there][2]
    if all(war.terrain[near][2] > unit.points for near in around(war, there)):
        finish_moving(war, unit)


def finish_moving(war: War, unit: Unit) -> None:
    unit.status = "moved" if enemies_near(war, unit) else "done"


def fight(war: War) -> None:
    defenders = war.board[war.target]
    attack = sum(unit.attack * war.terrain[unit.hex][0] for unit in war.attackers)
    defence = sum(unit.defence for unit in defenders) * war.terrain[war.target][1]
    lost = []
    if attack >= defence:  # max() keeps the first of equals
        lost.append(max(defenders, key=lambda unit: (unit.defence, unit.attack, unit.movement)))
    if attack <= defence:
        lost.append(max(war.attackers, key=lambda unit: (unit.attack, unit.defence, unit.movement)))
    for unit in war.attackers:
        unit.status = "done"
    for unit in lost:
        war.board[unit.hex].remove(unit)
        unit.status, unit.hex, unit.points = "dead", None, 0
    war.attackers, war.target, war.phase = [], None, "target"


def go_on(war: War) -> None:
    """Skip every phase in which there is nothing to decide."""
    while not war.over:
        if war.phase == "attackers" or legal_or_none(war):
            return
        if war.turn == 0:
            war.seat, war.turn = (1, 0) if war.seat == 0 else (0, 1)
        elif war.phase == "reinforce":
            war.phase = "move"
        elif war.phase == "move":
            war.phase = "target"
        elif war.seat == 0:
            war.seat, war.phase = 1, "reinforce"
        elif war.turn == war.turns:
            war.over = True
        else:
            new_turn(war)


def legal_or_none(war: War) -> bool:
    if war.phase == "reinforce":
        return waiting(war) is not None
    return bool(mine(war, {"move": "ready", "target": "moved"}[war.phase]))


def new_turn(war: War) -> None:
    war.turn, war.seat, war.phase = war.turn + 1, 0, "reinforce"
    for unit in [*war.units[0], *war.units[1]]:
        if unit.status == "done":
            unit.status, unit.points = "ready", unit.movement


def share(war: War, seat: int) -> Fraction:
    wanted = war.goals[1 - seat]
    return Fraction(sum(owner(war, place) == seat for place in wanted), len(wanted))


def result(war: War) -> int:
    """+1 if player 1 won, -1 if player 2 did, 0 for a draw."""
    first, second = share(war, 0), share(war, 1)
    return (first > second) - (first < second)


def planes(war: War) -> dict:
    """What the observation must show, {(plane, row, column): value} without the zeros."""
    shown: dict = {}
    size = war.stacking
    for (row, column), values in war.terrain.items():
        for index, value in enumerate(values):
            shown[index, row, column] = float(value)
        for index in range(4):
            names = ("reinforce", "move", "target", "attackers")
            shown[42 + 19 * size + index, row, column] = float(war.phase == names[index])
        shown[46 + 19 * size, row, column] = war.turn / war.turns
        shown[47 + 19 * size, row, column] = 1.0 if war.seat == 0 else -1.0
    for seat in range(2):
        for row, column in war.goals[seat]:
            shown[3 + seat, row, column] = 1.0
        _show_arrivals(war, seat, shown)
        for unit in war.units[seat]:
            if unit.status in ("ready", "moved", "done"):
                group = ("ready", "moved", "done").index(unit.status)
                first = 41 + 9 * size * seat + 3 * (size * group + level(war, unit))
                for index, value in enumerate((unit.attack, unit.defence, unit.points)):
                    shown[first + index, *unit.hex] = float(value)
    if war.target:
        shown[41 + 18 * size, *war.target] = 1.0
    for unit in war.attackers:
        shown[42 + 18 * size + level(war, unit), *unit.hex] = 1.0
    return {key: value for key, value in shown.items() if value != 0.0}


def _show_arrivals(war: War, seat: int, shown: dict) -> None:
    coming = [unit for unit in war.units[seat] if unit.status == "away"][:3]
    for number, unit in enumerate(coming):
        first = 5 + 18 * seat + 6 * number
        left = max(0, unit.due - war.turn)
        for place in war.board:
            for index, value in enumerate((unit.attack, unit.defence, unit.movement)):
                shown[first + index, *place] = float(value) if place in unit.arrival else 0.0
                timing = (war.turns + 1 - left) / (war.turns + 1)
                shown[first + 3 + index, *place] = timing
