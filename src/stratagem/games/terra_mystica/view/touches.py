"""Which shapes of the drawing a decision of Terra Mystica concerns."""

from __future__ import annotations

from typing import Any

from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state
from stratagem.games.terra_mystica.board.factions import FACTIONS
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGE_OF,
    CELL_LAND,
    CELL_RIVER,
    LAND_NAMES,
    RIVER_NAMES,
    TERRAINS,
)
from stratagem.games.terra_mystica.board.tiles import CULTS


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Return the hex, track, tile or card that a decision names, then what it becomes."""
    kind, seat = int(s["kind"]), int(s["seat"])
    if action >= action_ids.CONVERT:
        return ()
    if action < action_ids.PRIEST:
        return _touched_cell(s, kind, action)
    if action >= action_ids.TOWN_TILE:
        return (f"town:{action - action_ids.TOWN_TILE + 1}",)
    if kind == state.LEECH:
        return (f"bowls:{seat}",) if action == action_ids.ACCEPT else ()
    if kind == state.TO_PRIESTS:
        return () if action == action_ids.STOP else (f"priests:{seat}",)
    if kind == state.FACTION:
        return (f"faction:{FACTIONS[action - action_ids.PRIEST]}",)
    if action < action_ids.SHIP:
        return _touched_cult(kind, action)
    return _touched_other(s, kind, seat, action)


def _touched_cell(s: Any, kind: int, action: int) -> tuple[str, ...]:
    cell, number = divmod(action, action_ids.PER_CELL)
    if CELL_RIVER[cell] >= 0:
        return (f"hex:{RIVER_NAMES[int(CELL_RIVER[cell])]}",)
    land = int(CELL_LAND[cell])
    here = f"hex:{LAND_NAMES[land]}"
    if kind == state.BRIDGING:
        other = int(BRIDGE[int(BRIDGE_OF[land, number]), 1])
        return (here, f"hex:{LAND_NAMES[other]}")
    if number >= action_ids.UPGRADE:
        building = ("TP", "SH", "TE", "SA")[number - action_ids.UPGRADE]
        return (here, f"building:{int(s['seat'])},{building}")
    if number >= action_ids.BUILD:
        return (here, f"building:{int(s['seat'])},D")
    return (here, f"terrain:{TERRAINS[number]}")


def _touched_cult(kind: int, action: int) -> tuple[str, ...]:
    cult, rank = divmod(action - action_ids.PRIEST, 3)
    if kind == state.FAVOUR:
        return (f"favour:{4 * rank + cult + 1}",)
    if kind in (state.CULT_STEP, state.CULT_TOP):
        return (f"cult:{CULTS[cult]}",)
    return (f"spot:{CULTS[cult]},{3 - rank}",)


def _touched_other(s: Any, kind: int, seat: int, action: int) -> tuple[str, ...]:
    spading = kind in (state.FREE_SPADES, state.SH_SPADES, state.REWARD_SPADES)
    if action == action_ids.STOP and (spading or (kind == state.MAIN and s["actions_left"] == 0)):
        return ()
    if action >= action_ids.PASS:
        return (f"bonus:{action - action_ids.PASS + 1}",)
    if action == action_ids.BONUS_ACTION:
        return (f"bonus:{int(s['bonus'][seat]) + 1}",)
    if action == action_ids.FAVOUR_ACTION:
        return ("favour:6",)
    if action == action_ids.FACTION_ACTION:
        return (f"board:{seat}",)
    if action >= action_ids.POWER_ACTION:
        return (f"power:{action - action_ids.POWER_ACTION + 1}",)
    return (f"ship:{seat}",) if action == action_ids.SHIP else (f"dig:{seat}",)
