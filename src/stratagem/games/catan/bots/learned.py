"""A learned evaluation: who will win, in log-odds, from quantities that a player would compute.

A small network (118 inputs, 64 and 32 ReLU units, one output) trained by `scripts/catan_value.py`
on games of the players that use it; its weights are in `value.csv`. A move is scored by the
position after it, without expanding dice, plus a share of the hand-made evaluation: the network
knows who wins, the hand-made part separates close moves. Trained for two players; at larger tables
the strongest opponent represents all. It sees only what its seat sees.
"""

from pathlib import Path

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, unit
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.catan.bots.evaluation import WEIGHTS, progress, worth
from stratagem.games.catan.bots.scripted import expected_value
from stratagem.games.catan.bots.trading import expect_deal
from stratagem.games.catan.encode.forecast import describe_sites, expected_cards, next_roll
from stratagem.games.catan.encode.seen import seen_points
from stratagem.games.catan.hide import hide
from stratagem.games.catan.rules.step import chance, step
from stratagem.games.catan.state import (
    CITY,
    DTYPE,
    KINDS,
    KNIGHT,
    RESOURCES,
    ROAD,
    ROLL,
    SETTLEMENT,
    SEVEN,
    TOTALS,
    card_count,
    deck_size,
    hand_size,
)

_SIDE = 54  # numbers about one player
FEATURES = 2 * _SIDE + 10
HIDDEN = (64, 32)
HAND_MADE_SHARE = 0.6  # log-odds per point of the hand-made value, when moves are compared
_CERTAIN = 30.0  # log-odds of a finished game


def _shapes():
    first, second = HIDDEN
    return ((FEATURES, first), (first,), (first, second), (second,), (second,), (1,))


def read_weights(file):
    """Read (w1, b1, w2, b2, w3, b3); each line of the file is a row of one, in this order."""
    numbers = np.array(file.read_text().replace("\n", ",").strip(",").split(","), np.float32)
    ends = np.cumsum([int(np.prod(shape)) for shape in _shapes()])
    if len(numbers) != ends[-1]:
        raise ValueError(f"{file} contains {len(numbers)} numbers, not {ends[-1]}: train it again")
    parts = np.split(numbers, ends[:-1])
    return tuple(
        np.ascontiguousarray(part.reshape(shape))
        for part, shape in zip(parts, _shapes(), strict=True)
    )


def write_weights(file, network):
    """Write the weights for `read_weights`, to four digits."""
    rows = [row for part in network for row in np.atleast_2d(part)]
    file.write_text("".join(",".join(f"{x:.4g}" for x in row) + "\n" for row in rows))


NETWORK = read_weights(Path(__file__).with_name("value.csv"))


@kernel
def rival_of(s, viewer):
    """Return the other player, or the strongest of the others by the hand-made value."""
    players = np.int64(s["players"])
    if players == 2:
        return 1 - viewer
    chosen = (viewer + 1) % players
    most = -1.0e18
    for k in range(1, players):
        other = (viewer + k) % players
        found = worth(s, other, viewer, WEIGHTS)
        if found > most:
            most = found
            chosen = other
    return chosen


@kernel
def describe(s, viewer, out):
    """Fill in the network's inputs; `out` arrives zeroed."""
    odds = np.empty(TOTALS, np.float64)
    next_roll(s, odds)
    other = rival_of(s, viewer)
    at = describe_side(s, viewer, viewer, odds, out, 0)
    at = describe_side(s, other, viewer, odds, out, at)
    sign = 1.0 if s["turn_seat"] == viewer else -1.0
    out[at] = sign
    out[at + 1] = sign if s["rolled"] == 1 else 0.0
    out[at + 2] = sign if s["card_played"] == 1 else 0.0
    out[at + 3] = odds[SEVEN - 2] * 3.0
    out[at + 4] = deck_size(s) / 25.0
    out[at + 5] = min(np.int64(s["turn"]), 120) / 100.0
    out[at + 6] = np.int64(s["placed"]) / 4.0
    lead = np.int64(s["road_length"][viewer]) - np.int64(s["road_length"][other])
    out[at + 7] = lead / 5.0
    lead = np.int64(s["played"][viewer, KNIGHT]) - np.int64(s["played"][other, KNIGHT])
    out[at + 8] = lead / 3.0
    out[at + 9] = sign if s["phase"] == ROLL else 0.0


@kernel
def describe_side(s, owner, viewer, odds, out, at):
    """Write production, hand and harbours by resource, then everything else about a player."""
    earned = np.zeros(RESOURCES, np.float64)
    blocked, kinds = expected_cards(s, owner, odds, earned, out, at)
    for r in range(RESOURCES):
        saved = 4 - np.int64(s["rate"][owner, r])
        out[at + 10 + r] = min(np.int64(s["hand"][owner, r]), 8) / 4.0
        out[at + 15 + r] = saved / 2.0
        out[at + 20 + r] = earned[r] * saved
    at += 25
    out[at + 2] = blocked * 4.0
    out[at + 3] = kinds / 5.0
    describe_progress(s, owner, viewer, out, at)
    describe_sites(s, owner, earned, out, at + 24)
    out[at + 28] = worth(s, owner, viewer, WEIGHTS) / 10.0
    return at + 29


