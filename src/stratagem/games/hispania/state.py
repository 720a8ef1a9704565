"""The state of a game of Hispania, and the packed scenario.

Pieces of one nation and type are identical, so a region stores counts. Nothing here can be computed
from anything else, except `pending` and `force`, which follow from the list of attackers.
"""

import numpy as np

from stratagem.games.hispania.board.arrays import MOST_ARRIVALS, NATIONS, PLAYERS, REGIONS

MOST_ATTACKERS = 48  # more than any nation has pieces

# What the game waits for. The first nine are decisions or dice, the others are automatic.
(GROWTH, ORIGIN, GROUP, DESTINATION, BATTLE, ROLL, DEFENDER, ATTACKER, OVERPOPULATION,
 NEXT_ROUND, NEXT_NATION, AFTER_BATTLES) = range(12)  # fmt: skip

DTYPE = np.dtype(
    [
        # constants of the scenario
        ("active", "i8"),  # bit per region that is in play
        ("handicap", "i2", PLAYERS),
        ("player", "i1", NATIONS),  # seat of each nation, -1: not in play
        ("tables", "u1"),  # set of rows in board.SETS
        ("last_round", "u1"),
        ("num_seats", "u1"),
        ("submission", "u1"),
        # the clock
        ("major", "u4"),  # bit per nation with a major invasion this round
        ("halved", "u4"),  # bit per nation with halved growth this round
        ("beaten", "u4"),  # bit per nation that lost a region to the acting one this turn
        ("seat", "i1"),  # who decides, CHANCE or OVER
        ("round", "u1"),  # 1 to 21
        ("nation", "i1"),  # whose turn it is
        ("phase", "u1"),
        ("second", "u1"),  # 1: the second movement and battle of a major invasion
        ("origin", "i1"),  # chosen so far in this move, else -1
        ("group", "u1"),  # pieces chosen so far, bit per place in the origin's stack
        # the map
        ("owner", "i1", REGIONS),  # nation whose pieces stand there, -1: nobody
        ("units", "u1", (REGIONS, 3)),  # INF, CAV, special
        ("leader", "u1", REGIONS),  # 1 + arrival row that brought the leader, 0: none
        ("moved", "u1", (REGIONS, 4)),  # pieces that moved in this phase: INF, CAV, special, leader
        ("structure", "u1", REGIONS),  # none, fort, castle, city
        ("builder", "i1", REGIONS),  # nation that built it, -1: there from the start
        ("counted", "i1", REGIONS),  # who controlled each region when the last round was counted
        # nations
        ("conquered", "i8", NATIONS),  # bit per region that has paid conquest points
        ("pool", "i2", NATIONS),  # population points
        ("vp", "i2", NATIONS),
        ("overlord", "i1", NATIONS),  # -1: free
        ("waiting", "u1", (MOST_ARRIVALS, 4)),  # pieces of an arrival row that found no room
        # battles
        ("pending", "u1", REGIONS),  # units that went there to attack, +16 with a leader
        ("attackers", "u1", (MOST_ATTACKERS, 5)),  # site, origin, kind, crossed water, leader row
        ("attacking", "u1"),  # rows used
        ("site", "i1"),  # battle being fought, else -1
        ("battle_round", "u1"),
        ("dice", "u1"),  # dice already rolled this battle round
        ("force", "u1", 4),  # attackers in this battle: INF, CAV, special, leader
        ("wounded", "u1", 2),  # special units with one hit point left: attacker, defender
        ("hits", "u1", (2, 8)),  # [on defender, on attacker] by value of the hit
    ]
)

SCENARIO = np.dtype(
    [
        ("active", "i8"),
        ("handicap", "i2", PLAYERS),
        ("player", "i1", NATIONS),
        ("tables", "u1"),
        ("first_round", "u1"),
        ("last_round", "u1"),
        ("num_seats", "u1"),
        ("submission", "u1"),
    ]
)
