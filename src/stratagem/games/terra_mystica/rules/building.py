"""Spades, dwellings, upgrades and bridges: their effects and their points."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.actions import (
    BUILD,
    PER_CELL,
    UP_POST,
    UP_SANCTUARY,
    UP_STRONGHOLD,
)
from stratagem.games.terra_mystica.board.factions import (
    ALCHEMISTS,
    AUREN,
    CHAOS,
    COST,
    CULTISTS,
    DARKLINGS,
    DWARVES,
    DWELLING,
    FAKIRS,
    HALFLINGS,
    HOME,
    MERMAIDS,
    MOST_SHIP,
    SANCTUARY,
    SHIP_VP,
    SPADES,
    STRONGHOLD,
    TEMPLE,
    TRADING_POST,
)
from stratagem.games.terra_mystica.board.hexes import BIT, BRIDGE, CELL_LAND
from stratagem.games.terra_mystica.board.tiles import (
    FAV_DWELLING,
    FAV_POST,
    SCORE_DWELLING,
    SCORE_LARGE,
    SCORE_POST,
    SCORE_SPADE,
    TILE_EVENT,
    TILE_VP,
)
from stratagem.games.terra_mystica.rules.ground import (
    TUNNEL_VP,
    ground_cost,
    has_opponent_beside,
    has_stronghold,
    in_set,
    offer_power,
    reached,
    shipping,
)
from stratagem.games.terra_mystica.rules.resources import gain_power, pay
from stratagem.games.terra_mystica.rules.towns import check_town
from stratagem.games.terra_mystica.state import SPLIT, STRAYED, TUNNELLED


@kernel
def score_event(s, seat, event, times):
    """Score VP of the current round tile."""
    tile = s["tile"][np.int64(s["round"]) - 1]
    if TILE_EVENT[tile] == event:
        s["vp"][seat] += TILE_VP[tile] * times


@kernel
def gain_spades(s, seat, number, in_actions):
    """Score spades when they are gained, used or not; reward spades do not score the round tile."""
    if in_actions:
        score_event(s, seat, SCORE_SPADE, number)
    if s["faction"][seat] == HALFLINGS:
        s["vp"][seat] += number
    elif s["faction"][seat] == ALCHEMISTS and has_stronghold(s, seat):
        gain_power(s, seat, 2 * number)


@kernel
def stand(s, seat, land, building):
    """Put a structure on an empty hex."""
    s["building"][land] = building
    s["owner"][land] = seat
    s["occupied"][0] |= BIT[land, 0]
    s["occupied"][1] |= BIT[land, 1]
    s["site"][seat, np.int64(s["sites"][seat])] = land
    s["sites"][seat] += 1
    s["count"][seat, building] += 1


@kernel
def build_dwelling(s, seat, land):
    """Build a dwelling in the action phase, already paid: scores, town, offers."""
    stand(s, seat, land, DWELLING)
    score_event(s, seat, SCORE_DWELLING, 1)
    if (s["favours"][seat] >> FAV_DWELLING) & 1:
        s["vp"][seat] += 2
    check_town(s, seat, land)
    offer_power(s, land, seat)


@kernel
def work_ground(s, seat, action, free):
    """Transform a hex, or transform it if needed and build: spades beyond `free` are paid.

    Return the spades used.
    """
    land = CELL_LAND[action // PER_CELL]
    wanted = action % PER_CELL
    build = wanted >= BUILD
    terrain = wanted - BUILD if build else wanted
    faction = s["faction"][seat]
    used = SPADES[faction, s["terrain"][land], terrain]
    paid = max(0, used - free)
    beyond = False
    if faction == DWARVES or faction == FAKIRS:
        low, high = reached(s, seat, shipping(s, seat))
        beyond = not in_set(low, high, land)
    workers, priests, coins = ground_cost(s, seat, paid, beyond, build)
    pay(s, seat, workers, priests, coins, 0)
    if beyond:
        s["vp"][seat] += TUNNEL_VP
        s["split"] |= TUNNELLED
    if paid > 0:
        gain_spades(s, seat, paid, True)
        if faction == DARKLINGS:
            s["vp"][seat] += 2 * paid
    s["terrain"][land] = terrain
    s["split"] |= SPLIT
    if terrain != HOME[faction]:
        s["split"] |= STRAYED
    if build:
        build_dwelling(s, seat, land)
    return used


@kernel
def upgrade_target(which):
    """Return the building that an upgrade index makes."""
    if which == UP_POST:
        return TRADING_POST
    if which == UP_STRONGHOLD:
        return STRONGHOLD
    if which == UP_SANCTUARY:
        return SANCTUARY
    return TEMPLE


@kernel
def upgrade_cost(s, seat, land, building):
    """Return (workers, coins); a trading post with no opponent next to it costs double coins."""
    workers = COST[s["faction"][seat], building, 0]
    coins = COST[s["faction"][seat], building, 1]
    if building == TRADING_POST and not has_opponent_beside(s, land, seat):
        coins *= 2
    return workers, coins


@kernel
def favours_free(s, seat):
    """Count the favour tiles that this player could still take."""
    count = 0
    for tile in range(12):
        if s["favours_left"][tile] > 0 and not (s["favours"][seat] >> tile) & 1:
            count += 1
    return count


@kernel
def upgrade(s, seat, land, building):
    """Replace a structure, already paid: scores, favours, stronghold gifts, town, offers."""
    s["count"][seat, s["building"][land]] -= 1
    s["building"][land] = building
    s["count"][seat, building] += 1
    if building == TRADING_POST:
        score_event(s, seat, SCORE_POST, 1)
        if (s["favours"][seat] >> FAV_POST) & 1:
            s["vp"][seat] += 3
    elif building == STRONGHOLD or building == SANCTUARY:
        score_event(s, seat, SCORE_LARGE, 1)
    if building == TEMPLE or building == SANCTUARY:
        due = 2 if s["faction"][seat] == CHAOS else 1
        s["favours_due"] = min(due, favours_free(s, seat))
    if building == STRONGHOLD:
        receive_stronghold(s, seat)
    check_town(s, seat, land)
    offer_power(s, land, seat)


@kernel
def receive_stronghold(s, seat):
    """Apply a stronghold's one-time gift; special actions are listed elsewhere."""
    faction = s["faction"][seat]
    if faction == ALCHEMISTS:
        gain_power(s, seat, 12)
    elif faction == CULTISTS:
        s["vp"][seat] += 7
    elif faction == MERMAIDS:
        if s["ship"][seat] < MOST_SHIP[faction]:
            advance_ship(s, seat)
    elif faction == DARKLINGS:
        s["priests_due"] = 3
    elif faction == HALFLINGS:
        s["spades"] = 3
        s["stronghold_spades"] = 1
        gain_spades(s, seat, 3, True)
    elif faction == AUREN:
        s["favours_due"] = min(1, favours_free(s, seat))


@kernel
def advance_ship(s, seat):
    s["ship"][seat] += 1
    s["vp"][seat] += SHIP_VP[s["faction"][seat], s["ship"][seat]]


@kernel
def build_bridge(s, seat, place):
    s["bridge"][place] = seat
    s["bridges"][seat] += 1
    upper = BRIDGE[place, 0]
    lower = BRIDGE[place, 1]
    if s["owner"][upper] == seat:
        check_town(s, seat, upper)
    else:
        check_town(s, seat, lower)
