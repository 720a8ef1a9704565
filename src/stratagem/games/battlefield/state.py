"""The Battlefield position: one fixed-size struct, large enough for every scenario."""

import numpy as np

GONE = 255  # the cell of an agent that is dead, or missing in a smaller team
TEAM = 3  # room for agents in a team
PAST = 4  # earlier positions kept for the history planes
MAX_SHRINK_EVERY = 20
WINDOW = 2 * MAX_SHRINK_EVERY  # plies between two shrinks, the longest path without a break
TERMS = ("health", "centre", "goal", "border", "threat", "cohesion", "focus")

DTYPE = np.dtype(
    [
        ("weights", "f4", len(TERMS)),  # of the shaping terms, in the order of TERMS
        ("clip", "f4"),  # bound of the shaping potential
        ("walls", "u2", 16),  # bit c of word r: an obstacle, or not on the board
        ("ply", "u2"),  # plies played
        ("damage_ply", "u2"),  # value of `ply` after the last loss of health, 0 if none
        ("seat", "i1"),  # who moves next, or OVER
        ("winner", "i1"),  # -1: nobody (yet)
        ("height", "u1"),
        ("width", "u1"),
        ("team_size", "u1"),
        ("max_health", "u1"),
        ("max_ammo", "u1"),
        ("shot_range", "u1"),
        ("damage", "u1"),  # health lost by a hit
        ("hold_turns", "u1"),  # own plies in a row on the goal that win
        ("shrink_every", "u1"),  # rounds (two plies) between shrinks
        ("margin", "u1"),  # rows and columns lost on each side of the board
        ("cells", "u1", (2, TEAM)),  # [seat, agent] row * 16 + column, or GONE
        ("health", "u1", (2, TEAM)),
        ("ammo", "u1", (2, TEAM)),
        ("streak", "u1", 2),  # own plies in a row that ended with an agent on the goal
        ("past_cells", "u1", (PAST, 2, TEAM)),  # position of ply p in slot p % PAST
        ("past_health", "u1", (PAST, 2, TEAM)),
        ("past_ammo", "u1", (PAST, 2, TEAM)),
        ("past_streak", "u1", (PAST, 2)),
        ("path", "u1", WINDOW),  # joint moves in base 5 since the last irreversible ply
        ("path_length", "u1"),
        ("repeated", "u1"),  # 1: same agents on the same cells as before, same seat to move
    ]
)
