"""The data files as arrays for kernels: map, nations, units, rows of each set.

Sets of regions, nations or rounds are bit masks in one int64.
"""

from pathlib import Path

import numpy as np

from stratagem.games.hispania.board.checks import check_data
from stratagem.games.hispania.board.set_files import read_data

DATA_FOLDER = Path(__file__).parent.parent / "data"
GAME_DATA = read_data(DATA_FOLDER)
check_data(GAME_DATA)

REGIONS = 55
NATIONS = 20
ROUNDS = 21
PLAYERS = 4
STACK = 6  # most pieces of one nation in a region
LEADER = 3  # piece kind after the unit slots 0 INF, 1 CAV, 2 special
CLEAR, DIFFICULT, POOR = 0, 1, 2
NONE, FORT, CASTLE, CITY = 0, 1, 2, 3
OFFMAP = 4
ENTRY, HOME, SETTLE = 0, 1, 2
LEAVE, TRANSFORM, GROWTH_HALF = 0, 1, 2
(HOLD, HOLD_CITY, HOLD_CASTLE, CAPITAL, AREA, SURVIVE, VASSAL,
 KILL, KILL_LEADER, CONQUEST, DENY, EXIT) = range(12)  # fmt: skip


def mask_of(members):
    """Return a bit per member."""
    return sum(1 << int(member) for member in set(members))


def _masks(groups):
    return np.array([mask_of(group) for group in groups], np.int64)


BIT = np.array([1 << k for k in range(63)], np.int64)
# Index of the lowest set bit b of a mask: powers of two differ modulo 67.
LOW = np.zeros(67, np.int64)
for _place in range(63):
    LOW[(1 << _place) % 67] = _place

# The map.
TERRAIN = np.array([region.terrain for region in GAME_DATA.regions], np.int64)
AREA_OF = np.array([region.area for region in GAME_DATA.regions], np.int64)
POPULATION = np.array([region.population for region in GAME_DATA.regions], np.int64)
STRUCTURE = np.array([region.structure for region in GAME_DATA.regions], np.int64)
ON_MAP = np.array([region.area != OFFMAP for region in GAME_DATA.regions])
ON_MAP_MASK = np.int64(mask_of(np.flatnonzero(ON_MAP)))
DIFFICULT_MASK = np.int64(mask_of(np.flatnonzero(TERRAIN == DIFFICULT)))
POOR_MASK = np.int64(mask_of(np.flatnonzero(TERRAIN == POOR)))
COAST_MASK = np.int64(mask_of(k for k, region in enumerate(GAME_DATA.regions) if region.seas))
AREA_MASK = _masks([np.flatnonzero(AREA_OF == area) for area in range(5)])
STACK_LIMIT = np.array(
    [5 if region.area == OFFMAP else (3, 2, 2)[region.terrain] for region in GAME_DATA.regions],
    np.int64,
)


def _neighbours(kinds):
    found = [set() for _ in range(REGIONS)]
    for edge in GAME_DATA.edges:
        if edge.kind in kinds:
            found[edge.first].add(edge.second)
            found[edge.second].add(edge.first)
    return found


LAND = _masks(_neighbours((0,)))
RIVER = _masks(_neighbours((1,)))
STRAIT = _masks(_neighbours((2,)))
NEAR = LAND | RIVER | STRAIT


def _sea_reach(extra):
    """Return regions on the same sea, or with `extra` also on a neighbouring one."""
    found = []
    for region in GAME_DATA.regions:
        seas = set(region.seas)
        if extra:
            seas |= {other for sea in region.seas for other in GAME_DATA.sea_neighbours[sea]}
        found.append(
            {k for k, other in enumerate(GAME_DATA.regions) if seas & set(other.seas)}
            - {GAME_DATA.regions.index(region)}
        )
    return _masks(found)


SEA_REACH = np.stack([np.zeros(REGIONS, np.int64), _sea_reach(False), _sea_reach(True)])

# Nations.
CODES = tuple(nation.code for nation in GAME_DATA.nations)
NAMES = tuple(region.name for region in GAME_DATA.regions)
ACCESS = _masks([nation.offmap for nation in GAME_DATA.nations]) | ON_MAP_MASK
SHIPS = np.zeros((NATIONS, ROUNDS + 1), np.int64)  # [nation, round] range, 0: no ships
for _at, _nation in enumerate(GAME_DATA.nations):
    for _round in _nation.ships:
        SHIPS[_at, _round] = _nation.ships_range
SUBMITS_AT = np.array([nation.submits_at for nation in GAME_DATA.nations], np.int64)
CAN_VASSALISE = _masks([nation.can_vassalise for nation in GAME_DATA.nations])
ODDS = np.array([nation.attack_odds for nation in GAME_DATA.nations])
GARRISON = np.array([nation.garrison for nation in GAME_DATA.nations], np.int64)

