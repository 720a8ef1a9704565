"""The hexwar position: one fixed-size struct, large enough for every scenario.

A hex is row * width + column. A unit is seat * UNITS + its index in that seat's schedule. The units
of a hex form a list from the bottom up: `stack` holds the lowest unit of a hex and `above` the next
one of each, both plus one, 0 for none.
"""

import numpy as np

SIDE = 20  # maximum rows and columns
HEXES = SIDE * SIDE
UNITS = 32  # maximum units of one seat in a whole game
STACK = 4  # highest stacking limit
TERRAINS = 8
KINDS = 8  # kinds of units
GOALS = 8  # maximum victory hexes of one seat
ZONES = 5  # arrival areas listed hex by hex, besides the two home sides
CREW = 6 * STACK  # maximum units that can attack one hex

# Status of a unit.
AWAY = 0  # still to come
READY = 1  # may move
MOVED = 2  # may attack: has moved, and an enemy was adjacent
FOUGHT = 3  # done for this turn
CHOSEN = 4  # like MOVED, and chosen for the current attack
DEAD = 5

# Columns of `kinds`.
ATTACK = 0
DEFENCE = 1
MOVEMENT = 2

NOWHERE = 0xFFFF  # the hex of a unit that is not on the board; also: no target
NOBODY = 0xFF  # no unit
HUNDRED = 100  # modifiers are stored in hundredths, so that sums of strengths are exact

# Fixed by the scenario and copied into every position.
CONSTANTS = [
    ("height", "u1"),
    ("width", "u1"),
    ("turns", "u1"),
    ("stacking", "u1"),  # most units of one seat on a hex
    ("attack_mods", "u2", TERRAINS),  # attacking from this terrain, in hundredths
    ("defence_mods", "u2", TERRAINS),  # defending in this terrain, in hundredths
    ("costs", "u1", TERRAINS),  # movement points to enter
    ("terrain_letters", "u1", TERRAINS),  # only for text and drawings
    ("kinds", "u1", (KINDS, 3)),  # attack, defence, movement of each kind of unit
    ("kind_letters", "u1", KINDS),
    ("goal_count", "u1", 2),  # victory hexes of each seat; the other seat wants them
    ("goals", "u2", (2, GOALS)),
    ("home", "u1", (2, 2)),  # [seat] first column of its side, and the column after the last
    ("count", "u1", 2),  # units in each seat's schedule
    ("kind", "u1", 2 * UNITS),  # unit = seat * UNITS + place in the schedule
    ("turn_due", "u1", 2 * UNITS),  # turn of arrival, never falling within a seat; 0 is set-up
    ("zone", "u1", 2 * UNITS),  # 0: arrives on its own side, k: on a hex of zone k
    ("ground", "u1", HEXES),  # bits 0-2 terrain, bit 2 + k: hex of zone k
]

DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who decides, or OVER
        ("phase", "u1"),  # REINFORCE, MOVE, TARGET or ATTACKERS
        ("turn", "u1"),  # 0 during set-up, then 1 to `turns`
        ("arriving", "u1"),  # the unit to be placed now, or NOBODY
        ("target", "u2"),  # the hex under attack, or NOWHERE
        ("crew_size", "u1"),
        ("crew", "u1", CREW),  # attackers in the order chosen
        *CONSTANTS,
        ("status", "u1", 2 * UNITS),  # AWAY, READY, MOVED, FOUGHT, CHOSEN or DEAD
        ("points", "u1", 2 * UNITS),  # movement points left
        ("cell", "u2", 2 * UNITS),  # hex, or NOWHERE
        ("above", "u1", 2 * UNITS),  # 1 + the next unit up in its hex, 0 on top
        ("stack", "u1", HEXES),  # 1 + the lowest unit there, 0 if the hex is empty
    ]
)
