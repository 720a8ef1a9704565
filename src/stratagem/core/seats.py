"""Who decides at a position. Every game's state has an int8 field `seat` holding one of these.

A seat number (0, 1, …) means that this seat decides. The two negative values mean that no seat
does: chance decides, or the game is over.
"""

CHANCE = -1  # the next event is a chance outcome, listed by the game's `chance` function
OVER = -2  # the game has ended; `returns` says how
