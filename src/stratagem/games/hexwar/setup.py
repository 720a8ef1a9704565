"""Setting up hexwar: the scenario's numbers, and map and victory hexes if they are random."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start, unit
from stratagem.games.hexwar.board import area_of
from stratagem.games.hexwar.rules import settle
from stratagem.games.hexwar.state import (
    NOBODY,
    NOWHERE,
    UNITS,
)


@kernel
def reset(s, scenario, seed):
    copy_constants(s, scenario)
    word = start(seed)
    if scenario["random_ground"] == 1:
        word = draw_ground(s, scenario, word)
    for seat in range(2):
        if scenario["random_goals"][seat] == 1:
            word = draw_goals(s, seat, word)
    s["target"] = NOWHERE
    s["arriving"] = NOBODY
    settle(s)


@kernel
def copy_constants(s, scenario):
    s["height"] = scenario["height"]
    s["width"] = scenario["width"]
    s["turns"] = scenario["turns"]
    s["stacking"] = scenario["stacking"]
    copy(scenario["attack_mods"], s["attack_mods"])
    copy(scenario["defence_mods"], s["defence_mods"])
    copy(scenario["costs"], s["costs"])
    copy(scenario["terrain_letters"], s["terrain_letters"])
    copy(scenario["kind_letters"], s["kind_letters"])
    for kind in range(len(s["kinds"])):
        copy(scenario["kinds"][kind], s["kinds"][kind])
    for cell in range(area_of(s)):
        s["ground"][cell] = scenario["ground"][cell]
    for seat in range(2):
        s["count"][seat] = scenario["count"][seat]
        s["goal_count"][seat] = scenario["goal_count"][seat]
        copy(scenario["goals"][seat], s["goals"][seat])
        copy(scenario["home"][seat], s["home"][seat])
        for place in range(scenario["count"][seat]):
            index = seat * UNITS + place
            s["kind"][index] = scenario["kind"][index]
            s["turn_due"][index] = scenario["turn_due"][index]
            s["zone"][index] = scenario["zone"][index]
            s["cell"][index] = NOWHERE


@kernel
def copy(source, target):
    for k in range(len(source)):
        target[k] = source[k]


@kernel
def draw_ground(s, scenario, word):
    """Draw each hex's terrain by the scenario's shares; zones stay as they are."""
    for cell in range(area_of(s)):
        word = advance(word)
        sample = unit(word)
        terrain = 0
        while scenario["shares"][terrain] <= sample:
            terrain += 1
        s["ground"][cell] = np.int64(s["ground"][cell]) | terrain
    return word


@kernel
def draw_goals(s, seat, word):
    """Draw different hexes of the seat's own side, all equally likely."""
    first = np.int64(s["home"][seat, 0])
    columns = np.int64(s["home"][seat, 1]) - first
    found = 0
    while found < s["goal_count"][seat]:
        word = advance(word)
        pick = below(word, np.int64(s["height"]) * columns)
        cell = pick // columns * np.int64(s["width"]) + first + pick % columns
        if not is_drawn(s, seat, found, cell):
            s["goals"][seat, found] = cell
            found += 1
    return word


@kernel
def is_drawn(s, seat, found, cell):
    for k in range(found):
        if s["goals"][seat, k] == cell:
            return True
    return False
