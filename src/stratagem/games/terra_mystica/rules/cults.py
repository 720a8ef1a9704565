"""Cult tracks: steps, power on the way, and space 10 with its key."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.tiles import CULT_POWER
from stratagem.games.terra_mystica.rules.resources import gain_power


@kernel
def top_is_free(s, cult):
    for seat in range(np.int64(s["players"])):
        if s["cult"][seat, cult] == 10:
            return False
    return True


@kernel
def enter_top(s, seat, cult):
    s["keys"][seat] -= 1
    s["cult"][seat, cult] = 10
    gain_power(s, seat, CULT_POWER[10])


@kernel
def advance_cult(s, seat, cult, steps):
    """Move a marker; without a key it stops at 9 and the turn remembers the lost step."""
    here = np.int64(s["cult"][seat, cult])
    if here == 10:
        return
    power = 0
    there = min(here + steps, 9)
    for space in range(here + 1, there + 1):
        power += CULT_POWER[space]
    s["cult"][seat, cult] = there
    gain_power(s, seat, power)
    if here + steps >= 10 and top_is_free(s, cult):
        if s["keys"][seat] > 0:
            enter_top(s, seat, cult)
        else:
            s["stuck"] = np.int64(s["stuck"]) | (1 << cult)


@kernel
def count_bits(bits):
    count = 0
    while bits:
        count += bits & 1
        bits >>= 1
    return count


@kernel
def gain_key(s, seat, steps_everywhere):
    """Use a town's key: complete steps stuck at 9; TW5 also steps on all four tracks.

    If more tracks wait for space 10 than there are keys, the player chooses (`tops_due`).
    """
    s["keys"][seat] += 1
    waiting = np.int64(s["stuck"])
    for cult in range(4):
        if (waiting >> cult) & 1 and not top_is_free(s, cult):
            waiting &= ~(1 << cult)
        if steps_everywhere:
            if s["cult"][seat, cult] < 9:
                advance_cult(s, seat, cult, 1)
            elif s["cult"][seat, cult] == 9 and top_is_free(s, cult):
                waiting |= 1 << cult
    s["stuck"] = waiting
    s["tops_due"] = waiting
    settle_tops(s, seat)


@kernel
def settle_tops(s, seat):
    """Enter the waiting tops if there are keys for all; forget them if there is no key."""
    waiting = np.int64(s["tops_due"])
    if waiting == 0:
        return
    if s["keys"][seat] >= count_bits(waiting):
        for cult in range(4):
            if (waiting >> cult) & 1:
                enter_top(s, seat, cult)
                s["stuck"] = np.int64(s["stuck"]) & ~(1 << cult)
        s["tops_due"] = 0
    elif s["keys"][seat] == 0:
        s["tops_due"] = 0
