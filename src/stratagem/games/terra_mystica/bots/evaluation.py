"""The value of a position for a seat, in VP: the evaluation of the scripted player.

Goods count more when more rounds are left to turn them into points; income counts for each round
that will pay it. Every weight below was chosen by hand.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import (
    DWELLING,
    ENGINEERS,
    HOME,
    MOST_SHIP,
    POWER_VALUE,
    SANCTUARY,
    STRONGHOLD,
    TRADING_POST,
)
from stratagem.games.terra_mystica.board.hexes import LAND, NEAR, WORD
from stratagem.games.terra_mystica.board.tiles import (
    FAV_DWELLING,
    FAV_PASS,
    FAV_POST,
    FAV_STEP,
    FAV_TOWN,
    REWARD,
    REWARD_CULT,
    REWARD_POWER,
    REWARD_STEP,
    TILE_EVENT,
    TILE_VP,
)
from stratagem.games.terra_mystica.rules.ground import reached
from stratagem.games.terra_mystica.rules.income import income_of
from stratagem.games.terra_mystica.rules.scoring import network_size

# [rounds left after this one] worth of a worker, coin, priest, and a token in bowl II and III
_WORKER = np.array([0.36, 1.0, 1.15, 1.25, 1.3, 1.35, 1.4])
_COIN = np.array([0.34, 0.5, 0.6, 0.65, 0.7, 0.7, 0.7])
_PRIEST = np.array([0.40, 1.7, 1.9, 2.1, 2.2, 2.3, 2.3])
_BOWL_3 = np.array([0.33, 0.5, 0.55, 0.6, 0.6, 0.6, 0.6])
_BOWL_2 = np.array([0.16, 0.2, 0.25, 0.28, 0.3, 0.3, 0.3])


@kernel
def worth(s, seat):
    if s["faction"][seat] < 0:
        return 0.0
    left = 6 - max(1, np.int64(s["round"]))
    value = np.float64(s["vp"][seat]) + goods(s, seat, left)
    value += future_income(s, seat, left)
    value += cult_worth(s, seat, left)
    value += tiles_worth(s, seat, left)
    value += ground_worth(s, seat, left)
    return value


@kernel
def goods(s, seat, left):
    """Rate goods in hand; hoards count less, because they wait to be spent."""
    index = left
    if s["passed"][seat] and left > 0:
        index = left - 1
    workers = np.float64(s["workers"][seat])
    coins = np.float64(s["coins"][seat])
    value = _WORKER[index] * min(workers, 8.0) + 0.34 * max(0.0, workers - 8.0)
    value += _COIN[index] * min(coins, 15.0) + 0.34 * max(0.0, coins - 15.0)
    value += _PRIEST[index] * s["priests"][seat]
    value += _BOWL_3[index] * s["bowl"][seat, 2] + _BOWL_2[index] * s["bowl"][seat, 1]
    tokens = np.int64(s["bowl"][seat, 0]) + np.int64(s["bowl"][seat, 1]) + s["bowl"][seat, 2]
    return value + 0.12 * left * tokens


@kernel
def future_income(s, seat, left):
    """Rate the income of coming rounds; the bonus card counts only once it has been taken."""
    if left == 0:
        return 0.0
    value = 0.0
    for good in range(4):
        amount = np.float64(income_of(s, seat, good))
        for later in range(left):
            unit = _WORKER[later]
            if good == 1:
                unit = _COIN[later]
            elif good == 2:
                unit = _PRIEST[later]
            elif good == 3:
                unit = 0.5 * _BOWL_3[later]
            value += 0.85 * unit * amount
    return value


@kernel
def cult_worth(s, seat, left):
    """Rate the share of the prizes at present, the steps themselves, and this round's reward."""
    value = 0.0
    players = np.int64(s["players"])
    for cult in range(4):
        here = np.int64(s["cult"][seat, cult])
        above = 0
        level = 0
        for other in range(players):
            if other != seat:
                if s["cult"][other, cult] > here:
                    above += 1
                elif s["cult"][other, cult] == here:
                    level += 1
        prize = 0.0
        if here > 0 and above < 3:
            prize = 8.0 / (1 << above) - (1.5 if level > 0 else 0.0)
        value += prize * (1.0 - 0.13 * left) + 0.25 * here
    if 0 < s["round"] < 6:
        tile = s["tile"][np.int64(s["round"]) - 1]
        times = np.int64(s["cult"][seat, REWARD_CULT[tile]]) // REWARD_STEP[tile]
        value += times * (1.6 if REWARD[tile] == REWARD_POWER else 1.1)
    return value


@kernel
def tiles_worth(s, seat, left):
    """Rate favours, exchange rate, shipping, stronghold and keys for the rest of the game."""
    favours = np.int64(s["favours"][seat])
    value = 0.0
    if (favours >> FAV_DWELLING) & 1:
        value += 2.2 * left + 0.8
    if (favours >> FAV_POST) & 1:
        value += 2.2 * left + 0.8
    if (favours >> FAV_PASS) & 1:
        value += 2.6 * left + 2.0
    if (favours >> FAV_STEP) & 1:
        value += 1.0 * left
    if (favours >> FAV_TOWN) & 1:
        value += 0.7 * left
    value += np.int64(s["dig"][seat]) * 0.9 * left
    if MOST_SHIP[s["faction"][seat]] > 0:
        value += min(np.int64(s["ship"][seat]), 3) * 0.9 * left
    if s["count"][seat, STRONGHOLD] > 0:
        value += 1.6 * left
        if s["faction"][seat] == ENGINEERS:
            value += 2.2 * np.int64(s["bridges"][seat]) * left
    for later in range(np.int64(s["round"]), 6):
        event = TILE_EVENT[s["tile"][later]]
        if event == 2:  # dwellings left to build in such a round
            value += 0.02 * TILE_VP[s["tile"][later]] * (8 - np.int64(s["count"][seat, DWELLING]))
    return value + 1.0 * s["keys"][seat]


@kernel
def ground_worth(s, seat, left):
    """Rate the present network, room to grow, and groups close to becoming a town."""
    value = 0.9 * network_size(s, seat)
    low, high = reached(s, seat, np.int64(s["ship"][seat]))
    home = HOME[s["faction"][seat]]
    near_home = 0
    beside = 0
    for land in range(LAND):
        inside = (low >> land) & 1 if land < WORD else (high >> (land - WORD)) & 1
        if inside:
            beside += 1
            if s["terrain"][land] == home:
                near_home += 1
    value += min(near_home, 4) * (0.35 + 0.2 * left) + 0.05 * left * min(beside, 15)
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        if not s["town"][land]:
            together = POWER_VALUE[s["building"][land]]
            number = 1
            opponents = 0
            for n in range(6):
                other = NEAR[land, n]
                if other >= 0 and s["owner"][other] == seat:
                    together += POWER_VALUE[s["building"][other]]
                    number += 1
                elif other >= 0 and s["owner"][other] >= 0:
                    opponents += 1
            value += 0.12 * min(together, 7) * min(number, 4) * (1.0 if left > 0 else 0.3)
            value += 0.25 * left * min(opponents, 2)
    large = np.int64(s["count"][seat, STRONGHOLD]) + np.int64(s["count"][seat, SANCTUARY])
    return value + 0.3 * left * large + 0.1 * left * s["count"][seat, TRADING_POST]
