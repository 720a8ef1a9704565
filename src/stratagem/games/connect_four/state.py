"""The Connect Four position.

Both sides' discs are bitboards. A column takes `rows + 1` bits, bottom first; the extra bit stays
empty, so that shifting never carries a line from one column into the next.
"""

import numpy as np

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who drops next, or OVER
        ("rows", "u1"),
        ("columns", "u1"),
        ("connect", "u1"),  # discs in a row that win
        ("ply", "u1"),  # discs on the board
        ("winner", "i1"),  # -1: nobody (yet)
        ("height", "u1", 8),  # discs in each column
        ("discs", "u8", 2),  # bitboard per seat
    ]
)
