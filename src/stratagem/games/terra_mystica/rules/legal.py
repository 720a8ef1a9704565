"""Listing the legal decisions of a position."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.actions import (
    ACCEPT,
    BONUS_ACTION,
    BUILD,
    CONVERT,
    DIG,
    FACTION_ACTION,
    FAVOUR_ACTION,
    PASS,
    PER_CELL,
    POWER_ACTION,
    PRIEST,
    SHIP,
    STOP,
    TOWN_TILE,
)
from stratagem.games.terra_mystica.board.factions import (
    AUREN,
    CHAOS,
    DIG_COINS,
    ENGINEERS,
    GIANTS,
    HOME,
    MERMAIDS,
    MOST_DIG,
    MOST_SHIP,
    NOMADS,
    SWARMLINGS,
    WITCHES,
)
from stratagem.games.terra_mystica.board.hexes import LAND, LAND_CELL
from stratagem.games.terra_mystica.board.tiles import BON_CULT, BON_SPADE, FAV_STEP, POWER_COST
from stratagem.games.terra_mystica.rules.ground import has_stronghold
from stratagem.games.terra_mystica.rules.legal_hexes import (
    list_bridges,
    list_faction_action,
    list_ground,
    list_reward,
    list_rivers,
    list_upgrades,
)
from stratagem.games.terra_mystica.rules.resources import can_convert, can_pay
from stratagem.games.terra_mystica.state import (
    BRIDGING,
    CULT_STEP,
    CULT_TOP,
    FACTION,
    FAVOUR,
    FREE_DWELLING,
    FREE_POST,
    FREE_SPADES,
    LEECH,
    MAIN,
    REWARD_SPADES,
    SANDSTORM,
    SH_SPADES,
    SPLIT,
    START_BONUS,
    START_DWELLING,
    TOWN,
)


@kernel
def legal(s, out):
    seat = np.int64(s["seat"])
    kind = np.int64(s["kind"])
    count = 0
    if kind == MAIN:
        count = list_main(s, seat, out)
    elif kind == LEECH:
        out[0] = ACCEPT
        out[1] = STOP
        return 2
    elif kind == FREE_SPADES or kind == SH_SPADES:
        out[0] = STOP
        paid = kind == FREE_SPADES and s["split"] & SPLIT == 0
        count = list_ground(s, seat, np.int64(s["spades"]), paid, out, 1)
    elif kind == REWARD_SPADES:
        out[0] = STOP
        return list_reward(s, seat, out, 1)
    elif kind <= START_BONUS or kind == FACTION:
        return list_setup(s, seat, kind, out)
    elif kind == BRIDGING:
        count = list_bridges(s, seat, out, 0)
    elif kind == FREE_DWELLING or kind == FREE_POST or kind == SANDSTORM:
        count = list_faction_action(s, seat, kind, out)
    else:
        count = list_choices(s, seat, kind, out)
    if s["explicit"] and seat == s["active"] and not s["cultist_step"]:
        count = list_conversions(s, seat, out, count)
        if s["towns_due"] and kind != TOWN:
            count = list_towns(s, out, count)
    return count


@kernel
def list_conversions(s, seat, out, count):
    """List the nine free conversions of explicit mode, up to the scenario's number per turn."""
    if s["conversions"] < s["cap"]:
        for number in range(9):
            if can_convert(s, seat, number):
                out[count] = CONVERT + number
                count += 1
    return count


@kernel
def list_main(s, seat, out):
    count = 0
    if s["faction"][seat] == MERMAIDS:
        count = list_rivers(s, seat, out, count)
    if s["actions_left"] == 0:
        out[count] = STOP
        return count + 1
    count = list_ground(s, seat, 0, True, out, count)
    count = list_upgrades(s, seat, out, count)
    if can_pay(s, seat, 0, 1, 0, 0):
        count = list_priests(s, out, count)
    count = list_advances(s, seat, out, count)
    count = list_power_actions(s, seat, out, count)
    count = list_specials(s, seat, out, count)
    return list_passes(s, seat, out, count)


@kernel
def list_priests(s, out, count):
    for cult in range(4):
        if s["spot"][cult, 0] < 0:
            out[count] = PRIEST + 3 * cult
            count += 1
        if s["spot"][cult, 3] < 0:
            out[count] = PRIEST + 3 * cult + 1
            count += 1
        out[count] = PRIEST + 3 * cult + 2
        count += 1
    return count


