"""What a seat cannot see: others' development cards, the deck, and hands at larger tables.

With two players both see every change of a hand, including stolen cards, so hands are open. With
three or four, bystanders do not see a stolen card; `known` counts what is certain.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start
from stratagem.games.catan.state import KINDS, RESOURCES, SEATS, hand_size, points

_ATTEMPTS = 32


@kernel
def hide(s, seat, seed):
    """Deal anew everything that this seat cannot see, using only what it can see."""
    word = start(seed)
    if s["players"] > 2:
        word = deal_hands(s, seat, word)
    for _ in range(_ATTEMPTS):
        word = deal_cards(s, seat, word)
        if not somebody_would_have_won(s, seat):
            return


@kernel
def pick(pool, total, word):
    """Return the kind of the card drawn from a pool, which counts cards by kind."""
    left = below(word, total)
    kind = 0
    while left >= pool[kind]:
        left -= pool[kind]
        kind += 1
    return kind


@kernel
def deal_hands(s, seat, word):
    """Keep cards that are certain, and shuffle the others among their owners."""
    pool = np.zeros(RESOURCES, np.int64)
    total = 0
    for resource in range(RESOURCES):
        pool[resource] = np.int64(s["full_bank"]) - np.int64(s["bank"][resource])
        pool[resource] -= np.int64(s["hand"][seat, resource])
        for owner in range(s["players"]):
            if owner != seat:
                pool[resource] -= np.int64(s["known"][seat, owner, resource])
        total += pool[resource]
    for owner in range(s["players"]):
        if owner == seat:
            continue
        unsure = hand_size(s, owner)
        for resource in range(RESOURCES):
            s["hand"][owner, resource] = s["known"][seat, owner, resource]
            unsure -= np.int64(s["known"][seat, owner, resource])
        for _ in range(unsure):
            word = advance(word)
            resource = pick(pool, total, word)
            pool[resource] -= 1
            total -= 1
            s["hand"][owner, resource] += 1
    forget_what_others_know(s, seat)
    return word


@kernel
def forget_what_others_know(s, seat):
    """Replace what others know about each other, which is secret too, by this seat's knowledge."""
    for viewer in range(s["players"]):
        if viewer == seat:
            continue
        for owner in range(s["players"]):
            for resource in range(RESOURCES):
                sure = s["known"][seat, owner, resource]
                s["known"][viewer, owner, resource] = 0 if owner == viewer else sure


@kernel
def deal_cards(s, seat, word):
    """Shuffle the deck and the others' cards together, and deal everybody the same number again."""
    pool = np.zeros(KINDS, np.int64)
    held = np.zeros(SEATS, np.int64)
    fresh = 0
    total = 0
    for kind in range(KINDS):
        pool[kind] = np.int64(s["deck"][kind])
        for owner in range(s["players"]):
            if owner != seat:
                pool[kind] += np.int64(s["cards"][owner, kind])
                held[owner] += np.int64(s["cards"][owner, kind])
                s["cards"][owner, kind] = 0
        total += pool[kind]
        if s["turn_seat"] != seat:
            fresh += np.int64(s["fresh"][kind])
            s["fresh"][kind] = 0
    for owner in range(s["players"]):
        for number in range(held[owner]):
            word = advance(word)
            kind = pick(pool, total, word)
            pool[kind] -= 1
            total -= 1
            s["cards"][owner, kind] += 1
            if owner == s["turn_seat"] and number < fresh:
                s["fresh"][kind] += 1
    for kind in range(KINDS):
        s["deck"][kind] = pool[kind]
    return word


@kernel
def somebody_would_have_won(s, seat):
    """Whether an opponent with these cards would have won in their last turn."""
    for owner in range(s["players"]):
        if owner != seat and points(s, owner) >= s["target"]:
            return True
    return False
