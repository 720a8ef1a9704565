"""The player `scripted`: tries every legal action and rates the resulting position.

Choices that follow an action take the best-looking option; evaluation.py rates the result. For the
most promising actions it also tries a second one, as if it could move again at once. It passes when
no action gains more than keeping the goods.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, unit
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica.actions import MOST_LEGAL, PASS, TOWN_TILE
from stratagem.games.terra_mystica.bots.evaluation import worth
from stratagem.games.terra_mystica.rules.legal import legal
from stratagem.games.terra_mystica.rules.step import step
from stratagem.games.terra_mystica.state import ACTING, DTYPE, MAIN

_CANDIDATES = 6  # first actions that are tried with a second one
_SECOND = 0.5  # share of the second action's gain that counts
_WORTHWHILE = 0.15  # with a smaller gain the player passes
_CHOICES = 6  # forced choices settled after one action


@kernel
def scripted(s, ids, count, word):
    if count == 1:
        return ids[0]
    scratch = np.zeros(4, DTYPE)
    me = np.int64(s["seat"])
    if s["kind"] != MAIN:
        return best_choice(s, me, ids, count, scratch, word)
    values = np.empty(count, np.float64)
    now = worth(s, me)
    best_pass = 0
    best_pass_value = -1.0e9
    for k in range(count):
        word = advance(word)
        values[k] = try_action(s, me, ids[k], scratch) + 0.001 * unit(word)
        if PASS <= ids[k] < TOWN_TILE:
            if values[k] > best_pass_value:
                best_pass_value = values[k]
                best_pass = k
            values[k] = -1.0e9
    best = -1
    best_value = now + _WORTHWHILE
    for _ in range(min(count, _CANDIDATES)):
        k = np.argmax(values)
        if values[k] <= -1.0e8:
            break
        value = values[k] + _SECOND * second_gain(s, me, ids[k], values[k], scratch)
        values[k] = -1.0e9
        if value > best_value:
            best_value = value
            best = k
    if best < 0:
        return ids[best_pass]
    return ids[best]


@kernel
def best_choice(s, me, ids, count, scratch, word):
    best = 0
    best_value = -1.0e9
    for k in range(count):
        word = advance(word)
        value = try_action(s, me, ids[k], scratch) + 0.001 * unit(word)
        if value > best_value:
            best_value = value
            best = k
    return ids[best]


@kernel
def try_action(s, me, action, scratch):
    """Rate the position after an action and the choices that follow it."""
    scratch[0] = s
    step(scratch[0], action)
    settle(me, scratch)
    return worth(scratch[0], me)


@kernel
def settle(me, scratch):
    """Resolve this seat's forced choices in scratch[0] with the best-looking options."""
    ids = np.empty(MOST_LEGAL, np.int32)
    for _ in range(_CHOICES):
        s = scratch[0]
        if s["seat"] != me or s["kind"] == MAIN or s["phase"] != ACTING:
            return
        count = legal(s, ids)
        best = ids[0]
        best_value = -1.0e9
        for k in range(count):
            scratch[1] = scratch[0]
            step(scratch[1], ids[k])
            value = worth(scratch[1], me)
            if value > best_value:
                best_value = value
                best = ids[k]
        step(scratch[0], best)


@kernel
def second_gain(s, me, action, value, scratch):
    """Return what the best second action would add, if this player could move again at once."""
    scratch[0] = s
    step(scratch[0], action)
    settle(me, scratch)
    again = scratch[0]
    if again["seat"] == OVER or again["phase"] != ACTING or again["passed"][me]:
        return 0.0
    scratch[2] = again
    t = scratch[2]
    t["seat"] = me
    t["active"] = me
    t["kind"] = MAIN
    t["actions_left"] = 1
    t["builder"] = -1
    t["cultist_step"] = 0
    t["offered"] = 0
    t["accepted"] = 0
    for row in range(2):
        for seat in range(5):
            t["offer"][row, seat] = 0
    ids = np.empty(MOST_LEGAL, np.int32)
    count = legal(t, ids)
    best = 0.0
    for k in range(count):
        if PASS <= ids[k] < TOWN_TILE:
            continue
        scratch[3] = scratch[2]
        step(scratch[3], ids[k])
        gain = worth(scratch[3], me) - value
        if gain > best:
            best = gain
    return best