@kernel
def list_advances(s, seat, out, count):
    faction = s["faction"][seat]
    if s["ship"][seat] < MOST_SHIP[faction] and can_pay(s, seat, 0, 1, 4, 0):
        out[count] = SHIP
        count += 1
    if s["dig"][seat] < MOST_DIG[faction] and can_pay(s, seat, 2, 1, DIG_COINS[faction], 0):
        out[count] = DIG
        count += 1
    return count


@kernel
def list_power_actions(s, seat, out, count):
    for number in range(6):
        if s["power_taken"][number] or not can_pay(s, seat, 0, 0, 0, POWER_COST[number]):
            continue
        if number == 0 and list_bridges(s, seat, out, count) == count:
            continue
        out[count] = POWER_ACTION + number
        count += 1
    return count


@kernel
def list_specials(s, seat, out, count):
    card = s["bonus"][seat]
    if (card == BON_SPADE or card == BON_CULT) and not s["used_bonus"][seat]:
        out[count] = BONUS_ACTION
        count += 1
    if (s["favours"][seat] >> FAV_STEP) & 1 and not s["used_favour"][seat]:
        out[count] = FAVOUR_ACTION
        count += 1
    if has_faction_action(s, seat, out, count):
        out[count] = FACTION_ACTION
        count += 1
    return count


@kernel
def has_faction_action(s, seat, out, count):
    """Whether there is a useful faction action. `out` beyond `count` is scratch space."""
    faction = s["faction"][seat]
    if faction == ENGINEERS:
        return can_pay(s, seat, 2, 0, 0, 0) and list_bridges(s, seat, out, count) > count
    if not has_stronghold(s, seat) or s["used_faction"][seat]:
        return False
    if faction == WITCHES:
        return list_faction_action(s, seat, FREE_DWELLING, out[count:]) > 0
    if faction == SWARMLINGS:
        return list_faction_action(s, seat, FREE_POST, out[count:]) > 0
    if faction == NOMADS:
        return list_faction_action(s, seat, SANDSTORM, out[count:]) > 0
    return faction == CHAOS or faction == AUREN or faction == GIANTS


@kernel
def list_passes(s, seat, out, count):
    """List passing with each card of the pool; in the last round, with the card held."""
    if s["round"] == 6:
        out[count] = PASS + np.int64(s["bonus"][seat])
        return count + 1
    for card in range(9):
        if s["card"][card] == -1:
            out[count] = PASS + card
            count += 1
    return count


@kernel
def list_setup(s, seat, kind, out):
    count = 0
    if kind == START_BONUS:
        return list_passes(s, seat, out, 0)
    if kind == START_DWELLING:
        home = HOME[s["faction"][seat]]
        for land in range(LAND):
            if s["terrain"][land] == home and s["owner"][land] < 0:
                out[count] = LAND_CELL[land] * PER_CELL + BUILD + home
                count += 1
        return count
    for faction in range(14):
        free = True
        for other in range(np.int64(s["players"])):
            if s["faction"][other] >= 0 and HOME[s["faction"][other]] == HOME[faction]:
                free = False
        if free:
            out[count] = PRIEST + faction
            count += 1
    return count


@kernel
def list_towns(s, out, count):
    """List town tiles; in explicit mode they may come before or after other choices."""
    for tile in range(5):
        if s["towns_left"][tile] > 0:
            out[count] = TOWN_TILE + tile
            count += 1
    return count


@kernel
def list_choices(s, seat, kind, out):
    count = 0
    if kind == CULT_STEP:
        for cult in range(4):
            out[cult] = PRIEST + 3 * cult + (1 if s["steps"] == 2 else 2)
        return 4
    if kind == CULT_TOP:
        for cult in range(4):
            if (s["tops_due"] >> cult) & 1:
                out[count] = PRIEST + 3 * cult
                count += 1
        return count
    if kind == FAVOUR:
        for tile in range(12):
            if s["favours_left"][tile] > 0 and not (s["favours"][seat] >> tile) & 1:
                out[count] = PRIEST + 3 * (tile % 4) + tile // 4
                count += 1
        return count
    if kind == TOWN:
        return list_towns(s, out, 0)
    out[0] = STOP  # TO_PRIESTS
    for number in range(min(3, np.int64(s["workers"][seat]))):
        out[1 + number] = POWER_ACTION + number
        count += 1
    return count + 1
