"""A scripted Connect Four player: wins now, else blocks a win, else plays near the middle."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below
from stratagem.games.connect_four.rules import has_line

_ONE = np.uint64(1)


@kernel
def scripted(s, legal_actions, count, word):
    for side in range(2):  # own wins first, then the other seat's
        seat = s["seat"] if side == 0 else 1 - s["seat"]
        for k in range(count):
            if completes_line(s, seat, legal_actions[k]):
                return legal_actions[k]
    # The more central of two random columns, so that games differ.
    word = advance(word)
    first = legal_actions[below(word, count)]
    word = advance(word)
    second = legal_actions[below(word, count)]
    middle = s["columns"] - 1  # in half columns, to stay with integers
    return first if abs(2 * first - middle) <= abs(2 * second - middle) else second


@kernel
def completes_line(s, seat, column):
    bit = np.uint64(column * (s["rows"] + 1) + s["height"][column])
    return has_line(s["discs"][seat] | (_ONE << bit), s["rows"], s["connect"])
