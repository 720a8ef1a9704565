"""The player `scripted`: looks one ply ahead with the hand-made evaluation."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, unit
from stratagem.core.seats import CHANCE
from stratagem.games.catan.bots.evaluation import WEIGHTS, value
from stratagem.games.catan.bots.trading import expect_deal
from stratagem.games.catan.hide import hide
from stratagem.games.catan.rules.step import chance, step
from stratagem.games.catan.state import DTYPE, ROLL, TOTALS


@kernel
def scripted(s, ids, count, word):
    """Play the best expected move by `evaluation.py`, one ply ahead."""
    return best_by_value(s, ids, count, word, WEIGHTS)


@kernel
def best_by_value(s, ids, count, word, weights):
    """Return the action with the highest expected value.

    It looks at a position whose hidden cards were dealt anew, so it knows no more than a player.
    """
    dealt = np.empty(1, DTYPE)
    scratch = np.empty(1, DTYPE)
    outcome = np.empty(1, DTYPE)
    outcomes = np.empty(TOTALS, np.int32)
    probs = np.empty(TOTALS, np.float32)
    seat = np.int64(s["seat"])
    dealt[0] = s
    hide(dealt[0], seat, word)
    best = -1.0e18
    chosen = ids[0]
    for k in range(count):
        scratch[0] = dealt[0]
        step(scratch[0], ids[k])
        found = expect_deal(scratch[0], seat, weights)
        found += expected_value(scratch, outcome, outcomes, probs, seat, weights)
        word = advance(word)
        found += 1.0e-6 * unit(word)
        if found > best:
            best = found
            chosen = ids[k]
    return chosen


@kernel
def expected_value(after, outcome, outcomes, probs, seat, weights):
    """Return the value of a position, or the mean over the card that is being stolen or drawn.

    Dice are not expanded: a position has the same value before and after them.
    """
    s = after[0]
    if s["seat"] != CHANCE or s["phase"] == ROLL:
        return value(s, seat, weights)
    total = 0.0
    for k in range(chance(s, outcomes, probs)):
        outcome[0] = s
        step(outcome[0], outcomes[k])
        total += probs[k] * value(outcome[0], seat, weights)
    return total
