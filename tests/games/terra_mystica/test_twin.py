"""Kernels against slow obvious twins written from the rulebook, on positions of random play.

The recorded games are the proof of the rules as a whole; these twins cover what a recording does
not show: what could have been done, and paying by conversion.
"""

from functools import cache

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.terra_mystica import state
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.board.factions import (
    DWARVES,
    FACTIONS,
    FAKIRS,
    HOME,
    MERMAIDS,
    SPADES,
)
from stratagem.games.terra_mystica.rules import ground, resources, scoring, towns

LETTERS = "ABCDEFGHI"


@cache
def positions():
    """Decisions of random games with two to five players."""
    found = []
    for players in ("2p-random", "3p", "4p", "5p"):
        game = load_game(f"terra_mystica/{players}")
        states = game.new_states(derive_seeds(3, "twin", count=4))
        generator = derive_generator(3, "twin moves", players)
        for _ in range(400):
            states = states[states["seat"] != OVER]
            if not len(states):
                break
            ids, counts = game.legal(states)
            chosen = [row[generator.integers(n)] for row, n in zip(ids, counts, strict=True)]
            if generator.random() < 0.15:
                found.append(states[:1].copy()[0])
            game.kernels.step(states, np.array(chosen, np.int32))
    return found


def test_map_numbers():
    assert [sum(letter != "." for letter in row) for row in board.MAP] == [
        13, 6, 5, 8, 11, 7, 7, 8, 12,
    ]  # fmt: skip
    assert all("".join(board.MAP).count(letter) == 11 for letter in "UKBGSRY")
    assert (board.DISTANCE == 1).sum() == 2 * 130
    assert len(board.BRIDGE) == 29


def test_bridge_places():
    south = "A3-C1 A7-C3 A11-C5 B1-D1 B6-D8 C2-E5 E4-G1 E8-G3 F1-H1 F2-H2 G2-I6"
    west = "B2-C1 B4-C3 B6-C5 C2-D3 C4-D5 C5-D6 D6-E8 F3-G1 G4-H5 H6-I9"
    east = "B1-C1 B3-C3 B5-C5 C2-D4 D6-E9 F2-G1 F4-G3 G2-H4"
    for direction, places in ((1, south), (0, west), (2, east)):
        ours = {
            f"{board.LAND_NAMES[a]}-{board.LAND_NAMES[b]}"
            for a, b, d, _ in board.BRIDGE
            if d == direction
        }
        assert ours == set(places.split())


def walk(origin, most):
    """Land hexes over 1..most river hexes from a land hex, by walking."""
    reached, edge = set(), {(int(board.LAND_CELL[origin]), 0)}
    for _ in range(most + 1):
        following = set()
        for cell, water in edge:
            row, column = divmod(cell, 13)
            shift = (0, 1) if row % 2 else (-1, 0)
            around = [(row, column - 1), (row, column + 1)]
            around += [(row + d, column + k) for d in (-1, 1) for k in shift]
            for r, c in around:
                if not (0 <= r < 9 and 0 <= c < len(board.MAP[r])):
                    continue
                if board.MAP[r][c] == ".":
                    if water < most:
                        following.add((r * 13 + c, water + 1))
                elif water > 0:
                    reached.add(int(board.CELL_LAND[r * 13 + c]))
        edge = following
    return reached - {origin}


@pytest.mark.parametrize("level", [1, 2, 3, 6])
def test_shipping(level):
    for land in range(board.LAND):
        ours = {b for b in range(board.LAND) if 1 <= board.SHIP[land, b] <= level}
        assert ours == walk(land, level)


def slow_reach(s, seat, level):
    own = [h for h in range(77) if s["owner"][h] == seat]
    near = {b for a in own for b in range(77) if board.DISTANCE[a, b] == 1}
    over = {b for a in own for b in walk(a, level)} if level else set()
    for place, owner in enumerate(s["bridge"]):
        ends = [int(end) for end in board.BRIDGE[place, :2]]
        if owner == seat:
            near |= {ends[1 - k] for k in range(2) if ends[k] in own}
    return {h for h in near | over if s["owner"][h] < 0}


def test_reach():
    for s in positions():
        for seat in range(int(s["players"])):
            if s["faction"][seat] < 0:
                continue
            level = int(s["ship"][seat])
            low, high = ground.reached(s, seat, level)
            ours = {h for h in range(77) if ground.in_set(low, high, h)}
            assert ours == slow_reach(s, seat, level)
            far_low, far_high = ground.reached_beyond(s, seat, low, high)
            beyond = {h for h in range(77) if ground.in_set(far_low, far_high, h)}
            assert beyond == slow_beyond(s, seat, ours)


def slow_beyond(s, seat, ours):
    faction = int(s["faction"][seat])
    if faction not in (DWARVES, FAKIRS):
        return set()
    most = 3 if faction == FAKIRS and s["count"][seat, 4] else 2
    own = [h for h in range(77) if s["owner"][h] == seat]
    near = {b for a in own for b in range(77) if 2 <= board.DISTANCE[a, b] <= most}
    return {h for h in near if s["owner"][h] < 0} - ours


def test_network():
    for s in positions():
        for seat in range(int(s["players"])):
            own = [h for h in range(77) if s["owner"][h] == seat]
            assert scoring.network_size(s, seat) == slow_network(s, seat, own)


