"""Describes events of Hispania: nations and units by name, dice with their hits."""

from typing import Any

from stratagem.core.seats import CHANCE, OVER
from stratagem.core.sentences import counted, joined
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import (
    COST,
    GAME_DATA,
    LEADER,
    NAMES,
    NATIONS,
    REGIONS,
    UNIT_TYPE,
)
from stratagem.games.hispania.rules.battle import attack_units, kind_of_die
from stratagem.games.hispania.rules.reach import in_group
from stratagem.games.hispania.rules.stacks import units_in
from stratagem.games.hispania.state import DEFENDER, GROUP

NATION_NAMES = tuple(nation.name for nation in GAME_DATA.nations)
TYPE_NAMES = {
    "INF": "infantry", "CAV": "cavalry", "ELI": "elite infantry", "KNI": "knights",
    "ELE": "elephants", "fort": "a fort", "castle": "a castle", "city": "a city",
}  # fmt: skip


def describe(s: Any, action: int, after: Any) -> str:
    text = _die(s, action, after) if s["seat"] == CHANCE else _decision(s, action)
    return text if after is None else text + _aftermath(s, after)


def place(region: int) -> str:
    return NAMES[region].replace("_", " ")


def kind_name(nation: int, slot: int) -> str:
    """Name what can be bought in a slot; an empty slot is named by its number."""
    kind = UNIT_TYPE[nation][slot]
    return TYPE_NAMES[kind] if kind else f"slot {slot}"


def pieces(nation: int, counts: Any) -> str:
    """Write the pieces behind counts of infantry, cavalry, special units and leaders."""
    parts = ["the leader"] if counts[LEADER] else []
    for slot in (2, 1, 0):
        number = int(counts[slot])
        if number:
            name = kind_name(nation, slot)
            parts.append(name if number == 1 else f"{number} {name}")
    return joined(parts)


def _decision(s: Any, action: int) -> str:
    nation = int(s["nation"])
    who = f"the {NATION_NAMES[nation]}"
    if action < FROM:
        slot, region = divmod(action - BUY, REGIONS)
        unit = kind_name(nation, slot)
        return f"{{buy}} {unit} for {who} in {place(region)} (cost {int(COST[nation, slot])})"
    if action == STOP:
        return f"{{end}} the movement of {who}"
    if action < STOP:
        region = action - FROM
        return f"{{move}} {who} out of {place(region)} ({_standing(s, region)} there)"
    if action < TO:
        return f"{{take}} {_group(s, action - WITH)} of {who} out of {place(int(s['origin']))}"
    if action < FIGHT:
        return f"{{send}} {_journey(s, action - TO)}"
    if action < RETREAT:
        region = action - FIGHT
        return f"{{fight}} for {place(region)} next: {who} against {_defence(s, region)}"
    if action < REMOVE:
        region, site = action - RETREAT, int(s["site"])
        if region == site:
            return f"{{fight}} on in {place(site)} with {_side(s)}"
        return f"{{retreat}} with {_side(s)} from {place(site)} to {place(region)}"
    slot, region = divmod(action - REMOVE, REGIONS)
    return f"{{remove}} {kind_name(nation, slot)} of {who} from overcrowded {place(region)}"


def _side(s: Any) -> str:
    """Name the side that the deciding seat plays in this battle: attacker or defender."""
    attacker, defender = int(s["nation"]), int(s["owner"][int(s["site"])])
    return f"the {NATION_NAMES[defender if s['phase'] == DEFENDER else attacker]}"


def _standing(s: Any, region: int) -> str:
    units = s["units"][region]
    counts = (int(units[0]), int(units[1]), int(units[2]), int(s["leader"][region] > 0))
    return pieces(int(s["owner"][region]), counts)


