"""Battlefield a second time: the rules of docs/games/battlefield.md in slow, obvious Python.

Positions are dictionaries and tuples, agents are (seat, index) pairs, a whole game's positions are
remembered. Shares no code with the kernels; reads a record only to learn how a game was set up.
"""

from __future__ import annotations

import copy
import itertools
from typing import Any

Position = dict[str, Any]
Cell = tuple[int, int]

COMPASS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
DEEDS = [
    ("wait", ""),
    *[("move", way) for way in COMPASS],
    *[("shoot", way) for way in COMPASS],
]


def read_position(record: Any) -> Position:
    """The starting position that a record holds."""
    height, width = int(record["height"]), int(record["width"])
    agents = {}
    for seat in (0, 1):
        for index in range(int(record["team_size"])):
            row, column = divmod(int(record["cells"][seat][index]), 16)
            agents[seat, index] = {
                "at": (row, column),
                "health": int(record["health"][seat][index]),
                "ammo": int(record["ammo"][seat][index]),
            }
    position = {
        "height": height,
        "width": width,
        "team_size": int(record["team_size"]),
        "shot_range": int(record["shot_range"]),
        "damage": int(record["damage"]),
        "hold_turns": int(record["hold_turns"]),
        "shrink_every": int(record["shrink_every"]),
        "obstacles": {
            (row, column)
            for row in range(height)
            for column in range(width)
            if int(record["walls"][row]) & 2**column
        },
        "agents": agents,
        "mover": 0,
        "rings_lost": 0,
        "streak": {0: 0, 1: 0},
        "plies": 0,
        "last_damage": 0,
        "result": None,
        "seen": [],
        "repeated": False,
    }
    position["seen"].append(picture(position))
    return position


def picture(position: Position) -> Any:
    """What must be equal for a position to count as repeated."""
    return (
        position["mover"],
        position["rings_lost"],
        [tuple(agent.values()) for agent in position["agents"].values()],
    )


def is_safe(position: Position, cell: Cell) -> bool:
    lost = position["rings_lost"]
    return (
        cell[0] in range(lost, position["height"] - lost)
        and cell[1] in range(lost, position["width"] - lost)
    )  # fmt: skip


def is_ground(position: Position, cell: Cell) -> bool:
    on_board = cell[0] in range(position["height"]) and cell[1] in range(position["width"])
    return on_board and cell not in position["obstacles"]


