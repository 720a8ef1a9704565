"""Applies a decision: `apply`, then `proceed` until the next one."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica.actions import (
    ACCEPT,
    BONUS_ACTION,
    BUILD,
    CONVERT,
    DIG,
    FAVOUR_ACTION,
    PASS,
    PER_CELL,
    POWER_ACTION,
    PRIEST,
    SHIP,
    STOP,
    TOWN_TILE,
    UPGRADE,
)
from stratagem.games.terra_mystica.board.factions import (
    AUREN,
    CHAOS,
    DIG_COINS,
    ENGINEERS,
    GIANTS,
    HOME,
    NOMADS,
    SPADES,
    SWARMLINGS,
    TRADING_POST,
    WITCHES,
)
from stratagem.games.terra_mystica.board.hexes import BRIDGE_OF, CELL_LAND, CELL_RIVER
from stratagem.games.terra_mystica.board.tiles import BON_SPADE, FAV_TOWN, POWER_COST
from stratagem.games.terra_mystica.rules.building import (
    advance_ship,
    build_bridge,
    build_dwelling,
    favours_free,
    gain_spades,
    upgrade,
    upgrade_cost,
    upgrade_target,
    work_ground,
)
from stratagem.games.terra_mystica.rules.cults import advance_cult, enter_top, settle_tops
from stratagem.games.terra_mystica.rules.ground import ground_cost
from stratagem.games.terra_mystica.rules.income import pass_points, take_card
from stratagem.games.terra_mystica.rules.resources import convert, gain_power, gain_priests, pay
from stratagem.games.terra_mystica.rules.towns import check_every_group, connect, take_town
from stratagem.games.terra_mystica.rules.turns import (
    QUIET,
    accept_from,
    ask,
    clear_offer,
    deal_board,
    offer_to,
    power_gain,
    proceed,
    put_start,
)
from stratagem.games.terra_mystica.state import (
    BRIDGING,
    CULT_STEP,
    CULT_TOP,
    FACTION,
    FAVOUR,
    FREE_DWELLING,
    FREE_POST,
    LEECH,
    MAIN,
    NOTHING,
    REWARD_SPADES,
    SANDSTORM,
    START_BONUS,
    START_DWELLING,
    TO_PRIESTS,
)


@kernel
def step(s, action):
    apply(s, action)
    while s["kind"] == NOTHING and s["seat"] != OVER:
        proceed(s)


@kernel
def apply(s, action):
    """Apply one decision so that none is due; return what `proceed` might report."""
    seat = np.int64(s["seat"])
    kind = np.int64(s["kind"])
    if action >= CONVERT:
        convert(s, seat, action - CONVERT)
        s["conversions"] += 1
        return QUIET
    s["kind"] = NOTHING
    if TOWN_TILE <= action < TOWN_TILE + 5:
        take_town(s, seat, action - TOWN_TILE)
    elif kind == MAIN:
        if s["actions_left"] == 0 or is_river(action):
            after_action(s, seat, action)
        else:
            act(s, seat, action)
    elif kind == LEECH:
        return answer(s, seat, action)
    elif kind <= START_BONUS or kind == FACTION:
        set_up(s, seat, kind, action)
    elif kind <= REWARD_SPADES:
        use_spades(s, seat, kind, action)
    else:
        choose(s, seat, kind, action)
    return QUIET


@kernel
def is_river(action):
    return action < PRIEST and CELL_RIVER[action // PER_CELL] >= 0


@kernel
def after_action(s, seat, action):
    """Let the Mermaids connect over a river hex; otherwise the player's action is complete."""
    if is_river(action):
        connect(s, seat, CELL_RIVER[action // PER_CELL])
    else:
        s["conversions"] = 255


@kernel
def set_up(s, seat, kind, action):
    if kind == FACTION:
        deal_board(s, seat, action - PRIEST)
    elif kind == START_DWELLING:
        put_start(s, seat, CELL_LAND[action // PER_CELL])
    else:
        s["cursor"] += 1
        take_card(s, seat, action - PASS)


@kernel
def act(s, seat, action):
    """Apply an action of a turn."""
    s["actions_left"] -= 1
    if action < PRIEST:
        if action % PER_CELL < UPGRADE:
            work_ground(s, seat, action, 0)
        else:
            land = CELL_LAND[action // PER_CELL]
            building = upgrade_target(action % PER_CELL - UPGRADE)
            workers, coins = upgrade_cost(s, seat, land, building)
            pay(s, seat, workers, 0, coins, 0)
            upgrade(s, seat, land, building)
    elif action < SHIP:
        send_priest(s, seat, (action - PRIEST) // 3, (action - PRIEST) % 3)
    elif action == SHIP:
        pay(s, seat, 0, 1, 4, 0)
        advance_ship(s, seat)
    elif action == DIG:
        pay(s, seat, 2, 1, DIG_COINS[s["faction"][seat]], 0)
        s["dig"][seat] += 1
        s["vp"][seat] += 6
    elif action < BONUS_ACTION:
        take_power_action(s, seat, action - POWER_ACTION)
    elif action < PASS:
        take_special_action(s, seat, action)
    else:
        pass_turn(s, seat, action - PASS)


@kernel
def send_priest(s, seat, cult, place):
    """Send a priest to the three-step spot, a two-step spot, or for one step and back."""
    pay(s, seat, 0, 1, 0, 0)
    if place < 2:
        spot = 0
        if place == 1:
            spot = 1
            while s["spot"][cult, spot] >= 0:
                spot += 1
        s["spot"][cult, spot] = seat
        s["priests_out"][seat] += 1
    advance_cult(s, seat, cult, 3 - place)


@kernel
def take_power_action(s, seat, number):
    pay(s, seat, 0, 0, 0, POWER_COST[number])
    s["power_taken"][number] = 1
    if number == 0:
        s["bridge_due"] = 1
    elif number == 1:
        gain_priests(s, seat, 1)
    elif number == 2:
        s["workers"][seat] += 2
    elif number == 3:
        s["coins"][seat] += 7
    else:
        s["spades"] = number - 3
        gain_spades(s, seat, number - 3, True)


@kernel
def take_special_action(s, seat, action):
    if action == BONUS_ACTION:
        s["used_bonus"][seat] = 1
        if s["bonus"][seat] == BON_SPADE:
            s["spades"] = 1
            gain_spades(s, seat, 1, True)
        else:
            s["steps"] = 1
        return
    if action == FAVOUR_ACTION:
        s["used_favour"][seat] = 1
        s["steps"] = 1
        return
    faction = s["faction"][seat]
    if faction == ENGINEERS:
        pay(s, seat, 2, 0, 0, 0)
        s["bridge_due"] = 1
        return
    s["used_faction"][seat] = 1
    if faction == AUREN:
        s["steps"] = 2
    elif faction == CHAOS:
        s["actions_left"] += 2
    elif faction == GIANTS:
        s["spades"] = 2
        gain_spades(s, seat, 2, True)
    elif faction == NOMADS:
        ask(s, seat, SANDSTORM)
    elif faction == WITCHES:
        ask(s, seat, FREE_DWELLING)
    elif faction == SWARMLINGS:
        ask(s, seat, FREE_POST)


@kernel
def pass_turn(s, seat, card):
    s["vp"][seat] += pass_points(s, seat)
    rank = 1
    for other in range(np.int64(s["players"])):
        if s["passed"][other]:
            rank += 1
    s["passed"][seat] = rank
    s["actions_left"] = 0
    if s["round"] < 6:
        take_card(s, seat, card)


@kernel
def answer(s, seat, action):
    """Take the offered power, paying VP for it, or decline."""
    gain = power_gain(s, seat, offer_to(s, seat))
    clear_offer(s, seat)
    if action != ACCEPT:
        return QUIET
    gain_power(s, seat, gain)
    s["vp"][seat] -= gain - 1
    return accept_from(s)


@kernel
def use_spades(s, seat, kind, action):
    if kind == REWARD_SPADES:
        if action == STOP:
            s["reward"][seat] = 0
        else:
            s["reward"][seat] -= dig_reward(s, seat, action)
        return
    if action == STOP:
        s["spades"] = 0
    else:
        used = work_ground(s, seat, action, np.int64(s["spades"]))
        built = action % PER_CELL >= BUILD
        s["spades"] = 0 if built else max(0, np.int64(s["spades"]) - used)
    if s["spades"] == 0:
        s["stronghold_spades"] = 0


@kernel
def dig_reward(s, seat, action):
    """Transform with reward spades: nothing is paid, nothing else is scored."""
    land = CELL_LAND[action // PER_CELL]
    used = SPADES[s["faction"][seat], s["terrain"][land], action % PER_CELL]
    s["terrain"][land] = action % PER_CELL
    return used


@kernel
def choose(s, seat, kind, action):
    """Apply the choices that follow an action."""
    if kind == FAVOUR:
        take_favour(s, seat, (action - PRIEST) // 3, (action - PRIEST) % 3)
    elif kind == CULT_STEP:
        steps = max(1, np.int64(s["steps"]))
        s["steps"] = 0
        s["cultist_step"] = 0
        advance_cult(s, seat, (action - PRIEST) // 3, steps)
    elif kind == CULT_TOP:
        cult = (action - PRIEST) // 3
        s["tops_due"] = np.int64(s["tops_due"]) & ~(1 << cult)
        s["stuck"] = np.int64(s["stuck"]) & ~(1 << cult)
        enter_top(s, seat, cult)
        settle_tops(s, seat)
    elif kind == BRIDGING:
        s["bridge_due"] = 0
        build_bridge(s, seat, BRIDGE_OF[CELL_LAND[action // PER_CELL], action % PER_CELL])
    elif kind == TO_PRIESTS:
        s["priests_due"] = 0
        if action != STOP:
            s["workers"][seat] -= action - POWER_ACTION + 1
            gain_priests(s, seat, action - POWER_ACTION + 1)
    else:
        use_faction_action(s, seat, kind, CELL_LAND[action // PER_CELL], action)


@kernel
def use_faction_action(s, seat, kind, land, action):
    if kind == FREE_DWELLING:
        build_dwelling(s, seat, land)
    elif kind == FREE_POST:
        upgrade(s, seat, land, TRADING_POST)
    else:
        s["terrain"][land] = HOME[s["faction"][seat]]
        if action % PER_CELL >= BUILD:
            workers, priests, coins = ground_cost(s, seat, 0, False, True)
            pay(s, seat, workers, priests, coins, 0)
            build_dwelling(s, seat, land)


@kernel
def take_favour(s, seat, cult, rank):
    """Take the tile of a cult with 3 - rank steps; FAV5 may found towns at once."""
    tile = 4 * rank + cult
    s["favours_due"] -= 1
    s["favours_left"][tile] -= 1
    s["favours"][seat] = np.int64(s["favours"][seat]) | (1 << tile)
    if favours_free(s, seat) == 0:
        s["favours_due"] = 0
    advance_cult(s, seat, cult, 3 - rank)
    if tile == FAV_TOWN:
        check_every_group(s, seat)
