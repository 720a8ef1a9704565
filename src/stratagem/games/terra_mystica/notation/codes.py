"""Terra Mystica in text: decisions in the words of the ledger language, positions as a map.

On the map a hex is its terrain's letter (U plain, K swamp, B lake, G forest, S mountain,
R wasteland, Y desert), then the structure: d dwelling, t trading post, e temple, H stronghold,
A sanctuary, with the seat's number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.errors import BadRecord
from stratagem.core.game import as_batch
from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import BUILDINGS, FACTIONS
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGE_OF,
    BRIDGES,
    CELL_LAND,
    CELL_RIVER,
    COLOURS,
    COLUMNS,
    LAND_NAMES,
    ROWS,
)
from stratagem.games.terra_mystica.board.tiles import CULTS
from stratagem.games.terra_mystica.rules.replaying import legal_first

_CONVERSIONS = (
    "burn 1", "convert 1PW to 1C", "convert 3PW to 1W", "convert 5PW to 1P", "convert 1P to 1W",
    "convert 1P to 1C", "convert 1W to 1C", "convert 1VP to 1C", "convert 2C to 1VP",
)  # fmt: skip
_UPGRADES = ("TP", "SH", "TE", "SA")
_LETTERS = "UKBGSRY"
_MARKS = " dteHA"
_FACTION_ACTIONS = {
    "auren": "ACTA", "chaosmagicians": "ACTC", "engineers": "ACTE", "giants": "ACTG",
    "nomads": "ACTN", "swarmlings": "ACTS", "witches": "ACTW",
}  # fmt: skip


def faction_name(s: Any, seat: int) -> str:
    number = int(s["faction"][seat])
    return FACTIONS[number] if number >= 0 else f"player {seat + 1}"


def format_action(s: Any, action: int) -> str:
    kind = int(s["kind"])
    if action >= action_ids.CONVERT:
        return _CONVERSIONS[action - action_ids.CONVERT]
    if action < action_ids.PRIEST:
        return _format_cell(s, kind, action)
    if action >= action_ids.TOWN_TILE:
        return f"+TW{action - action_ids.TOWN_TILE + 1}"
    if kind == kinds.LEECH:
        return _format_answer(s, action)
    if kind == kinds.TO_PRIESTS:
        number = action - action_ids.POWER_ACTION + 1
        return "done" if action == action_ids.STOP else f"convert {number}W to {number}P"
    if action < action_ids.SHIP + 2 and kind == kinds.FACTION:
        return f"choose {FACTIONS[action - action_ids.PRIEST]}"
    if action < action_ids.SHIP:
        return _format_cult(s, kind, action)
    return _format_other(s, kind, action)


def _format_cell(s: Any, kind: int, action: int) -> str:
    cell, number = divmod(action, action_ids.PER_CELL)
    if CELL_RIVER[cell] >= 0:
        return f"connect r{int(CELL_RIVER[cell])}"
    land = int(CELL_LAND[cell])
    name = LAND_NAMES[land]
    if kind == kinds.BRIDGING:
        place = int(BRIDGE_OF[land, number])
        return f"bridge {name}:{LAND_NAMES[int(BRIDGE[place, 1])]}"
    if number >= action_ids.UPGRADE:
        return f"upgrade {name} to {_UPGRADES[number - action_ids.UPGRADE]}"
    if number >= action_ids.BUILD:
        return f"build {name}"
    return f"transform {name} to {COLOURS[number]}"


def _format_answer(s: Any, action: int) -> str:
    seat = int(s["seat"])
    row = 0 if s["offer"][0, seat] else 1
    verb = "leech" if action == action_ids.ACCEPT else "decline"
    return f"{verb} {int(s['offer'][row, seat])} from {faction_name(s, int(s['builder']))}"


def _format_cult(s: Any, kind: int, action: int) -> str:
    cult, rank = divmod(action - action_ids.PRIEST, 3)
    if kind == kinds.FAVOUR:
        return f"+FAV{4 * rank + cult + 1}"
    if kind == kinds.CULT_STEP:
        return f"+{'2' if rank == 1 else ''}{CULTS[cult]}"
    if kind == kinds.CULT_TOP:
        return f"+{CULTS[cult]} to 10"
    return f"send p to {CULTS[cult]} for {3 - rank}"


def _format_other(s: Any, kind: int, action: int) -> str:
    if action == action_ids.STOP and kind in (
        kinds.FREE_SPADES, kinds.SH_SPADES, kinds.REWARD_SPADES,
    ):  # fmt: skip
        return "forfeit spades"
    if kind == kinds.MAIN and s["actions_left"] == 0:
        return "done"
    seat = int(s["seat"])
    if action >= action_ids.PASS:
        verb = "take" if kind == kinds.START_BONUS else "pass"
        return f"{verb} BON{action - action_ids.PASS + 1}"
    if action == action_ids.BONUS_ACTION:
        return f"action BON{int(s['bonus'][seat]) + 1}"
    if action == action_ids.FAVOUR_ACTION:
        return "action FAV6"
    if action == action_ids.FACTION_ACTION:
        return f"action {_FACTION_ACTIONS.get(faction_name(s, seat), 'ACT')}"
    if action >= action_ids.POWER_ACTION:
        return f"action ACT{action - action_ids.POWER_ACTION + 1}"
    return "advance ship" if action == action_ids.SHIP else "advance dig"


def parse_action(s: Any, text: str) -> int:
    wanted = " ".join(text.split()).lower()
    ids = np.zeros(action_ids.MOST_LEGAL, np.int32)
    count = int(legal_first(as_batch(s), ids))
    for action in ids[:count]:
        if format_action(s, int(action)).lower() == wanted:
            return int(action)
    example = format_action(s, int(ids[0]))
    raise BadRecord(f"move {text!r} is not possible here: write one like {example!r}")


def format_state(s: Any) -> str:
    """Draw the map with the names of its hexes, then bridges, tiles and each player's block."""
    lines = []
    for row in range(ROWS):
        cells = [_format_hex(s, row * COLUMNS + column) for column in range(COLUMNS - row % 2)]
        lines.append(f"{'   ' * (row % 2)}{' '.join(cells)}".rstrip())
    built = [
        f"{LAND_NAMES[int(BRIDGE[k, 0])]}-{LAND_NAMES[int(BRIDGE[k, 1])]}:{int(s['bridge'][k]) + 1}"
        for k in range(BRIDGES)
        if s["bridge"][k] >= 0
    ]
    lines.append(f"bridges: {' '.join(built) or 'none'}")
    lines += format_table(s)
    for seat in range(int(s["players"])):
        lines += format_player(s, seat)
    return "\n".join(lines)


