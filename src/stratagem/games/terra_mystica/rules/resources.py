"""Power, priests, paying and converting.

Auto-pay, the rule for agents: whatever an action lacks is converted automatically. Priests come
from power; workers from power, then priests; coins from power, then workers, then priests; power is
burnt only if bowl III is not enough. If power for a worker would leave too little for the coins,
priests become the workers instead, so an action can be paid exactly if some way of converting pays
it. In explicit mode only goods in hand count.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.actions import (
    BURN,
    C_TO_VP,
    P_TO_C,
    P_TO_W,
    PW_TO_C,
    PW_TO_P,
    PW_TO_W,
    VP_TO_C,
    W_TO_C,
)
from stratagem.games.terra_mystica.board.factions import ALCHEMISTS, MOST_PRIESTS


@kernel
def gain_power(s, seat, amount):
    """Move power from bowl I to II first, then II to III; the excess is lost."""
    first = min(amount, np.int64(s["bowl"][seat, 0]))
    s["bowl"][seat, 0] = np.int64(s["bowl"][seat, 0]) - first
    middle = np.int64(s["bowl"][seat, 1]) + first
    second = min(amount - first, middle)
    s["bowl"][seat, 1] = middle - second
    s["bowl"][seat, 2] = np.int64(s["bowl"][seat, 2]) + second


@kernel
def spend_power(s, seat, amount):
    """Move power from bowl III to I, burning as little of bowl II as needed."""
    full = np.int64(s["bowl"][seat, 2])
    burnt = max(0, amount - full)
    s["bowl"][seat, 1] = np.int64(s["bowl"][seat, 1]) - 2 * burnt
    s["bowl"][seat, 2] = full + burnt - amount
    s["bowl"][seat, 0] = np.int64(s["bowl"][seat, 0]) + amount


@kernel
def gain_priests(s, seat, amount):
    """Add priests, up to seven in hand and on cult spots."""
    room = MOST_PRIESTS - np.int64(s["priests_out"][seat]) - np.int64(s["priests"][seat])
    s["priests"][seat] = np.int64(s["priests"][seat]) + min(amount, room)


@kernel
def lacking(s, seat, workers, priests, coins, power):
    """Return (total power to spend, workers made of power), or (-1, 0) if it cannot be paid."""
    have_w = np.int64(s["workers"][seat])
    have_p = np.int64(s["priests"][seat])
    have_c = np.int64(s["coins"][seat])
    full = np.int64(s["bowl"][seat, 2])
    if have_w >= workers and have_p >= priests and have_c >= coins and full >= power:
        return power, 0
    if s["explicit"]:
        return -1, 0
    most = full + np.int64(s["bowl"][seat, 1]) // 2
    if priests > have_p:
        power += 5 * (priests - have_p)
        if priests + np.int64(s["priests_out"][seat]) > MOST_PRIESTS:
            return -1, 0
    if power > most:
        return -1, 0
    spare_p = max(0, have_p - priests)
    missing_w = max(0, workers - have_w)
    missing_c = max(0, coins - have_c)
    spare_w = max(0, have_w - workers)
    made = min(missing_w, (most - power) // 3)
    while made >= 0 and missing_w - made <= spare_p:
        coins_left = most - power - 3 * made + spare_w + spare_p - (missing_w - made)
        if coins_left >= missing_c:
            return power + 3 * made + min(missing_c, most - power - 3 * made), made
        made -= 1
    return -1, 0


@kernel
def can_pay(s, seat, workers, priests, coins, power):
    total, _ = lacking(s, seat, workers, priests, coins, power)
    return total >= 0


@kernel
def pay(s, seat, workers, priests, coins, power):
    """Pay what `can_pay` allowed, converting automatically."""
    total, made = lacking(s, seat, workers, priests, coins, power)
    have_w = np.int64(s["workers"][seat])
    have_p = np.int64(s["priests"][seat])
    have_c = np.int64(s["coins"][seat])
    bought_p = max(0, priests - have_p)
    coins_from_power = total - power - 5 * bought_p - 3 * made
    spend_power(s, seat, total)
    have_p = have_p + bought_p - priests
    have_w += made
    if have_w < workers:
        have_p -= workers - have_w
        have_w = workers
    have_w -= workers
    have_c += coins_from_power
    if have_c < coins:
        from_w = min(have_w, coins - have_c)
        have_w -= from_w
        have_c += from_w
        have_p -= coins - have_c
        have_c = coins
    s["workers"][seat] = have_w
    s["priests"][seat] = have_p
    s["coins"][seat] = have_c - coins


@kernel
def can_convert(s, seat, number):
    """Whether this one of the nine conversions is possible now (explicit mode)."""
    if number == BURN:
        return s["bowl"][seat, 1] >= 2
    if number == PW_TO_C:
        return s["bowl"][seat, 2] >= 1
    if number == PW_TO_W:
        return s["bowl"][seat, 2] >= 3
    if number == PW_TO_P:
        room = MOST_PRIESTS - np.int64(s["priests_out"][seat]) - np.int64(s["priests"][seat])
        return s["bowl"][seat, 2] >= 5 and room > 0
    if number == P_TO_W or number == P_TO_C:
        return s["priests"][seat] >= 1
    if number == W_TO_C:
        return s["workers"][seat] >= 1
    if s["faction"][seat] != ALCHEMISTS:
        return False
    if number == VP_TO_C:
        return s["vp"][seat] >= 1
    return s["coins"][seat] >= 2


@kernel
def convert(s, seat, number):
    if number == BURN:
        s["bowl"][seat, 1] -= 2
        s["bowl"][seat, 2] += 1
    elif number == PW_TO_C:
        spend_power(s, seat, 1)
        s["coins"][seat] += 1
    elif number == PW_TO_W:
        spend_power(s, seat, 3)
        s["workers"][seat] += 1
    elif number == PW_TO_P:
        spend_power(s, seat, 5)
        s["priests"][seat] += 1
    elif number == P_TO_W:
        s["priests"][seat] -= 1
        s["workers"][seat] += 1
    elif number == P_TO_C:
        s["priests"][seat] -= 1
        s["coins"][seat] += 1
    elif number == W_TO_C:
        s["workers"][seat] -= 1
        s["coins"][seat] += 1
    elif number == VP_TO_C:
        s["vp"][seat] -= 1
        s["coins"][seat] += 1
    elif number == C_TO_VP:
        s["coins"][seat] -= 2
        s["vp"][seat] += 1