@kernel
def describe_progress(s, owner, viewer, out, at):
    """Write points, cards, awards, pieces and progress of a player."""
    own = owner == viewer
    held = seen_points(s, viewer, owner)
    size = hand_size(s, owner)
    if own:
        for kind in range(KINDS):
            out[at + 7 + kind] = np.int64(s["cards"][owner, kind]) / 2.0
    out[at] = held / 15.0
    out[at + 1] = (held / 15.0) ** 3
    out[at + 4] = size / 10.0
    out[at + 5] = max(size - np.int64(s["discard_limit"]), 0) / 5.0
    out[at + 6] = card_count(s, owner) / 4.0
    out[at + 12] = np.int64(s["played"][owner, KNIGHT]) / 4.0
    out[at + 13] = 1.0 if s["army_holder"] == owner else 0.0
    out[at + 14] = np.int64(s["road_length"][owner]) / 8.0
    out[at + 15] = 1.0 if s["road_holder"] == owner else 0.0
    out[at + 16] = np.int64(s["pieces"][owner, ROAD]) / 15.0
    out[at + 17] = np.int64(s["pieces"][owner, SETTLEMENT]) / 5.0
    out[at + 18] = np.int64(s["pieces"][owner, CITY]) / 4.0
    for item in range(4):
        out[at + 19 + item] = progress(s, owner, item)
    out[at + 23] = np.int64(s["owed"][owner]) / 5.0


@kernel
def forward(seen, network):
    """Return the network's output: log-odds that the viewer wins."""
    w1, b1, w2, b2, w3, b3 = network
    first = b1.copy()
    for i in range(len(seen)):
        if seen[i] != 0.0:
            for j in range(len(first)):
                first[j] += seen[i] * w1[i, j]
    second = b2.copy()
    for i in range(len(first)):
        if first[i] > 0.0:
            for j in range(len(second)):
                second[j] += first[i] * w2[i, j]
    answer = b3[0]
    for i in range(len(second)):
        if second[i] > 0.0:
            answer += second[i] * w3[i]
    return np.float64(answer)


@kernel
def outlook(s, seat, network):
    """Return the log-odds that a seat wins."""
    if s["seat"] == OVER:
        if s["winner"] < 0:
            return 0.0
        return _CERTAIN if s["winner"] == seat else -_CERTAIN
    seen = np.zeros(FEATURES, np.float32)
    describe(s, seat, seen)
    return forward(seen, network)


@kernel
def score_moves(dealt, ids, count, seat, network, share, found):
    """found [count]: log-odds after each action, plus a share of the hand-made value.

    `dealt` is an array of one position: its memory must outlive this call.
    """
    scratch = np.empty(1, DTYPE)
    outcome = np.empty(1, DTYPE)
    outcomes = np.empty(TOTALS, np.int32)
    probs = np.empty(TOTALS, np.float32)
    for k in range(count):
        scratch[0] = dealt[0]
        step(scratch[0], ids[k])
        found[k] = expect_deal(scratch[0], seat, WEIGHTS)
        after = scratch[0]
        found[k] += share * expected_value(scratch, outcome, outcomes, probs, seat, WEIGHTS)
        if after["seat"] != CHANCE or after["phase"] == ROLL:
            found[k] += outlook(after, seat, network)
            continue
        mean = 0.0  # over the card that is drawn or stolen
        for j in range(chance(after, outcomes, probs)):
            outcome[0] = after
            step(outcome[0], outcomes[j])
            mean += probs[j] * np.tanh(0.5 * outlook(outcome[0], seat, network))
        mean = min(max(mean, -0.999999), 0.999999)
        found[k] += np.log((1.0 + mean) / (1.0 - mean))


@kernel
def choose(s, ids, count, word, network, share, heat):
    """Return the best move, with Gumbel noise of this size to sample moves for training."""
    if count == 1:
        return ids[0]
    dealt = np.empty(1, DTYPE)
    found = np.empty(count, np.float64)
    dealt[0] = s
    hide(dealt[0], np.int64(s["seat"]), word)
    score_moves(dealt, ids, count, np.int64(s["seat"]), network, share, found)
    best = -1.0e18
    chosen = ids[0]
    for k in range(count):
        word = advance(word)
        noise = -np.log(-np.log(unit(word) + 1e-12) + 1e-12)
        if found[k] + heat * noise > best:
            best = found[k] + heat * noise
            chosen = ids[k]
    return chosen


@kernel
def learned(s, ids, count, word):
    """Play the best move by the learned and hand-made values, one ply ahead."""
    return choose(s, ids, count, word, NETWORK, HAND_MADE_SHARE, 1.0e-9)
