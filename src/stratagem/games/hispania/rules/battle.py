"""Battle: dice one at a time, hits, casualties, retreats, and who holds the ground."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE
from stratagem.games.hispania.board.arrays import (
    BIT,
    CASTLE,
    CITY,
    DEFENCE,
    DIFFICULT,
    FORT,
    HP,
    LAND,
    LEADER,
    MIN_DIE,
    NONE,
    OFFENCE,
    REGIONS,
    RIVER,
    TERRAIN,
)
from stratagem.games.hispania.rules.movement import add_units, remove_unit, retreat_room
from stratagem.games.hispania.rules.scoring import score_kill
from stratagem.games.hispania.rules.stacks import clear_region, low, units_in
from stratagem.games.hispania.state import ATTACKER, BATTLE, DEFENDER, ROLL

MOST_ROUNDS = 30


@kernel
def start_battle(s, site):
    s["site"] = site
    s["battle_round"] = 0
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] == site:
            s["force"][s["attackers"][row, 2]] += 1
    start_round(s)


@kernel
def start_round(s):
    s["battle_round"] += 1
    s["dice"] = 0
    s["phase"] = ROLL
    s["seat"] = CHANCE


@kernel
def attack_units(s):
    return np.int64(s["force"][0]) + np.int64(s["force"][1]) + np.int64(s["force"][2])


@kernel
def crossed_water(s, site):
    """Whether more than half of the attacking pieces came over a river, strait or sea."""
    wet = 0
    pieces = 0
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] == site:
            pieces += 1
            wet += np.int64(s["attackers"][row, 3])
    return 2 * wet > pieces


@kernel
def attack_modifier(s, site, first_round, with_leader, crossed):
    modifier = 1 if with_leader else 0
    if TERRAIN[site] == DIFFICULT:
        modifier -= 1
    structure = s["structure"][site]
    if structure == FORT or structure == CASTLE:
        modifier -= 1
    if first_round:
        if structure == CITY:
            modifier -= 1
        if crossed:
            modifier -= 1
    return modifier


@kernel
def hit_value(face, modifier, factor):
    """Return the value of a hit, 0 for a miss: a natural 6 always hits, a natural 1 never."""
    value = face + modifier
    if face == 6:
        return max(value, 6)
    if face == 1 or value < factor:
        return 0
    return value


@kernel
def roll(s, face):
    """Roll one die: first the attacker's, then the defender's."""
    site = np.int64(s["site"])
    number = np.int64(s["dice"])
    attackers = attack_units(s)
    if number < attackers:
        nation = np.int64(s["nation"])
        kind = kind_of_die(number, np.int64(s["force"][0]), np.int64(s["force"][1]))
        first = s["battle_round"] == 1
        crossed = first and crossed_water(s, site)
        modifier = attack_modifier(s, site, first, s["force"][LEADER] > 0, crossed)
        value = hit_value(face, modifier, OFFENCE[nation, kind])
        if value > 0:
            s["hits"][0, value] += 1
    else:
        nation = np.int64(s["owner"][site])
        units = s["units"][site]
        kind = kind_of_die(number - attackers, np.int64(units[0]), np.int64(units[1]))
        modifier = 1 if s["leader"][site] > 0 else 0
        value = hit_value(face, modifier, DEFENCE[nation, kind])
        if value > 0:
            s["hits"][1, value] += 1
    s["dice"] = number + 1
    if number + 1 == attackers + units_in(s, site):
        end_round(s, site)


@kernel
def kind_of_die(number, infantry, cavalry):
    """Infantry rolls first, then cavalry, then the special type."""
    if number < infantry:
        return 0
    return 1 if number < infantry + cavalry else 2


@kernel
def end_round(s, site):
    """Remove casualties of both sides at once; then there is a winner, or a choice to retreat."""
    defender = np.int64(s["owner"][site])
    take_hits(s, site, 0)
    take_hits(s, site, 1)
    s["dice"] = 0
    attackers = attack_units(s)
    defenders = units_in(s, site)
    if attackers == 0:
        if s["force"][LEADER] > 0:
            score_kill(s, defender, np.int64(s["nation"]), LEADER)
        if defenders == 0:
            lose_site(s, site)
        drop_attackers(s, site)
        end_battle(s, site)
    elif defenders == 0:
        lose_site(s, site)
        occupy(s, site, defender)
        end_battle(s, site)
    else:
        offer_defender(s, site, defender)


@kernel
def take_hits(s, site, side):
    """Apply the hits on the defender (0) or the attacker (1), high ones first."""
    attacker = np.int64(s["nation"])
    defender = np.int64(s["owner"][site])
    victim = defender if side == 0 else attacker
    killer = attacker if side == 0 else defender
    for value in range(7, 0, -1):
        for _ in range(s["hits"][side, value]):
            kind = struck(s, site, side, victim, value)
            if kind >= 0:
                score_kill(s, killer, victim, kind)
        s["hits"][side, value] = 0


@kernel
def struck(s, site, side, nation, value):
    """Apply a hit; return the kind of the unit it kills, -1 if it wounds or has no effect."""
    wounded = 1 - side  # s["wounded"] lists the attacker first
    healthy = strength(s, site, side, 2) - np.int64(s["wounded"][wounded])
    if HP[nation, 2] > 1 and healthy > 0 and MIN_DIE[nation, 2] <= value:
        s["wounded"][wounded] += 1
        return -1
    for kind in range(3):
        if strength(s, site, side, kind) > 0 and MIN_DIE[nation, kind] <= value:
            if kind == 2 and HP[nation, 2] > 1:
                s["wounded"][wounded] -= 1
            if side == 0:
                remove_unit(s, site, kind)
            else:
                s["force"][kind] -= 1
                forget_attacker(s, site, kind)
            return kind
    return -1


@kernel
def strength(s, site, side, kind):
    """Return the units of a kind on the side that is hit: 0 defender, 1 attacker."""
    return np.int64(s["units"][site, kind]) if side == 0 else np.int64(s["force"][kind])


@kernel
def forget_attacker(s, site, kind):
    """Take the last attacker of a kind at this site off the list."""
    last = np.int64(s["attacking"]) - 1
    row = last
    while s["attackers"][row, 0] != site or s["attackers"][row, 2] != kind:
        row -= 1
    erase_attacker(s, row, last)


@kernel
def erase_attacker(s, row, last):
    for column in range(5):
        for k in range(row, last):
            s["attackers"][k, column] = s["attackers"][k + 1, column]
        s["attackers"][last, column] = 0
    s["attacking"] = last


@kernel
def drop_attackers(s, site):
    """Remove whoever still attacks here (a leader without units)."""
    row = 0
    while row < s["attacking"]:
        if s["attackers"][row, 0] == site:
            erase_attacker(s, row, np.int64(s["attacking"]) - 1)
        else:
            row += 1


@kernel
def lose_site(s, site):
    """Handle the loss of the defender's last unit: its leader dies and the region is empty."""
    if s["leader"][site] > 0:
        score_kill(s, np.int64(s["nation"]), np.int64(s["owner"][site]), LEADER)
    clear_region(s, site)


