"""Income, cult rewards and bonus cards."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import (
    DWELLING,
    ENGINEERS,
    INCOME,
    SANCTUARY,
    STRONGHOLD,
    TRADING_POST,
)
from stratagem.games.terra_mystica.board.hexes import BRIDGE, BRIDGES
from stratagem.games.terra_mystica.board.tiles import (
    BON_DWELLING,
    BON_LARGE,
    BON_POST,
    BONUS_INCOME,
    FAV_PASS,
    FAVOUR_INCOME,
    PASS_POSTS_VP,
    REWARD,
    REWARD_AMOUNT,
    REWARD_COIN,
    REWARD_CULT,
    REWARD_POWER,
    REWARD_PRIEST,
    REWARD_STEP,
    REWARD_WORKER,
)
from stratagem.games.terra_mystica.rules.building import gain_spades
from stratagem.games.terra_mystica.rules.ground import has_stronghold
from stratagem.games.terra_mystica.rules.resources import gain_power, gain_priests


@kernel
def income_of(s, seat, good):
    """Return the next income of a good: worker 0, coin 1, priest 2, power 3."""
    faction = s["faction"][seat]
    total = 0
    for building in range(DWELLING, SANCTUARY + 1):
        total += INCOME[faction, building, s["count"][seat, building], good]
    for tile in range(6, 9):  # FAV7, FAV8, FAV9
        if (s["favours"][seat] >> tile) & 1:
            total += FAVOUR_INCOME[tile, good]
    if s["bonus"][seat] >= 0:
        total += BONUS_INCOME[s["bonus"][seat], good]
    return total


@kernel
def receive_income(s, seat):
    s["workers"][seat] += income_of(s, seat, 0)
    s["coins"][seat] += income_of(s, seat, 1)
    gain_priests(s, seat, income_of(s, seat, 2))
    gain_power(s, seat, income_of(s, seat, 3))


@kernel
def receive_reward(s, seat):
    """Apply the cult reward of the ending round; spades are kept for the digging step."""
    tile = s["tile"][np.int64(s["round"]) - 1]
    times = np.int64(s["cult"][seat, REWARD_CULT[tile]]) // REWARD_STEP[tile]
    amount = times * REWARD_AMOUNT[tile]
    if REWARD[tile] == REWARD_COIN:
        s["coins"][seat] += amount
    elif REWARD[tile] == REWARD_WORKER:
        s["workers"][seat] += amount
    elif REWARD[tile] == REWARD_PRIEST:
        gain_priests(s, seat, amount)
    elif REWARD[tile] == REWARD_POWER:
        gain_power(s, seat, amount)
    else:
        s["reward"][seat] = amount
        gain_spades(s, seat, amount, False)


@kernel
def pass_points(s, seat):
    """Return VP for passing: the bonus card, FAV12, and the Engineers' bridges."""
    points = 0
    card = s["bonus"][seat]
    if card == BON_LARGE:
        points += 4 * (
            np.int64(s["count"][seat, STRONGHOLD]) + np.int64(s["count"][seat, SANCTUARY])
        )
    elif card == BON_POST:
        points += 2 * np.int64(s["count"][seat, TRADING_POST])
    elif card == BON_DWELLING:
        points += np.int64(s["count"][seat, DWELLING])
    if (s["favours"][seat] >> FAV_PASS) & 1:
        points += PASS_POSTS_VP[s["count"][seat, TRADING_POST]]
    if s["faction"][seat] == ENGINEERS and has_stronghold(s, seat):
        for k in range(BRIDGES):
            both = s["owner"][BRIDGE[k, 0]] == seat and s["owner"][BRIDGE[k, 1]] == seat
            if s["bridge"][k] == seat and both:
                points += 3
    return points


@kernel
def take_card(s, seat, card):
    """Take a bonus card from the pool with its coins, putting the old one back."""
    if s["bonus"][seat] >= 0:
        s["card"][s["bonus"][seat]] = -1
    s["card"][card] = seat
    s["bonus"][seat] = card
    s["coins"][seat] += np.int64(s["card_coins"][card])
    s["card_coins"][card] = 0
