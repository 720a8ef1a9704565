"""In turn, each seat rolls a die and keeps it or rolls again; the highest kept die wins."""

from dice.actions import AGAIN
from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE, OVER


@kernel
def reset(s, scenario, seed):
    s["seats"] = scenario["seats"]
    s["faces"] = scenario["faces"]
    s["rerolls"] = scenario["rerolls"]
    s["top_weight"] = scenario["top_weight"]
    s["seat"] = CHANCE


@kernel
def chance(s, ids, probs):
    total = float(s["faces"] - 1 + s["top_weight"])
    for face in range(s["faces"]):
        ids[face] = face
        probs[face] = (s["top_weight"] if face == s["faces"] - 1 else 1) / total
    return s["faces"]


@kernel
def step(s, action):
    if s["seat"] == CHANCE:
        s["roll"] = action + 1
        if s["used"] < s["rerolls"]:
            s["seat"] = s["mover"]
        else:
            keep(s)
    elif action == AGAIN:
        s["used"] += 1
        s["seat"] = CHANCE
    else:
        keep(s)


@kernel
def keep(s):
    s["kept"][s["mover"]] = s["roll"]
    s["roll"] = 0
    s["used"] = 0
    s["mover"] += 1
    s["seat"] = OVER if s["mover"] == s["seats"] else CHANCE


@kernel
def returns(s, out):
    """The winners share a pot into which every seat paid; two seats make it +1, 0 or -1."""
    best = 0
    winners = 0
    for seat in range(s["seats"]):
        if s["kept"][seat] > best:
            best = s["kept"][seat]
            winners = 1
        elif s["kept"][seat] == best:
            winners += 1
    for seat in range(s["seats"]):
        share = 1.0 / winners if s["kept"][seat] == best else 0.0
        out[seat] = (share * s["seats"] - 1.0) / (s["seats"] - 1.0)


@kernel
def score(s, seat):
    return float(s["kept"][seat])
