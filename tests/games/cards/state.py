"""The position of the card duel."""

import numpy as np

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who decides, CHANCE while cards are dealt, or OVER
        ("ranks", "i1"),
        ("card", "i1", 2),  # of each seat, seen by that seat only; 0: not dealt yet
        ("moves", "i1", 3),  # what was done so far: action + 1, 0: nothing yet
        ("count", "i1"),  # moves made
    ]
)
