"""Hispania in text, e.g. `buy INF in Corduba`, `from Gades`, `with leader+2 INF`, `to Hispalis`."""

from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import (
    ARRIVAL_FROM,
    ARRIVALS,
    CODES,
    NAMES,
    NATIONS,
    REGIONS,
    UNIT_TYPE,
)
from stratagem.games.hispania.board.data import STRUCTURES
from stratagem.games.hispania.rules.reach import in_group
from stratagem.games.hispania.state import GROUP

PHASES = ("growth", "movement", "movement", "movement", "battle", "dice", "defender's retreat",
          "attacker's retreat", "overpopulation", "", "", "")  # fmt: skip


def format_action(s: Any, action: int) -> str:
    nation = int(s["nation"])
    if s["seat"] == CHANCE:
        return f"die {action + 1}"
    if action < FROM:
        slot, region = divmod(action - BUY, REGIONS)
        return f"buy {UNIT_TYPE[nation][slot] or f'slot{slot}'} in {NAMES[region]}"
    if action == STOP:
        return "stop"
    if action < STOP:
        return f"from {NAMES[action - FROM]}"
    if action < TO:
        return f"with {format_group(s, action - WITH)}"
    if action < FIGHT:
        return f"to {NAMES[action - TO]}"
    if action < RETREAT:
        return f"fight in {NAMES[action - FIGHT]}"
    if action < REMOVE:
        region = action - RETREAT
        return "fight on" if region == s["site"] else f"retreat to {NAMES[region]}"
    slot, region = divmod(action - REMOVE, REGIONS)
    return f"remove {UNIT_TYPE[nation][slot] or f'slot{slot}'} in {NAMES[region]}"


def format_group(s: Any, mask: int) -> str:
    """Write the pieces of a mask: `leader+ELI+2 INF`."""
    nation, origin = int(s["nation"]), int(s["origin"])
    if s["phase"] != GROUP or origin < 0:
        return f"pieces {mask:06b}"
    parts = ["leader"] if in_group(s, origin, mask, 3) else []
    for slot in (2, 1, 0):
        count = int(in_group(s, origin, mask, slot))
        if count:
            name = UNIT_TYPE[nation][slot]
            parts.append(name if count == 1 else f"{count} {name}")
    return "+".join(parts)


def parse_action(s: Any, text: str) -> int:
    wanted = " ".join(text.split()).lower()
    first = wanted.split(" ")[0] if wanted else ""
    ranges = {
        "buy": (BUY, FROM), "from": (FROM, STOP), "stop": (STOP, WITH), "with": (WITH, TO),
        "to": (TO, FIGHT), "fight": (FIGHT, REMOVE), "retreat": (RETREAT, REMOVE),
        "remove": (REMOVE, REMOVE + 3 * REGIONS),
    }  # fmt: skip
    if first in ranges:
        for action in range(*ranges[first]):
            if format_action(s, action).lower() == wanted:
                return action
    raise BadRecord(
        f"move {text!r}: write `buy INF in Corduba`, `from Gades`, `with leader+2 INF`, "
        "`to Hispalis`, `stop`, `fight in Malaca`, `fight on`, `retreat to Gades` or "
        "`remove INF in Gades`"
    )


def format_stack(s: Any, region: int) -> str:
    """Write nation and pieces in a region: `ROM leader ELI 2 INF 1`."""
    nation = int(s["owner"][region])
    if nation < 0:
        return "neutral"
    parts = [CODES[nation]]
    if s["leader"][region] > 0:
        parts.append(leader_name(s, int(s["leader"][region])))
    for slot in (2, 1, 0):
        if s["units"][region, slot] > 0:
            parts.append(f"{UNIT_TYPE[nation][slot]} {int(s['units'][region, slot])}")
    return " ".join(parts)


def leader_name(s: Any, leader: int) -> str:
    return ARRIVALS[int(ARRIVAL_FROM[int(s["tables"])]) + leader - 1].leader


def format_attack(s: Any, region: int) -> str:
    """Write who attacks a region and from where."""
    nation = int(s["nation"])
    parts = []
    for row in range(int(s["attacking"])):
        site, origin, kind, _, leader = (int(value) for value in s["attackers"][row])
        if site == region:
            name = UNIT_TYPE[nation][kind] if kind < 3 else leader_name(s, leader)
            parts.append(f"{name} from {NAMES[origin]}")
    return f"{CODES[nation]}: {', '.join(parts)}"


def format_state(s: Any) -> str:
    """Write clock, points, every region with pieces or a structure, and attacks."""
    lines = [f"round {int(s['round'])}, {describe_turn(s)}"]
    points = [
        f"{CODES[n]} {int(s['vp'][n])}vp {int(s['pool'][n])}pp"
        + (f" vassal of {CODES[int(s['overlord'][n])]}" if s["overlord"][n] >= 0 else "")
        for n in range(NATIONS)
        if s["player"][n] >= 0
    ]
    lines.append("; ".join(points))
    for region in range(REGIONS):
        structure = int(s["structure"][region])
        if s["owner"][region] >= 0 or structure:
            built = f" ({STRUCTURES[structure]})" if structure else ""
            lines.append(f"  {NAMES[region]}{built}: {format_stack(s, region)}")
            if s["pending"][region] > 0:
                lines.append(f"    attacked by {format_attack(s, region)}")
    return "\n".join(lines)


def describe_turn(s: Any) -> str:
    if s["seat"] == OVER:
        return "game over"
    words = [CODES[int(s["nation"])], PHASES[int(s["phase"])]]
    if s["second"]:
        words.append("(major invasion)")
    if s["origin"] >= 0:
        words.append(f"from {NAMES[int(s['origin'])]}")
    if s["site"] >= 0:
        words.append(f"in {NAMES[int(s['site'])]}, battle round {int(s['battle_round'])}")
        hits = [int(s["hits"][side].sum()) for side in range(2)]
        words.append(f"hits {hits[0]}-{hits[1]}")
    return " ".join(words)
