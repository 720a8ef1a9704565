"""The decisions of Hispania, as integers.

    BUY + slot * 55 + region          growth: buy INF, CAV, special, fort, castle, city there
    FROM + region, or STOP            movement: where the next group leaves from, or no more moves
    WITH + mask                       movement: which pieces, bit per place in the origin's stack
    TO + region                       movement: where it goes
    FIGHT + region                    battle: which waiting battle comes next
    RETREAT + region                  battle: retreat there; the site of the battle: fight on.
                                      The attacker, who goes back to every origin, names any other
                                      region as the lowest origin
    REMOVE + slot * 55 + region       overpopulation: remove a unit of that type there

If only one group can be formed, or only one battle waits, there is no decision.
"""

from stratagem.core.specs import ActionGroup
from stratagem.games.hispania.board.arrays import REGIONS

BUY = 0
FROM = BUY + 6 * REGIONS
STOP = FROM + REGIONS
WITH = STOP + 1
TO = WITH + 64
FIGHT = TO + REGIONS
RETREAT = FIGHT + REGIONS
REMOVE = RETREAT + REGIONS
ACTIONS = REMOVE + 3 * REGIONS
MOST_LEGAL = 6 * REGIONS
GROUPS = (
    ActionGroup("buy", BUY, FROM),
    ActionGroup("from", FROM, WITH),
    ActionGroup("with", WITH, TO),
    ActionGroup("to", TO, FIGHT),
    ActionGroup("fight", FIGHT, RETREAT),
    ActionGroup("retreat", RETREAT, REMOVE),
    ActionGroup("remove", REMOVE, ACTIONS),
)
