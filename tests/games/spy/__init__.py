"""The card duel with a mark on every state that went through `hide`, and a bot that looks for it.

The truth carries no mark; `hide` writes the seat that it drew for, and moves keep it. A player who
gets a state without its own mark has seen what it must not see.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.registry import load_rules

CARDS = load_rules("cards")
# The mark comes first: a record that begins like the cards' own would count as one of them, and
# Numba warns of that.
DTYPE = np.dtype([("seen_by", "i1"), *CARDS.dtype.descr])  # seat + 1; 0: nothing was hidden
PASS, BET = 0, 1

_reset, _legal, _chance, _step = CARDS.reset, CARDS.legal, CARDS.chance, CARDS.step
_returns, _score, _hide = CARDS.returns, CARDS.score, CARDS.hide
_observe = CARDS.encodings[0].observe


@kernel
def reset(s, scenario, seed):
    _reset(s, scenario, seed)


@kernel
def legal(s, out):
    return _legal(s, out)


@kernel
def chance(s, ids, probs):
    return _chance(s, ids, probs)


@kernel
def step(s, action):
    _step(s, action)


@kernel
def returns(s, out):
    _returns(s, out)


@kernel
def score(s, seat):
    return _score(s, seat)


@kernel
def observe(s, seat, options, out):
    _observe(s, seat, options, out)


@kernel
def hide(s, seat, seed):
    _hide(s, seat, seed)
    s["seen_by"] = seat + 1


@kernel
def spy(s, ids, count, word):
    """Passes as long as everything is hidden as it should be; a bet is the alarm."""
    return PASS if s["seen_by"] == s["seat"] + 1 else BET


GAME = replace(
    CARDS,
    folder=Path(__file__).parent,
    dtype=DTYPE,
    reset=reset,
    legal=legal,
    step=step,
    chance=chance,
    returns=returns,
    score=score,
    hide=hide,
    encodings=(replace(CARDS.encodings[0], observe=observe),),
    bots={"spy": spy},
)