@kernel
def occupy(s, site, loser):
    """Move the attackers in; a captured fort is destroyed, castles and cities stay."""
    nation = np.int64(s["nation"])
    s["owner"][site] = nation
    add_units(s, site, np.int64(s["force"][0]), np.int64(s["force"][1]), np.int64(s["force"][2]))
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] == site and s["attackers"][row, 2] == LEADER:
            s["leader"][site] = s["attackers"][row, 4]
            s["moved"][site, LEADER] = 1
    drop_attackers(s, site)
    if s["structure"][site] == FORT:
        s["structure"][site] = NONE
        s["builder"][site] = -1
    s["beaten"] = s["beaten"] | BIT[loser]


@kernel
def end_battle(s, site):
    """Forget the battle; survivors return to full strength."""
    s["pending"][site] = 0
    s["site"] = -1
    s["battle_round"] = 0
    s["dice"] = 0
    for kind in range(4):
        s["force"][kind] = 0
    s["wounded"][0] = 0
    s["wounded"][1] = 0
    s["phase"] = BATTLE


@kernel
def retreat_regions(s, site):
    """Return where the defending stack may retreat to."""
    nation = np.int64(s["owner"][site])
    units = units_in(s, site)
    with_leader = s["leader"][site] > 0
    beside = LAND[site] | RIVER[site]
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] == site:
            beside &= ~BIT[s["attackers"][row, 1]]
    found = beside & 0
    while beside != 0:
        region = low(beside)
        beside &= beside - 1
        if s["pending"][region] == 0 and retreat_room(s, nation, region, units, with_leader):
            found |= BIT[region]
    return found


@kernel
def attacker_can_retreat(s, site):
    """Whether every attacker can go back to where it came from, all at once."""
    nation = np.int64(s["nation"])
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] != site:
            continue
        origin = np.int64(s["attackers"][row, 1])
        units = 0
        with_leader = False
        for other in range(s["attacking"]):
            if s["attackers"][other, 0] == site and s["attackers"][other, 1] == origin:
                if s["attackers"][other, 2] == LEADER:
                    with_leader = True
                else:
                    units += 1
        if not retreat_room(s, nation, origin, units, with_leader):
            return False
    return True


@kernel
def offer_defender(s, site, defender):
    if retreat_regions(s, site) != 0:
        s["phase"] = DEFENDER
        s["seat"] = s["player"][defender]
    else:
        offer_attacker(s, site)


@kernel
def offer_attacker(s, site):
    able = attacker_can_retreat(s, site)
    if s["battle_round"] >= MOST_ROUNDS:
        if able:
            attacker_retreats(s, site)
        else:
            drop_attackers(s, site)
            end_battle(s, site)
    elif able:
        s["phase"] = ATTACKER
        s["seat"] = s["player"][s["nation"]]
    else:
        start_round(s)


@kernel
def defender_retreats(s, site, refuge):
    """Move the whole stack away; the attackers hold the region."""
    loser = np.int64(s["owner"][site])
    s["owner"][refuge] = loser
    for kind in range(3):
        s["units"][refuge, kind] += s["units"][site, kind]
    if s["leader"][site] > 0:
        s["leader"][refuge] = s["leader"][site]
    clear_region(s, site)
    occupy(s, site, loser)
    end_battle(s, site)


@kernel
def attacker_retreats(s, site):
    nation = np.int64(s["nation"])
    for row in range(s["attacking"]):
        if s["attackers"][row, 0] != site:
            continue
        origin = np.int64(s["attackers"][row, 1])
        kind = np.int64(s["attackers"][row, 2])
        s["owner"][origin] = nation
        if kind == LEADER:
            s["leader"][origin] = s["attackers"][row, 4]
            s["moved"][origin, LEADER] = 1
        else:
            s["units"][origin, kind] += 1
            s["moved"][origin, kind] += 1
    drop_attackers(s, site)
    end_battle(s, site)


@kernel
def battles(s):
    """The regions where a battle waits."""
    found = BIT[0] & 0
    for region in range(REGIONS):
        if s["pending"][region] > 0:
            found |= BIT[region]
    return found
