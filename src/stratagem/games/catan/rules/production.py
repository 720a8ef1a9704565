"""Dice, what they bring, and what a seven costs.

Fair dice have the probabilities of two cubes. Balanced dice draw without replacement from a deck of
the 36 outcomes; a total loses weight each time it came up recently, and a seven gains or loses
weight for a seat that rolled fewer or more than its share.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE
from stratagem.games.catan.board import TILE_PLACES, TILES
from stratagem.games.catan.state import (
    KNIGHT,
    ROLL,
    SEVEN,
    TOTALS,
    WAYS,
    earn,
    hand_size,
    owner_of,
    yield_of,
)

_SEVEN_AT = SEVEN - 2


@kernel
def start_roll(s):
    """Let chance decide the roll; a balanced deck that has run low is renewed first."""
    s["seat"] = CHANCE
    s["phase"] = ROLL
    if s["balanced_dice"] == 1:
        left = 0
        for k in range(TOTALS):
            left += np.int64(s["dice_deck"][k])
        if left < s["deck_reshuffle"]:
            for k in range(TOTALS):
                s["dice_deck"][k] = WAYS[k]


@kernel
def roll_weight(s, k):
    """Return the weight of the total k + 2 for the seat that rolls next."""
    if s["balanced_dice"] == 0:
        return np.float64(WAYS[k])
    hits = 0
    for back in range(s["deck_memory"]):
        if s["recent"][back] == k + 2:
            hits += 1
    weight = np.float64(s["dice_deck"][k]) * max(0.0, 1.0 - np.float64(s["deck_recent"]) * hits)
    if k == _SEVEN_AT:
        weight *= seven_factor(s, s["turn_seat"])
    return weight


@kernel
def seven_factor(s, seat):
    """Return 0 to 2: below 1 for a seat with more than its share of sevens, or the latest ones."""
    total = 0
    for other in range(s["players"]):
        total += np.int64(s["sevens"][other])
    factor = 1.0
    if total >= s["players"]:
        factor += 1.0 - np.float64(s["sevens"][seat]) * np.float64(s["players"]) / total
    change = np.float64(s["deck_streak"]) * np.float64(s["streak"])
    factor += -change if s["streak_seat"] == seat else change
    return min(max(factor, 0.0), 2.0)


@kernel
def roll_chance(s, ids, probs):
    """List the possible totals and their probabilities."""
    total = 0.0
    count = 0
    for k in range(TOTALS):
        weight = roll_weight(s, k)
        if weight > 0.0:
            ids[count] = k + 2
            probs[count] = weight
            total += weight
            count += 1
    for k in range(count):
        probs[k] /= total
    return count


@kernel
def note_roll(s, total):
    """Record a roll; balanced dice remove it from their deck."""
    s["rolled"] = 1
    s["last_roll"] = total
    if s["balanced_dice"] == 0:
        return
    s["dice_deck"][total - 2] -= 1
    for back in range(np.int64(s["deck_memory"]) - 1, 0, -1):
        s["recent"][back] = s["recent"][back - 1]
    if s["deck_memory"] > 0:
        s["recent"][0] = total
    if total == SEVEN:
        seat = s["turn_seat"]
        s["sevens"][seat] += 1
        s["streak"] = min(np.int64(s["streak"]) + 1, 255) if s["streak_seat"] == seat else 1
        s["streak_seat"] = seat


@kernel
def produce(s, total):
    """Pay every building next to a tile with this number, unless the robber is there."""
    first = np.int64(s["sites"][total - 2, 0])
    second = np.int64(s["sites"][total - 2, 1])
    first = TILES if first == s["robber"] else first
    second = TILES if second == s["robber"] else second
    if first < TILES and second < TILES and s["terrain"][first] == s["terrain"][second]:
        distribute(s, first, second)
        return
    if first < TILES:
        distribute(s, first, TILES)
    if second < TILES:
        distribute(s, second, TILES)


@kernel
def claim(s, tile, seat):
    """Return the cards that a tile owes to a seat; TILES means no tile and owes none."""
    owed = 0
    if tile < TILES:
        for k in range(6):
            code = s["place"][TILE_PLACES[tile, k]]
            if code != 0 and owner_of(code) == seat:
                owed += yield_of(code)
    return owed


@kernel
def distribute(s, first, second):
    """Pay out one resource; a bank that cannot pay everybody pays nobody."""
    resource = np.int64(s["terrain"][first])
    total = 0
    claimants = 0
    for seat in range(s["players"]):
        owed = claim(s, first, seat) + claim(s, second, seat)
        total += owed
        if owed > 0:
            claimants += 1
    if total == 0:
        return
    held = np.int64(s["bank"][resource])
    if total > held and not (claimants == 1 and s["sole_claimant"] == 1):
        return
    for seat in range(s["players"]):
        owed = min(claim(s, first, seat) + claim(s, second, seat), held)
        if owed > 0:
            earn(s, seat, resource, owed)


@kernel
def owe_discards(s):
    """After a seven, every hand above the limit loses half of its cards."""
    for seat in range(s["players"]):
        size = hand_size(s, seat)
        if size > s["discard_limit"]:
            s["owed"][seat] = (size + np.int64(s["discard_round_up"])) // 2


@kernel
def expected_income(s, seat):
    """Return a seat's cards earned in 36 rolls, ignoring the robber: a sub-goal."""
    total = 0.0
    for tile in range(TILES):
        token = np.int64(s["token"][tile])
        if token != 0:
            total += (6 - abs(token - 7)) * claim(s, tile, seat)
    return total


@kernel
def army_size(s, seat):
    """Knights that a seat has played: a sub-goal."""
    return np.float64(s["played"][seat, KNIGHT])
