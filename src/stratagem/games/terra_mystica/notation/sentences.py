"""Describes decisions of Terra Mystica: structures, terrains and tiles in words, and prices."""

from __future__ import annotations

from typing import Any

from stratagem.core.seats import OVER
from stratagem.core.sentences import counted
from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import FACTIONS, HOME
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGE_OF,
    CELL_LAND,
    CELL_RIVER,
    LAND_NAMES,
    TERRAINS,
)
from stratagem.games.terra_mystica.board.tiles import CULTS, POWER_COST
from stratagem.games.terra_mystica.notation.tile_words import bonus_words, favour_words, town_words

_UPGRADES = ("a trading post", "the stronghold", "a temple", "the sanctuary")
_CONVERSIONS = (
    "{burn} 1 power", "{turn} 1 power into 1 coin", "{turn} 3 power into 1 worker",
    "{turn} 5 power into 1 priest", "{turn} 1 priest into 1 worker", "{turn} 1 priest into 1 coin",
    "{turn} 1 worker into 1 coin", "{turn} 1 point into 1 coin", "{turn} 2 coins into 1 point",
)  # fmt: skip
_POWER_GAINS = (
    "a bridge", "1 priest", "2 workers", "7 coins", "1 free spade", "2 free spades",
)  # fmt: skip
_FACTION_ACTIONS = {
    "auren": "2 steps on a cult", "chaosmagicians": "a double turn", "engineers": "a bridge",
    "giants": "2 free spades", "nomads": "a sandstorm", "swarmlings": "a free trading post",
    "witches": "a free dwelling",
}  # fmt: skip
_SPADES = (kinds.FREE_SPADES, kinds.SH_SPADES, kinds.REWARD_SPADES)


def describe(s: Any, action: int, after: Any) -> str:
    text = _deed(s, action)
    return text if after is None else text + _ledger(s, after) + _clock(s, after)


def _deed(s: Any, action: int) -> str:
    kind = int(s["kind"])
    if action >= action_ids.CONVERT:
        return _CONVERSIONS[action - action_ids.CONVERT]
    if action < action_ids.PRIEST:
        return _on_the_map(s, kind, action)
    if action >= action_ids.TOWN_TILE:
        tile = action - action_ids.TOWN_TILE
        return f"{{found}} a town and {{take}} its tile: {town_words(tile)}"
    if kind == kinds.LEECH:
        return _answer(s, action)
    if kind == kinds.TO_PRIESTS:
        number = action - action_ids.POWER_ACTION + 1
        if action == action_ids.STOP:
            return "{make} no more priests"
        return f"{{turn}} {counted(number, 'worker')} into {counted(number, 'priest')}"
    if action < action_ids.SHIP + 2 and kind == kinds.FACTION:
        name = FACTIONS[action - action_ids.PRIEST]
        return f"{{choose}} the {name}, home {TERRAINS[int(HOME[action - action_ids.PRIEST])]}"
    if action < action_ids.SHIP:
        return _on_the_cults(kind, action)
    return _other(s, kind, action)


def _on_the_map(s: Any, kind: int, action: int) -> str:
    cell, number = divmod(action, action_ids.PER_CELL)
    if CELL_RIVER[cell] >= 0:
        return f"{{connect}} a town over river hex {int(CELL_RIVER[cell])}"
    land = int(CELL_LAND[cell])
    name, terrain = LAND_NAMES[land], TERRAINS[int(s["terrain"][land])]
    if kind == kinds.BRIDGING:
        other = LAND_NAMES[int(BRIDGE[int(BRIDGE_OF[land, number]), 1])]
        return f"{{build}} a bridge from {name} to {other}"
    if number >= action_ids.UPGRADE:
        return f"{{upgrade}} {name} to {_UPGRADES[number - action_ids.UPGRADE]}"
    if number < action_ids.BUILD:
        return f"{{turn}} {name} from {terrain} into {TERRAINS[number]}"
    home = TERRAINS[int(HOME[int(s["faction"][int(s["seat"])])])]
    made = f", turning {terrain} into {home}" if terrain != home else ""
    return f"{{build}} a dwelling on {name}{made}"


def _answer(s: Any, action: int) -> str:
    """Describe power offered by a neighbour's building, and its price in points."""
    seat = int(s["seat"])
    row = 0 if s["offer"][0, seat] else 1
    power = int(s["offer"][row, seat])
    if action == action_ids.ACCEPT:
        return f"{{accept}} {power} power from {{{int(s['builder'])}}}"
    return f"{{decline}} {power} power from {{{int(s['builder'])}}}"


def _on_the_cults(kind: int, action: int) -> str:
    cult, rank = divmod(action - action_ids.PRIEST, 3)
    name = CULTS[cult].capitalize()
    if kind == kinds.FAVOUR:
        return f"{{take}} the favour tile with {favour_words(4 * rank + cult)}"
    if kind == kinds.CULT_STEP:
        return f"{{advance}} {counted(2 if rank == 1 else 1, 'step')} on {name}"
    if kind == kinds.CULT_TOP:
        return f"{{use}} a key to reach the top of {name}"
    return f"{{send}} a priest to {name} (+{3 - rank})"


def _other(s: Any, kind: int, action: int) -> str:
    if action == action_ids.STOP and kind in _SPADES:
        return "{give} up the remaining spades"
    if kind == kinds.MAIN and s["actions_left"] == 0:
        return "{end} the turn"
    seat = int(s["seat"])
    if action >= action_ids.PASS:
        card = action - action_ids.PASS
        verb = "{take}" if kind == kinds.START_BONUS else "{pass} and {take}"
        coins = int(s["card_coins"][card])
        extra = f" ({counted(coins, 'coin')} on it)" if coins else ""
        return f"{verb} the bonus card with {bonus_words(card)}{extra}"
    if action == action_ids.BONUS_ACTION:
        return f"{{use}} the bonus card: {bonus_words(int(s['bonus'][seat]))}"
    if action == action_ids.FAVOUR_ACTION:
        return "{use} the favour tile: 1 step on a cult"
    if action == action_ids.FACTION_ACTION:
        gain = _FACTION_ACTIONS.get(FACTIONS[int(s["faction"][seat])], "the faction's action")
        return f"{{use}} the stronghold: {gain}"
    if action >= action_ids.POWER_ACTION:
        number = action - action_ids.POWER_ACTION
        return f"{{spend}} {int(POWER_COST[number])} power for {_POWER_GAINS[number]}"
    if action == action_ids.SHIP:
        return "{advance} shipping"
    return "{advance} the spade track"


def _ledger(s: Any, after: Any) -> str:
    """Describe what the deciding seat paid and gained, unless a round's income lies in between."""
    if after["round"] != s["round"] or after["seat"] == OVER:
        return ""
    seat = int(s["seat"])
    changes = [
        (int(after[field][seat]) - int(s[field][seat]), name)
        for field, name in (
            ("coins", "coin"), ("workers", "worker"), ("priests", "priest"), ("vp", "point"),
        )
    ]  # fmt: skip
    parts = [
        f"{'+' if change > 0 else '−'}{counted(abs(change), name)}"
        for change, name in changes
        if change
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _clock(s: Any, after: Any) -> str:
    if after["seat"] == OVER:
        parts = [
            f"{{{seat}}} {{end}} with {int(after['vp'][seat])} points"
            for seat in range(int(s["players"]))
        ]
        return f"; {', '.join(parts)}"
    return f"; round {int(after['round'])} begins" if after["round"] > s["round"] else ""
