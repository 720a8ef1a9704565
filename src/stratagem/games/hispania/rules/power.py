"""Strength of stacks as estimated by the scripted players: expected hits times hit points."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import DEFENCE, HP, LEADER, NEAR, OFFENCE
from stratagem.games.hispania.rules.battle import attack_modifier, hit_value
from stratagem.games.hispania.rules.stacks import hostile, low, units_in


@kernel
def hit_chance(modifier, factor):
    hits = 0
    for face in range(1, 7):
        if hit_value(face, modifier, factor) > 0:
            hits += 1
    return hits / 6.0


@kernel
def power(nation, infantry, cavalry, special, wounded, modifier, attacking):
    """Return the expected hits of a force times its remaining hit points."""
    hits = 0.0
    health = -float(wounded)
    for kind in range(3):
        count = infantry if kind == 0 else (cavalry if kind == 1 else special)
        factor = OFFENCE[nation, kind] if attacking else DEFENCE[nation, kind]
        if count > 0:
            hits += count * hit_chance(modifier, factor)
            health += count * HP[nation, kind]
    return hits * health


@kernel
def defence_power(s, site, wounded):
    nation = np.int64(s["owner"][site])
    infantry = np.int64(s["units"][site, 0])
    cavalry = np.int64(s["units"][site, 1])
    special = np.int64(s["units"][site, 2])
    modifier = 1 if s["leader"][site] > 0 else 0
    return power(nation, infantry, cavalry, special, wounded, modifier, False)


@kernel
def attack_ratio(s, nation, site, infantry, cavalry, special, leader, crossed):
    """Return the power of a planned attack relative to that of the defenders."""
    modifier = attack_modifier(s, site, True, leader > 0, crossed)
    mine = power(nation, infantry, cavalry, special, 0, modifier, True)
    return mine / max(0.01, defence_power(s, site, 0))


@kernel
def battle_ratio(s):
    """Return the power of the attackers relative to the defenders in the current battle."""
    site = np.int64(s["site"])
    nation = np.int64(s["nation"])
    infantry = np.int64(s["force"][0])
    cavalry = np.int64(s["force"][1])
    special = np.int64(s["force"][2])
    modifier = attack_modifier(s, site, False, s["force"][LEADER] > 0, False)
    mine = power(
        nation, infantry, cavalry, special, np.int64(s["wounded"][0]), modifier, True
    )  # fmt: skip
    return mine / max(0.01, defence_power(s, site, np.int64(s["wounded"][1])))


@kernel
def threat_to(s, nation, region):
    """Return the largest hostile stack next to a region."""
    most = 0
    near = NEAR[region] & s["active"]
    while near != 0:
        other = low(near)
        near &= near - 1
        who = np.int64(s["owner"][other])
        if who >= 0 and who != nation and hostile(s, nation, who):
            most = max(most, units_in(s, other))
    return most
