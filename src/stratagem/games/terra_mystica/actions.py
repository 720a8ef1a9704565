"""Actions of Terra Mystica: their numbers.

The meaning of the 2,143 numbers depends on the kind of decision.
"""

from stratagem.core.specs import ActionGroup, ActionSpec
from stratagem.games.terra_mystica.board.hexes import LAND_CELL

# Action ids: 18 for each of 117 cells, then the rest.
PER_CELL, TRANSFORM, BUILD, UPGRADE = 18, 0, 7, 14
UP_POST, UP_STRONGHOLD, UP_TEMPLE, UP_SANCTUARY = range(4)
PRIEST = 2106  # + 3 * cult + (0: three steps, 1: two, 2: one); + faction in FACTION
SHIP, DIG = 2118, 2119
POWER_ACTION = 2120  # + ACT1..6; + number - 1 in TO_PRIESTS
BONUS_ACTION, FAVOUR_ACTION, FACTION_ACTION = 2126, 2127, 2128
ACCEPT = BONUS_ACTION  # in LEECH
PASS = 2129  # + bonus card
STOP = PASS  # decline, forfeit, done
TOWN_TILE = 2138  # + TW1..5
ACTIONS = 2143
CONVERT = 2143  # + the nine below, explicit mode only
BURN, PW_TO_C, PW_TO_W, PW_TO_P, P_TO_W, P_TO_C, W_TO_C, VP_TO_C, C_TO_VP = range(9)
EXPLICIT_ACTIONS = 2152
MOST_LEGAL = 672  # 77 hexes * 7, upgrades, rivers and all the rest together stay below
GROUPS = (
    ActionGroup("map", 0, PRIEST),
    ActionGroup("cults", PRIEST, SHIP),
    ActionGroup("advances", SHIP, POWER_ACTION),
    ActionGroup("power actions", POWER_ACTION, BONUS_ACTION),
    ActionGroup("special actions", BONUS_ACTION, PASS),
    ActionGroup("passing", PASS, TOWN_TILE),
    ActionGroup("towns", TOWN_TILE, ACTIONS),
)
# The actions of each land hex, in the order of the action numbers.
AT_NODES = tuple(
    tuple(range(PER_CELL * cell, PER_CELL * (cell + 1))) for cell in LAND_CELL.tolist()
)


def action_spec(explicit: bool) -> ActionSpec:
    """Explicit mode adds the conversions."""
    return ActionSpec(EXPLICIT_ACTIONS if explicit else ACTIONS, at_nodes=AT_NODES)