def _group(s: Any, mask: int) -> str:
    if s["origin"] < 0 or s["phase"] < GROUP:
        return f"pieces {mask:06b}"
    origin = int(s["origin"])
    counts = [int(in_group(s, origin, mask, kind)) for kind in (0, 1, 2, LEADER)]
    return pieces(int(s["nation"]), counts)


def _journey(s: Any, target: int) -> str:
    group = _group(s, int(s["group"]))
    who = NATION_NAMES[int(s["nation"])]
    text = f"{group} of the {who} from {place(int(s['origin']))} to {place(target)}"
    owner = int(s["owner"][target])
    if owner < 0 or owner == s["nation"]:
        return text
    return f"{text}, attacking {_defence(s, target)}"


def _defence(s: Any, region: int) -> str:
    return f"the {NATION_NAMES[int(s['owner'][region])]} ({_standing(s, region)})"


def _die(s: Any, outcome: int, after: Any) -> str:
    """Describe who rolled what in a battle, and the result."""
    site, number = int(s["site"]), int(s["dice"])
    attackers = int(attack_units(s))
    attacks = number < attackers
    if attacks:
        nation = int(s["nation"])
        kind = int(kind_of_die(number, int(s["force"][0]), int(s["force"][1])))
    else:
        nation, units = int(s["owner"][site]), s["units"][site]
        kind = int(kind_of_die(number - attackers, int(units[0]), int(units[1])))
    side = "attacking" if attacks else "defending"
    who = f"The {NATION_NAMES[nation]}, {side} {place(site)},"
    text = f"{who} roll {outcome + 1} for {kind_name(nation, kind)}"
    if after is None:
        return text
    if number + 1 < attackers + int(units_in(s, site)):
        row = 0 if attacks else 1
        hit = int(after["hits"][row].sum()) > int(s["hits"][row].sum())
        return f"{text}: {'a hit' if hit else 'a miss'}"
    return f"{text}. {_casualties(s, after, site)}"


def _casualties(s: Any, after: Any, site: int) -> str:
    """Describe what a round of battle cost both sides, and who holds the region at the end."""
    attacker, defender = int(s["nation"]), int(s["owner"][site])
    if after["round"] != s["round"]:
        return f"The battle of {place(site)} is over"
    losses = []
    for nation in (attacker, defender):
        lost = _strength(s, nation) - _strength(after, nation)
        if lost > 0:
            losses.append(f"the {NATION_NAMES[nation]} lose {counted(lost, 'unit')}")
    text = f"Round {int(s['battle_round'])} of the battle: {joined(losses) or 'no losses'}"
    if after["site"] == site:
        return text
    holder = int(after["owner"][site])
    held = f"the {NATION_NAMES[holder]} hold {place(site)}" if holder >= 0 else "nobody is left"
    return f"{text}; {held}"


def _strength(s: Any, nation: int) -> int:
    """Count all units of a nation, including those on their way to an attack."""
    standing = sum(int(s["units"][r].sum()) for r in range(REGIONS) if s["owner"][r] == nation)
    if nation != s["nation"]:
        return standing
    rows = s["attackers"][: int(s["attacking"])]
    return standing + sum(1 for row in rows if row[2] != LEADER)


def _aftermath(s: Any, after: Any) -> str:
    """Describe submissions, points and the clock."""
    parts = []
    for nation in range(NATIONS):
        lord = int(after["overlord"][nation])
        if lord >= 0 and lord != s["overlord"][nation]:
            parts.append(f"the {NATION_NAMES[nation]} submit to the {NATION_NAMES[lord]}")
    for seat in range(int(s["num_seats"])):
        mine = s["player"] == seat
        gain = int(after["vp"][mine].sum()) - int(s["vp"][mine].sum())
        if gain:
            parts.append(f"{{{seat}}} {{score}} {counted(gain, 'point')}")
    if after["seat"] == OVER:
        parts.append("the game is over")
    elif after["round"] != s["round"]:
        parts.append(f"round {int(after['round'])} begins")
    return "".join(f"; {part}" for part in parts)