def slow_network(s, seat, own):
    def linked(a, b):
        level, faction = int(s["ship"][seat]), int(s["faction"][seat])
        skip = {DWARVES: 2, FAKIRS: 3 if s["count"][seat, 4] else 2}.get(faction, 1)
        bridges = [set(board.BRIDGE[k, :2]) for k in range(29) if s["bridge"][k] == seat]
        return board.DISTANCE[a, b] <= skip or b in walk(a, level) or {a, b} in bridges

    best, left = 0, set(own)
    while left:
        group = {left.pop()}
        while more := {b for b in left if any(linked(a, b) for a in group)}:
            group |= more
            left -= more
        best = max(best, len(group))
    return best


def slow_group(s, seat, start):
    """Structures that neighbours, bridges of anybody and the Mermaids' rivers connect."""
    bridges = [set(board.BRIDGE[k, :2].tolist()) for k in range(29) if s["bridge"][k] >= 0]
    rivers = [
        set(board.RIVER_LAND[r].tolist())
        for r in range(board.RIVERS)
        if (int(s["river_town"]) >> r) & 1 and s["faction"][seat] == MERMAIDS
    ]
    group = {start}
    left = {h for h in range(77) if s["owner"][h] == seat} - group
    while more := {
        b
        for b in left
        for a in group
        if board.DISTANCE[a, b] == 1 or {a, b} in bridges or any({a, b} <= r for r in rivers)
    }:
        group |= more
        left -= more
    return group


def test_groups():
    sizes = set()
    for s in positions():
        for seat in range(int(s["players"])):
            for start in s["site"][seat, : s["sites"][seat]].tolist():
                low, high = towns.group_of(s, seat, *board.words([start]))
                ours = {h for h in range(77) if ground.in_set(low, high, h)}
                assert ours == slow_group(s, seat, start)
                sizes.add(len(ours))
                power, number = towns.power_of(s, seat, low, high)
                standing = [int(s["building"][h]) for h in ours]
                assert power == sum([0, 1, 2, 2, 3, 3][b] for b in standing)
                assert number == len(ours) + standing.count(5)
    assert max(sizes) > 3, "some positions hold real groups"


def slow_spades(faction, before, after):
    """Turn the wheel step by step, either way, never through the home terrain."""
    if before == after:
        return 0
    home, ways = int(HOME[faction]), []
    for turn in (1, -1):
        here, steps = before, 0
        while here != after:
            if here == home and steps:
                steps = 99
                break
            here, steps = (here + turn) % 7, steps + 1
        ways.append(steps)
    return min(ways)


def test_spades():
    for faction, name in enumerate(FACTIONS):
        for before in range(7):
            for after in range(7):
                ours = int(SPADES[faction, before, after])
                if name == "giants" and before != after:
                    assert ours == (2 if after == HOME[faction] else 99)
                else:
                    assert ours == slow_spades(faction, before, after)
    halflings = FACTIONS.index("halflings")
    assert SPADES[halflings, 1, 6] == 5, "swamp to desert goes the long way round"


@cache
def payable(w, p, c, b2, b3, need_w, need_p, need_c, need_pw, room):
    """Is there any sequence of conversions after which everything can be paid?"""
    if w >= need_w and p >= need_p and c >= need_c and b3 >= need_pw:
        return True
    rest = (need_w, need_p, need_c, need_pw, room)
    ways = []
    if b2 >= 2:
        ways.append((w, p, c, b2 - 2, b3 + 1))
    if b3 >= 1 and c < need_c:
        ways.append((w, p, c + 1, b2, b3 - 1))
    if b3 >= 3 and w < need_w:
        ways.append((w + 1, p, c, b2, b3 - 3))
    if b3 >= 5 and p < room:
        ways.append((w, p + 1, c, b2, b3 - 5))
    if p >= 1:
        ways += [(w + 1, p - 1, c, b2, b3), (w, p - 1, c + 1, b2, b3)]
    if w >= 1 and c < need_c:
        ways.append((w - 1, p, c + 1, b2, b3))
    return any(payable(*way, *rest) for way in ways)


def test_auto_pay_finds_every_way():
    states = np.zeros(1, state.DTYPE)
    s = states[0]
    generator = derive_generator(5, "paying")
    paid = 0
    for _ in range(1500):
        w, p, c, b1, b2, b3 = (int(n) for n in generator.integers(0, (4, 4, 5, 4, 7, 7)))
        need = [int(n) for n in generator.integers(0, (5, 3, 7, 2))]
        need[3] *= 3
        out = int(generator.integers(0, 8 - p))
        s["workers"][0], s["priests"][0], s["coins"][0] = w, p, c
        s["bowl"][0] = (b1, b2, b3)
        s["priests_out"][0] = out
        possible = payable(w, p, c, b2, b3, *need, 7 - out)
        assert bool(resources.can_pay(s, 0, *need)) == possible, (w, p, c, b2, b3, need, out)
        if possible:
            paid += 1
            resources.pay(s, 0, *need)
            after = [int(s[name][0]) for name in ("workers", "priests", "coins")]
            assert min(after) >= 0 and min(int(n) for n in s["bowl"][0]) >= 0
            burnt = b1 + b2 + b3 - int(s["bowl"][0].sum())
            assert burnt == max(0, (int(s["bowl"][0, 0]) - b1) - b3), "burn no more than needed"
    assert paid > 300
