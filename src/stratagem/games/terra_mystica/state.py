"""The state of a game of Terra Mystica, its phases and the kinds of decisions.

Terrains, factions and tiles are numbered from 0, as in board/.
"""

import numpy as np

from stratagem.games.terra_mystica.board.factions import MOST_SITES
from stratagem.games.terra_mystica.board.hexes import BRIDGES, LAND

SEATS = 5

# Kinds of decisions (4 bits for a network; FACTION shows itself by the missing faction).
(
    MAIN, START_DWELLING, START_BONUS, FREE_SPADES, SH_SPADES, REWARD_SPADES, BRIDGING, CULT_STEP,
    FAVOUR, TOWN, LEECH, FREE_DWELLING, FREE_POST, SANDSTORM, TO_PRIESTS, CULT_TOP, FACTION,
) = range(17)  # fmt: skip
NOTHING = 31  # no decision is due: the game continues automatically

# Phases
DEALING, PLACING, PICKING, INCOME, ACTING, CULT_INCOME, DIGGING, SCORING = range(8)


# Bits of `split`: what has happened to the free spades of this action.
SPLIT, STRAYED, TUNNELLED = 1, 2, 4

ASK, NEVER_LEECH, FREE_LEECH = range(3)  # leech modes
CHOSEN, RANDOM = -1, -2  # factions of a scenario that are not named

DTYPE = np.dtype(
    [
        # who decides what
        ("seat", "i1"),
        ("kind", "u1"),
        ("phase", "u1"),
        ("active", "i1"),  # whose turn it is
        ("cursor", "u1"),  # progress of a phase that goes around the table
        # the scenario
        ("players", "u1"),
        ("explicit", "u1"),  # 1: conversions are decisions; 0: actions convert what they need
        ("cap", "u1"),  # conversions a turn in explicit mode
        ("leech", "u1"),  # ASK, NEVER_LEECH, FREE_LEECH
        ("start_hex", "i1", (SEATS, 3)),  # preset start dwellings, -1: a decision
        ("start_card", "i1", SEATS),  # preset bonus cards
        ("tile", "u1", 6),  # round tile of each round
        # the board
        ("round", "u1"),  # 1..6, 0 before
        ("starter", "i1"),  # start player of this round
        ("terrain", "u1", LAND),
        ("building", "u1", LAND),
        ("owner", "i1", LAND),  # seat, -1: nobody
        ("town", "u1", LAND),  # 1: part of a town
        ("river_town", "i8"),  # bit per river hex that the Mermaids have made part of a town
        ("bridge", "i1", BRIDGES),  # owner's seat, -1: not built
        ("occupied", "i8", 2),  # set of hexes with a structure
        ("spot", "i1", (4, 4)),  # priests standing on a cult: the 3-spot and three 2-spots
        ("power_taken", "u1", 6),
        ("favours_left", "u1", 12),
        ("towns_left", "u1", 5),
        ("card", "i1", 9),  # holder's seat, -1: in the pool, -2: not in the game
        ("card_coins", "u1", 9),
        # the players
        ("faction", "i1", SEATS),
        ("vp", "i2", SEATS),
        ("coins", "i2", SEATS),
        ("workers", "i2", SEATS),
        ("priests", "u1", SEATS),
        ("priests_out", "u1", SEATS),  # on cult spots, for good
        ("bowl", "u1", (SEATS, 3)),
        ("cult", "u1", (SEATS, 4)),
        ("keys", "u1", SEATS),
        ("dig", "u1", SEATS),
        ("ship", "u1", SEATS),
        ("count", "u1", (SEATS, 6)),  # structures standing, by building
        ("site", "u1", (SEATS, MOST_SITES)),  # hexes of the structures, in order of building
        ("sites", "u1", SEATS),
        ("bridges", "u1", SEATS),
        ("favours", "u2", SEATS),  # bit per favour tile
        ("towns", "u1", (SEATS, 5)),
        ("bonus", "i1", SEATS),  # card held, -1: none
        ("used_bonus", "u1", SEATS),
        ("used_favour", "u1", SEATS),
        ("used_faction", "u1", SEATS),
        ("passed", "u1", SEATS),  # 0, or 1 + rank of passing in this round
        ("reward", "u1", SEATS),  # spades from cult rewards not used yet
        # what is still due in this turn
        ("actions_left", "u1"),  # 2 during a Chaos Magicians' double turn; 0 once acted
        ("conversions", "u1"),  # made this turn
        ("spades", "u1"),  # free spades in hand
        ("split", "u1"),  # SPLIT, STRAYED, TUNNELLED
        ("stronghold_spades", "u1"),  # 1: the free spades are the Halflings'
        ("steps", "u1"),  # cult steps to place on one track
        ("favours_due", "u1"),
        ("towns_due", "u1"),
        ("bridge_due", "u1"),
        ("priests_due", "u1"),  # workers that Darklings may still ordain
        ("tops_due", "u1"),  # bit per cult that would enter 10 if there were keys enough
        ("stuck", "u1"),  # bit per cult whose marker lost a step to a missing key this turn
        ("builder", "i1"),
        ("offer", "u1", (2, SEATS)),  # power offered by the last two builds of this turn
        ("offered", "u1"),  # 1: somebody could gain from the build being answered
        ("accepted", "u1"),  # 1: somebody took power from it
        ("cultist_step", "u1"),  # 1: the Cultists choose a cult for it
    ]
)

SCENARIO = np.dtype(
    [
        ("players", "u1"),
        ("explicit", "u1"),
        ("cap", "u1"),
        ("leech", "u1"),
        ("shuffled", "u1"),  # 1: the factions sit down in random order
        ("faction", "i1", SEATS),  # or CHOSEN, RANDOM
        ("tile", "i1", 6),  # -1: drawn
        ("card", "i1", 9),  # 1: in the game, 0: not, -1: drawn
        ("start_hex", "i1", (SEATS, 3)),
        ("start_card", "i1", SEATS),
    ]
)