def _format_hex(s: Any, cell: int) -> str:
    """Write five characters: the hex's name, and its colour, or building and player."""
    land = int(CELL_LAND[cell])
    if land < 0:
        return " ~~~ "
    letter = _LETTERS[int(s["terrain"][land])]
    if s["owner"][land] >= 0:
        letter = f"{_MARKS[int(s['building'][land])]}{int(s['owner'][land]) + 1}"
    return f"{LAND_NAMES[land]}{letter:>{5 - len(LAND_NAMES[land])}}"


def format_table(s: Any) -> list[str]:
    """Write round, tiles, pool, priests on the cults, power actions."""
    tiles = " ".join(f"SCORE{int(tile) + 1}" for tile in s["tile"])
    pool = " ".join(
        f"BON{k + 1}({int(s['card_coins'][k])})" for k in range(9) if s["card"][k] == -1
    )
    taken = " ".join(f"ACT{k + 1}" for k in range(6) if s["power_taken"][k])
    spots = " ".join(
        f"{cult} {''.join('-' if n < 0 else str(int(n) + 1) for n in s['spot'][k])}"
        for k, cult in enumerate(CULTS)
    )
    return [
        f"round {int(s['round'])} of {tiles}",
        f"pool: {pool}",
        f"taken: {taken or 'none'}; priests: {spots}",
    ]


def format_player(s: Any, seat: int) -> list[str]:
    bowls = "/".join(str(int(n)) for n in s["bowl"][seat])
    cults = "/".join(str(int(n)) for n in s["cult"][seat])
    structures = " ".join(f"{BUILDINGS[b]}{int(s['count'][seat, b])}" for b in range(1, 6))
    favours = int(s["favours"][seat])
    owned = [f"FAV{k + 1}" for k in range(12) if favours >> k & 1]
    owned += [f"TW{k + 1}" for k in range(5) for _ in range(int(s["towns"][seat, k]))]
    card = f"BON{int(s['bonus'][seat]) + 1}" if s["bonus"][seat] >= 0 else "no card"
    state = " passed" if s["passed"][seat] else ""
    goods = f"{int(s['coins'][seat])} C, {int(s['workers'][seat])} W, {int(s['priests'][seat])} P"
    return [
        f"player {seat + 1} {faction_name(s, seat)}: {int(s['vp'][seat])} VP, {goods}, {bowls} PW, "
        f"cults {cults}{state}",
        f"  {structures}, dig {int(s['dig'][seat])}, ship {int(s['ship'][seat])}, "
        f"keys {int(s['keys'][seat])}, {card} {' '.join(owned)}".rstrip(),
    ]
