"""Victory points: counted at the end of a round, at once for kills, after a turn for conquests."""

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    AREA,
    AREA_MASK,
    BIT,
    CAPITAL,
    CASTLE,
    CITY,
    CONQUEST,
    DENY,
    EXIT,
    HOLD_CASTLE,
    HOLD_CITY,
    KILL,
    KILL_LEADER,
    NATIONS,
    REGIONS,
    SCORE_AREAS,
    SCORE_KIND,
    SCORE_NATION,
    SCORE_NATIONS,
    SCORE_PARAM,
    SCORE_REGIONS,
    SCORE_ROUNDS,
    SCORE_VP,
    SCORING_FROM,
    SCORING_TO,
    SURVIVE,
    VASSAL,
)
from stratagem.games.hispania.rules.stacks import has_pieces, held_by, size, units_in

REGIONS_ALL = (1 << REGIONS) - 1


@kernel
def score_kill(s, killer, victim, slot):
    """Pay for a destroyed unit (slot 0-2) or leader (slot 3)."""
    now = BIT[s["round"]]
    for row in range(SCORING_FROM[s["tables"]], SCORING_TO[s["tables"]]):
        if SCORE_NATION[row] != killer or SCORE_ROUNDS[row] & now == 0:
            continue
        if SCORE_NATIONS[row] & BIT[victim] == 0:
            continue
        if slot == 3:
            if SCORE_KIND[row] == KILL_LEADER:
                s["vp"][killer] += SCORE_VP[row]
        elif SCORE_KIND[row] == KILL and (SCORE_PARAM[row] < 0 or SCORE_PARAM[row] == slot):
            s["vp"][killer] += SCORE_VP[row]


@kernel
def score_conquests(s, nation):
    """Pay once for each listed region that the nation controls at the end of its turn."""
    now = BIT[s["round"]]
    unpaid = held_by(s, nation) & ~s["conquered"][nation]
    for row in range(SCORING_FROM[s["tables"]], SCORING_TO[s["tables"]]):
        if SCORE_NATION[row] == nation and SCORE_KIND[row] == CONQUEST:
            if SCORE_ROUNDS[row] & now != 0:
                paid = unpaid & SCORE_REGIONS[row]
                s["vp"][nation] += SCORE_VP[row] * size(paid)
                s["conquered"][nation] |= paid


@kernel
def score_exit(s, nation):
    """Score a nation that embarks: a point per unit up to a limit, if it holds a listed port."""
    now = BIT[s["round"]]
    held = held_by(s, nation)
    units = 0
    for region in range(REGIONS):
        if s["owner"][region] == nation:
            units += units_in(s, region)
    for row in range(SCORING_FROM[s["tables"]], SCORING_TO[s["tables"]]):
        if SCORE_NATION[row] == nation and SCORE_KIND[row] == EXIT:
            if SCORE_ROUNDS[row] & now != 0 and held & SCORE_REGIONS[row] != 0:
                s["vp"][nation] += SCORE_VP[row] * min(units, SCORE_PARAM[row])


@kernel
def with_structure(s, lowest, highest):
    """Return the regions with a structure from `lowest` to `highest`."""
    found = 0
    for region in range(REGIONS):
        if lowest <= s["structure"][region] <= highest:
            found |= BIT[region]
    return found


@kernel
def count_points(s):
    """The VP count at the end of a round, for every nation on the map."""
    cities = with_structure(s, CITY, CITY)
    castles = with_structure(s, CASTLE, CASTLE)
    for nation in range(NATIONS):
        if s["player"][nation] >= 0 and has_pieces(s, nation):
            count_nation(s, nation, cities, castles)


@kernel
def count_nation(s, nation, cities, castles):
    """Sum each kind over its rows; halve it, rounding down, if vassals are included."""
    now = BIT[s["round"]]
    held = held_by(s, nation)
    vassal_held = 0
    vassals = 0
    for other in range(NATIONS):
        if s["overlord"][other] == nation:
            vassal_held |= held_by(s, other)
            vassals += 1
    is_vassal = s["overlord"][nation] >= 0
    for kind in range(CAPITAL + 1):
        among = REGIONS_ALL
        if kind == HOLD_CITY:
            among = cities
        elif kind == HOLD_CASTLE:
            among = castles
        elif kind == CAPITAL:
            among = cities | castles
        doubled = 0
        for row in range(SCORING_FROM[s["tables"]], SCORING_TO[s["tables"]]):
            if SCORE_NATION[row] == nation and SCORE_KIND[row] == kind:
                if SCORE_ROUNDS[row] & now != 0:
                    targets = SCORE_REGIONS[row] & among & s["active"]
                    doubled += SCORE_VP[row] * (
                        2 * size(targets & held) + size(targets & vassal_held)
                    )
        total = doubled // 2
        s["vp"][nation] += total // 2 if is_vassal else total
    for row in range(SCORING_FROM[s["tables"]], SCORING_TO[s["tables"]]):
        if SCORE_NATION[row] == nation and SCORE_ROUNDS[row] & now != 0:
            s["vp"][nation] += count_other(s, row, nation, held, vassals)


@kernel
def count_other(s, row, nation, held, vassals):
    """Return a row's points that vassals' regions do not share: area, survive, vassal, deny."""
    kind = SCORE_KIND[row]
    vp = SCORE_VP[row]
    if kind == AREA:
        total = 0
        for area in range(5):
            if SCORE_AREAS[row] & BIT[area] != 0 and leads_area(s, nation, held, area):
                total += vp
        return total
    if kind == SURVIVE and size(held) >= SCORE_PARAM[row]:
        return vp
    if kind == VASSAL:
        return vp * vassals
    if kind == DENY:
        for other in range(NATIONS):
            if SCORE_NATIONS[row] & BIT[other] != 0:
                if held_by(s, other) & SCORE_REGIONS[row] != 0:
                    return 0
        return vp
    return 0


@kernel
def leads_area(s, nation, held, area):
    """Whether a nation has at least three regions of the area, and more than any other."""
    mine = size(held & AREA_MASK[area])
    if mine < 3:
        return False
    for other in range(NATIONS):
        if other != nation and size(held_by(s, other) & AREA_MASK[area]) >= mine:
            return False
    return True
