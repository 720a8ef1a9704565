"""Simple players of Catan: two random ones, and one that takes the points it can get."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, unit
from stratagem.games.catan.actions import BUILD_CITY, BUILD_SETTLEMENT, BUY_CARD, GROUP_STARTS
from stratagem.games.catan.board import PLACES
from stratagem.games.catan.rules.step import step
from stratagem.games.catan.state import DTYPE, points

_STARTS = np.array(GROUP_STARTS, np.int64)
# What `weighted-random` prefers if possible: a city, else a settlement, else a card.
_CITY_WEIGHT = 10_000.0
_SETTLEMENT_WEIGHT = 1_000.0
_CARD_WEIGHT = 100.0


@kernel
def group_of(action):
    """Return the number of the group that an action belongs to."""
    group = len(_STARTS) - 1
    while action < _STARTS[group]:
        group -= 1
    return group


@kernel
def hierarchical_random(s, ids, count, word):
    """The thesis's RAN/RAN: a random kind of action, then a random action of that kind."""
    kinds = 1
    for k in range(1, count):
        if group_of(ids[k]) != group_of(ids[k - 1]):
            kinds += 1
    word = advance(word)
    chosen = below(word, kinds)
    first = 0
    while chosen > 0:
        first += 1
        if group_of(ids[first]) != group_of(ids[first - 1]):
            chosen -= 1
    last = first
    while last + 1 < count and group_of(ids[last + 1]) == group_of(ids[first]):
        last += 1
    word = advance(word)
    return ids[first + below(word, last - first + 1)]


@kernel
def weight_of(action):
    if BUILD_CITY <= action < BUILD_CITY + PLACES:
        return _CITY_WEIGHT
    if BUILD_SETTLEMENT <= action < BUILD_SETTLEMENT + PLACES:
        return _SETTLEMENT_WEIGHT
    return _CARD_WEIGHT if action == BUY_CARD else 1.0


@kernel
def weighted_random(s, ids, count, word):
    """Play at random, but almost always build if possible."""
    total = 0.0
    for k in range(count):
        total += weight_of(ids[k])
    word = advance(word)
    target = unit(word) * total
    for k in range(count):
        target -= weight_of(ids[k])
        if target < 0.0:
            return ids[k]
    return ids[count - 1]


@kernel
def greedy(s, ids, count, word):
    """Play the action with the most immediate points; ties are broken at random."""
    scratch = np.empty(1, DTYPE)
    seat = np.int64(s["seat"])
    best = -1
    ties = 0
    chosen = ids[0]
    for k in range(count):
        scratch[0] = s
        step(scratch[0], ids[k])
        found = points(scratch[0], seat)
        if found > best:
            best = found
            ties = 0
        if found == best:
            ties += 1
            word = advance(word)
            if below(word, ties) == 0:
                chosen = ids[k]
    return chosen
