"""Listing what can be done on the map: ground, upgrades, bridges, rivers."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.actions import (
    BUILD,
    PER_CELL,
    TRANSFORM,
    UP_POST,
    UP_SANCTUARY,
    UP_STRONGHOLD,
    UP_TEMPLE,
    UPGRADE,
)
from stratagem.games.terra_mystica.board.factions import (
    DWARVES,
    DWELLING,
    FAKIRS,
    FOREST,
    HOME,
    MOST_BRIDGES,
    SANCTUARY,
    SPADES,
    STOCK,
    STRONGHOLD,
    TEMPLE,
    TRADING_POST,
)
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGES,
    LAND,
    LAND_CELL,
    NEAR,
    RIVER_CELL,
    RIVERS,
    WORD,
)
from stratagem.games.terra_mystica.rules.building import upgrade_cost
from stratagem.games.terra_mystica.rules.ground import (
    ground_cost,
    reached,
    reached_beyond,
    shipping,
)
from stratagem.games.terra_mystica.rules.resources import can_pay
from stratagem.games.terra_mystica.rules.towns import can_connect
from stratagem.games.terra_mystica.state import FREE_DWELLING, FREE_POST, STRAYED, TUNNELLED

_MOST_PAID = 5  # spades that a transformation can need at most


@kernel
def list_rivers(s, seat, out, count):
    for river in range(RIVERS):
        if can_connect(s, seat, river):
            out[count] = RIVER_CELL[river] * PER_CELL
            count += 1
    return count


@kernel
def most_spades(s, seat, free, paid, beyond, build):
    """Return the most spades that this seat can pay to work a hex; -1: none."""
    workers, priests, coins = ground_cost(s, seat, 0, beyond, build)
    if not can_pay(s, seat, workers, priests, coins, 0):
        return -1
    if not paid:
        return free
    number = 0
    while number + free < _MOST_PAID:
        workers, priests, coins = ground_cost(s, seat, number + 1, beyond, build)
        if not can_pay(s, seat, workers, priests, coins, 0):
            break
        number += 1
    return free + number


@kernel
def list_ground(s, seat, free, paid, out, count):
    """List transformations and dwellings, with free spades and, if `paid`, more for workers."""
    low, high = reached(s, seat, shipping(s, seat))
    least = 1 if free > 0 else 0
    count = list_hexes(s, seat, low, high, free, paid, False, least, out, count)
    faction = s["faction"][seat]
    if (faction == DWARVES or faction == FAKIRS) and not s["split"] & TUNNELLED:
        low, high = reached_beyond(s, seat, low, high)
        count = list_hexes(s, seat, low, high, free, paid, True, least, out, count)
    return count


@kernel
def list_hexes(s, seat, low, high, free, paid, beyond, least, out, count):
    faction = s["faction"][seat]
    home = HOME[faction]
    digs = most_spades(s, seat, free, paid, beyond, False)
    builds = -1
    if s["count"][seat, DWELLING] < STOCK[DWELLING]:
        builds = most_spades(s, seat, free, paid, beyond, True)
    if digs <= 0 and builds < 0:
        return count
    # If free spades are split over two hexes, only one of them may end in foreign terrain.
    home_only = s["split"] & STRAYED != 0 and s["stronghold_spades"] == 0
    for land in range(LAND):
        inside = (low >> land) & 1 if land < WORD else (high >> (land - WORD)) & 1
        if inside == 0:
            continue
        terrain = s["terrain"][land]
        base = LAND_CELL[land] * PER_CELL
        if digs > 0:
            for after in range(7):
                if after != terrain and SPADES[faction, terrain, after] <= digs:
                    if after == home or not home_only:
                        out[count] = base + TRANSFORM + after
                        count += 1
        if least <= SPADES[faction, terrain, home] <= builds:
            out[count] = base + BUILD + home
            count += 1
    return count


@kernel
def list_reward(s, seat, out, count):
    """List uses of reward spades: no payment, no bonus ship, no tunnel, no building."""
    low, high = reached(s, seat, np.int64(s["ship"][seat]))
    faction = s["faction"][seat]
    for land in range(LAND):
        inside = (low >> land) & 1 if land < WORD else (high >> (land - WORD)) & 1
        if inside:
            for after in range(7):
                needed = SPADES[faction, s["terrain"][land], after]
                if 0 < needed <= s["reward"][seat]:
                    out[count] = LAND_CELL[land] * PER_CELL + TRANSFORM + after
                    count += 1
    return count


@kernel
def list_upgrades(s, seat, out, count):
    afford = 0
    for building in range(TRADING_POST, SANCTUARY + 1):
        if building != TRADING_POST and s["count"][seat, building] < STOCK[building]:
            workers, coins = upgrade_cost(s, seat, 0, building)
            if can_pay(s, seat, workers, 0, coins, 0):
                afford |= 1 << building
    posts = s["count"][seat, TRADING_POST] < STOCK[TRADING_POST]
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        base = LAND_CELL[land] * PER_CELL + UPGRADE
        building = s["building"][land]
        if building == DWELLING and posts:
            workers, coins = upgrade_cost(s, seat, land, TRADING_POST)
            if can_pay(s, seat, workers, 0, coins, 0):
                out[count] = base + UP_POST
                count += 1
        elif building == TRADING_POST:
            if (afford >> STRONGHOLD) & 1:
                out[count] = base + UP_STRONGHOLD
                count += 1
            if (afford >> TEMPLE) & 1:
                out[count] = base + UP_TEMPLE
                count += 1
        elif building == TEMPLE and (afford >> SANCTUARY) & 1:
            out[count] = base + UP_SANCTUARY
            count += 1
    return count


@kernel
def list_bridges(s, seat, out, count):
    if s["bridges"][seat] >= MOST_BRIDGES:
        return count
    for k in range(BRIDGES):
        upper = BRIDGE[k, 0]
        if s["bridge"][k] < 0 and (s["owner"][upper] == seat or s["owner"][BRIDGE[k, 1]] == seat):
            out[count] = LAND_CELL[upper] * PER_CELL + BRIDGE[k, 2]
            count += 1
    return count


@kernel
def list_faction_action(s, seat, kind, out):
    count = 0
    if kind == FREE_POST:
        if s["count"][seat, TRADING_POST] < STOCK[TRADING_POST]:
            for k in range(np.int64(s["sites"][seat])):
                land = np.int64(s["site"][seat, k])
                if s["building"][land] == DWELLING:
                    out[count] = LAND_CELL[land] * PER_CELL + UPGRADE + UP_POST
                    count += 1
        return count
    stock = s["count"][seat, DWELLING] < STOCK[DWELLING]
    if kind == FREE_DWELLING:
        for land in range(LAND):
            if stock and s["terrain"][land] == FOREST and s["owner"][land] < 0:
                out[count] = LAND_CELL[land] * PER_CELL + BUILD + FOREST
                count += 1
        return count
    return list_sandstorm(s, seat, stock, out)


@kernel
def list_sandstorm(s, seat, stock, out):
    """List hexes adjacent to this seat's structures, not over bridges: to desert, with or without
    a dwelling."""
    home = HOME[s["faction"][seat]]
    workers, priests, coins = ground_cost(s, seat, 0, False, True)
    builds = stock and can_pay(s, seat, workers, priests, coins, 0)
    count = 0
    for land in range(LAND):
        if s["owner"][land] >= 0 or s["terrain"][land] == home:
            continue
        for k in range(6):
            other = NEAR[land, k]
            if other >= 0 and s["owner"][other] == seat:
                out[count] = LAND_CELL[land] * PER_CELL + TRANSFORM + home
                count += 1
                if builds:
                    out[count] = LAND_CELL[land] * PER_CELL + BUILD + home
                    count += 1
                break
    return count
