"""Moving groups, stacks above the limit, and room for retreats."""

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import ACCESS, BIT, LEADER, REGIONS
from stratagem.games.hispania.rules.reach import crosses_water, in_group, pace
from stratagem.games.hispania.rules.scoring import score_kill
from stratagem.games.hispania.rules.stacks import limit_of, units_in, vacate


@kernel
def move_group(s, nation, origin, mask, target):
    leader = in_group(s, origin, mask, LEADER)
    infantry = in_group(s, origin, mask, 0)
    cavalry = in_group(s, origin, mask, 1)
    special = in_group(s, origin, mask, 2)
    who = s["owner"][target]
    if who >= 0 and who != nation and units_in(s, target) > 0:
        points = pace(nation, infantry, cavalry, special, leader)
        crossed = crosses_water(s, nation, origin, target, points, leader > 0)
        for _ in range(infantry):
            add_attacker(s, target, origin, 0, crossed, 0)
        for _ in range(cavalry):
            add_attacker(s, target, origin, 1, crossed, 0)
        for _ in range(special):
            add_attacker(s, target, origin, 2, crossed, 0)
        if leader > 0:
            add_attacker(s, target, origin, LEADER, crossed, s["leader"][origin])
        s["pending"][target] += infantry + cavalry + special + 16 * leader
    else:
        if who >= 0 and who != nation:  # a leader without units is captured
            s["leader"][target] = 0
            score_kill(s, nation, who, LEADER)
        s["owner"][target] = nation
        add_units(s, target, infantry, cavalry, special)
        if leader > 0:
            s["leader"][target] = s["leader"][origin]
            s["moved"][target, LEADER] = 1
    s["units"][origin, 0] -= infantry
    s["units"][origin, 1] -= cavalry
    s["units"][origin, 2] -= special
    if leader > 0:
        s["leader"][origin] = 0
    vacate(s, origin)


@kernel
def add_units(s, region, infantry, cavalry, special):
    """Add units that have moved to a region."""
    s["units"][region, 0] += infantry
    s["moved"][region, 0] += infantry
    s["units"][region, 1] += cavalry
    s["moved"][region, 1] += cavalry
    s["units"][region, 2] += special
    s["moved"][region, 2] += special


@kernel
def add_attacker(s, site, origin, kind, crossed, leader):
    row = s["attackers"][s["attacking"]]
    row[0] = site
    row[1] = origin
    row[2] = kind
    row[3] = crossed
    row[4] = leader
    s["attacking"] += 1


@kernel
def rest_pieces(s):
    """Start a new movement phase: nobody has moved."""
    for region in range(REGIONS):
        for kind in range(4):
            s["moved"][region, kind] = 0


@kernel
def trim_stacks(s, nation):
    """After movement, remove the cheapest units above the limit."""
    for region in range(REGIONS):
        if s["owner"][region] != nation:
            continue
        excess = units_in(s, region) - limit_of(s, nation, region, False)
        kind = 0
        while excess > 0:
            if s["units"][region, kind] > 0:
                remove_unit(s, region, kind)
                excess -= 1
            else:
                kind += 1


@kernel
def remove_unit(s, region, kind):
    """Return one unit to the box, preferably one that has not moved."""
    s["units"][region, kind] -= 1
    s["moved"][region, kind] = min(s["moved"][region, kind], s["units"][region, kind])


@kernel
def retreat_room(s, nation, region, units, with_leader):
    """Whether this whole stack may retreat to the region."""
    if (ACCESS[nation] & s["active"]) & BIT[region] == 0:
        return False
    who = s["owner"][region]
    if who >= 0 and who != nation:
        return False
    if with_leader and who == nation and s["leader"][region] > 0:
        return False
    return units_in(s, region) + units <= limit_of(s, nation, region, with_leader)
