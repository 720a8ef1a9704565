"""Two seats draw one card each from a small deck and bet once; the higher card wins the pot.

With three cards this is Kuhn's poker: pass or bet; a bet may be called (bet) or folded (pass).
"""

from cards.actions import BET, PASS
from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE, OVER


@kernel
def reset(s, scenario, seed):
    s["ranks"] = scenario["ranks"]
    s["seat"] = CHANCE


@kernel
def chance(s, ids, probs):
    count = 0
    for card in range(1, s["ranks"] + 1):
        if card != s["card"][0]:
            ids[count] = card
            count += 1
    for k in range(count):
        probs[k] = 1.0 / count
    return count


@kernel
def step(s, action):
    if s["seat"] == CHANCE:
        if s["card"][0] == 0:
            s["card"][0] = action
        else:
            s["card"][1] = action
            s["seat"] = 0
        return
    seat = s["seat"]
    s["moves"][s["count"]] = action + 1
    s["count"] += 1
    answered = s["count"] > 1 and s["moves"][s["count"] - 2] == BET + 1
    if answered or (s["count"] == 2 and action == PASS):
        s["seat"] = OVER
    else:
        s["seat"] = 1 - seat


@kernel
def returns(s, out):
    """Each seat paid 1, a bet costs 1 more; halved to stay in [-1, 1]."""
    last = s["count"] - 1
    called = s["moves"][last] == BET + 1
    folded = not called and s["moves"][last - 1] == BET + 1
    winner = 0 if s["card"][0] > s["card"][1] else 1
    if folded:
        winner = (last + 1) % 2
    out[winner] = 1.0 if called else 0.5
    out[1 - winner] = -out[winner]


@kernel
def score(s, seat):
    return 0.0
