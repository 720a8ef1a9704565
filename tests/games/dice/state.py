"""The position of the dice duel."""

import numpy as np

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who decides, CHANCE while the die falls, or OVER
        ("seats", "i1"),
        ("faces", "i1"),
        ("rerolls", "i1"),
        ("top_weight", "i1"),  # the highest face falls this many times as often as another
        ("mover", "i1"),  # whose turn it is
        ("roll", "i1"),  # what the die shows, 0 before the first roll of a turn
        ("used", "i1"),  # times that the mover rolled again
        ("kept", "i1", 3),  # die kept by each seat, 0: still to come
    ]
)