def goal_cells(position: Position) -> set[Cell]:
    def middle(side: int) -> set[int]:
        return {side // 2} if side % 2 else {side // 2 - 1, side // 2}

    return set(itertools.product(middle(position["height"]), middle(position["width"])))


def who_stands(position: Position, cell: Cell) -> tuple[int, int] | None:
    for name, agent in position["agents"].items():
        if agent["at"] == cell:
            return name
    return None


def ahead(cell: Cell, way: str, steps: int = 1) -> Cell:
    return cell[0] + steps * COMPASS[way][0], cell[1] + steps * COMPASS[way][1]


def is_allowed(position: Position, name: tuple[int, int], deed: tuple[str, str]) -> bool:
    agent = position["agents"][name]
    if deed[0] == "wait":
        return True
    if agent["at"] is None:
        return False
    if deed[0] == "shoot":
        return agent["ammo"] > 0
    target = ahead(agent["at"], deed[1])
    return is_ground(position, target) and who_stands(position, target) is None


def kill(position: Position, name: tuple[int, int]) -> None:
    position["agents"][name] = {"at": None, "health": 0, "ammo": 0}


def do(position: Position, name: tuple[int, int], deed: tuple[str, str]) -> None:
    """One agent's part of a ply."""
    agent = position["agents"][name]
    if deed[0] == "move":
        agent["at"] = ahead(agent["at"], deed[1])
    if deed[0] == "shoot":
        agent["ammo"] -= 1
        for steps in range(1, position["shot_range"] + 1):
            cell = ahead(agent["at"], deed[1], steps)
            if not is_ground(position, cell) or not is_safe(position, cell):
                return
            met = who_stands(position, cell)
            if met is not None:
                if met[0] != name[0]:
                    hit(position, met)
                return


def hit(position: Position, name: tuple[int, int]) -> None:
    position["last_damage"] = position["plies"] + 1
    position["agents"][name]["health"] -= position["damage"]
    if position["agents"][name]["health"] <= 0:
        kill(position, name)


def deeds_of(position: Position, action: int) -> list[tuple[str, str]]:
    deeds = []
    for _ in range(position["team_size"]):
        deeds.insert(0, DEEDS[action % 9])
        action //= 9
    return deeds


def legal_actions(position: Position) -> set[int]:
    """Every joint action whose steps are allowed one after another, found by trying all."""
    found = set()
    for action in range(9 ** position["team_size"]):
        trial = {**position, "agents": copy.deepcopy(position["agents"])}
        for index, deed in enumerate(deeds_of(position, action)):
            name = (position["mover"], index)
            if not is_allowed(trial, name, deed):
                break
            do(trial, name, deed)
        else:
            found.add(action)
    return found


def play(position: Position, action: int) -> None:
    """Play a ply, changing the position."""
    mover = position["mover"]
    for index, deed in enumerate(deeds_of(position, action)):
        do(position, (mover, index), deed)
    position["plies"] += 1
    clear_outside(position, [mover])
    position["streak"][mover] += 1
    drop_streaks(position)
    position["mover"] = 1 - mover
    if position["streak"][mover] == position["hold_turns"]:
        position["result"] = mover
    else:
        decide_end(position)
    if position["result"] is None and position["plies"] % (2 * position["shrink_every"]) == 0:
        position["rings_lost"] += 1
        clear_outside(position, [0, 1])
        drop_streaks(position)
        decide_end(position)
    position["repeated"] = picture(position) in position["seen"]
    position["seen"].append(picture(position))


def clear_outside(position: Position, seats: list[int]) -> None:
    for name, agent in position["agents"].items():
        if name[0] in seats and agent["at"] is not None and not is_safe(position, agent["at"]):
            kill(position, name)
            position["last_damage"] = position["plies"]


def drop_streaks(position: Position) -> None:
    for seat in (0, 1):
        on_goal = [
            name
            for name, agent in position["agents"].items()
            if name[0] == seat and agent["at"] in goal_cells(position)
        ]
        if not on_goal:
            position["streak"][seat] = 0


def decide_end(position: Position) -> None:
    left = {
        seat
        for (seat, _), agent in position["agents"].items()
        if agent["at"] is not None
    }  # fmt: skip
    if len(left) == 1:
        position["result"] = left.pop()
    if len(left) == 0 and position["result"] is None:
        position["result"] = "draw"


def differences(position: Position, record: Any) -> list[str]:
    """What a record says differently."""
    over = position["result"] is not None
    pairs = {
        "seat": (-2 if over else position["mover"], int(record["seat"])),
        "winner": (position["result"] if position["result"] in (0, 1) else -1, record["winner"]),
        "margin": (position["rings_lost"], record["margin"]),
        "ply": (position["plies"], record["ply"]),
        "streak": (list(position["streak"].values()), record["streak"].tolist()),
        "damage_ply": (position["last_damage"], record["damage_ply"]),
    }
    if not over:
        pairs["repeated"] = (int(position["repeated"]), record["repeated"])
    for (seat, index), agent in position["agents"].items():
        cell = 255 if agent["at"] is None else agent["at"][0] * 16 + agent["at"][1]
        pairs[f"cell {seat} {index}"] = (cell, record["cells"][seat, index])
        pairs[f"health {seat} {index}"] = (agent["health"], record["health"][seat, index])
        pairs[f"ammo {seat} {index}"] = (agent["ammo"], record["ammo"][seat, index])
    return [f"{key}: twin {a}, record {b}" for key, (a, b) in pairs.items() if a != b]