# Units: [nation, slot] for slots 0-5, units first, then fort, castle, city.
_stats = np.zeros((7, NATIONS, 6), np.int64)
UNIT_NAME = [["", "", "", "Fort", "Castle", "City"] for _ in range(NATIONS)]
UNIT_TYPE = [["", "", "", "fort", "castle", "city"] for _ in range(NATIONS)]
for _unit in GAME_DATA.units:
    if _unit.slot >= 0:
        _stats[:, _unit.nation, _unit.slot] = (
            _unit.hp, _unit.offence, _unit.defence, _unit.min_die, _unit.movement, _unit.cost,
            _unit.quantity,
        )  # fmt: skip
        UNIT_NAME[_unit.nation][_unit.slot] = _unit.name
        if _unit.slot < 3:
            UNIT_TYPE[_unit.nation][_unit.slot] = _unit.type
HP, OFFENCE, DEFENCE, MIN_DIE, MOVEMENT, COST, QUANTITY = (_stats[k].copy() for k in range(7))
LEADER_MOVEMENT = 3
LEADER_MIN_DIE = 4

# Rows of all sets, one after another; a position names its set.
SETS = tuple(each.name for each in GAME_DATA.sets)


def _bounds(rows_of):
    ends = np.cumsum([0, *(len(rows_of(each)) for each in GAME_DATA.sets)])
    return ends[:-1].astype(np.int64), ends[1:].astype(np.int64)


SETUP_FROM, SETUP_TO = _bounds(lambda each: each.setup)
_setups = [row for each in GAME_DATA.sets for row in each.setup]
SETUP = np.array([(r.nation, r.region, r.slot, r.quantity) for r in _setups], np.int64)

ARRIVAL_FROM, ARRIVAL_TO = _bounds(lambda each: each.arrivals)
ARRIVALS = [row for each in GAME_DATA.sets for row in each.arrivals]
MOST_ARRIVALS = 56  # rows of the largest set
ARRIVAL_ROUND = np.array([row.round for row in ARRIVALS], np.int64)
ARRIVAL_NATION = np.array([row.nation for row in ARRIVALS], np.int64)
ARRIVAL_MODE = np.array([row.mode for row in ARRIVALS], np.int64)
ARRIVAL_REGIONS = np.array(
    [[*row.regions, *[-1] * (6 - len(row.regions))] for row in ARRIVALS], np.int64
)
ARRIVAL_UNITS = np.array([row.units for row in ARRIVALS], np.int64)
ARRIVAL_LEADER = np.array([bool(row.leader) for row in ARRIVALS])
ARRIVAL_UNTIL = np.array([row.leader_until for row in ARRIVALS], np.int64)
ARRIVAL_MAJOR = np.array([row.major_invasion for row in ARRIVALS], np.int64)
ARRIVAL_REVOLT = np.array([row.revolt for row in ARRIVALS], np.int64)

EVENT_FROM, EVENT_TO = _bounds(lambda each: each.events)
_events = [row for each in GAME_DATA.sets for row in each.events]
EVENT = np.array(
    [(e.round, e.nation, e.kind, e.target, e.max_regions, e.min_units) for e in _events], np.int64
)
EVENT_REGIONS = np.array(
    [mask_of(e.regions) if e.regions else (1 << REGIONS) - 1 for e in _events], np.int64
)

SCORING_FROM, SCORING_TO = _bounds(lambda each: each.scoring)
SCORING_ROWS = [row for each in GAME_DATA.sets for row in each.scoring]
SCORE_NATION = np.array([row.nation for row in SCORING_ROWS], np.int64)
SCORE_KIND = np.array([row.kind for row in SCORING_ROWS], np.int64)
SCORE_ROUNDS = _masks([row.rounds for row in SCORING_ROWS])
SCORE_REGIONS = _masks([row.regions for row in SCORING_ROWS])
SCORE_NATIONS = _masks([row.nations for row in SCORING_ROWS])
SCORE_AREAS = _masks([row.areas for row in SCORING_ROWS])
SCORE_VP = np.array([row.vp for row in SCORING_ROWS], np.int64)
SCORE_PARAM = np.array([row.param for row in SCORING_ROWS], np.int64)


def hops():
    """[55, 55] steps between regions over land, rivers and straits (distance.csv)."""
    distance = np.full((REGIONS, REGIONS), 99, np.int64)
    for start in range(REGIONS):
        reached, steps = 1 << start, 0
        front = reached
        while front:
            following = 0
            for region in range(REGIONS):
                if front >> region & 1:
                    distance[start, region] = steps
                    following |= int(NEAR[region])
            front = following & ~reached
            reached |= front
            steps += 1
    return distance


DISTANCE = hops()
