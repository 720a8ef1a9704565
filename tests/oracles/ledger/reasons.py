"""Why an action is not legal: the sentence that a bad ledger is answered with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import BUILDINGS, HOME, STOCK
from stratagem.games.terra_mystica.board.hexes import CELL_LAND, LAND_NAMES, TERRAINS
from stratagem.games.terra_mystica.rules.building import upgrade_cost, upgrade_target
from stratagem.games.terra_mystica.rules.ground import in_set, reached, reached_beyond, shipping
from stratagem.games.terra_mystica.rules.resources import can_pay

from .text import Command

_FROM = {action_ids.UP_POST: "D", action_ids.UP_STRONGHOLD: "TP", action_ids.UP_TEMPLE: "TP",
         action_ids.UP_SANCTUARY: "TE"}  # fmt: skip


def reason_why_not(states: Any, seat: int, action: int, commands: Sequence[Command]) -> str:
    """One sentence about an illegal action in states[0]."""
    s = states[0]
    have = (
        f"they have {int(s['coins'][seat])} C, {int(s['workers'][seat])} W, "
        f"{int(s['priests'][seat])} P and power {'/'.join(str(int(n)) for n in s['bowl'][seat])}"
    )
    if action < action_ids.PRIEST and CELL_LAND[action // action_ids.PER_CELL] >= 0:
        land = int(CELL_LAND[action // action_ids.PER_CELL])
        number = action % action_ids.PER_CELL
        if s["kind"] == kinds.BRIDGING:
            return "a bridge stands there, none is left, or no end holds an own structure"
        if number >= action_ids.UPGRADE:
            return _why_no_upgrade(s, seat, land, number - action_ids.UPGRADE, have)
        return _why_no_ground(s, seat, land, number, have)
    if action < action_ids.PRIEST:
        return "no town results from connecting over this river hex"
    if action_ids.POWER_ACTION <= action < action_ids.BONUS_ACTION and s["kind"] == kinds.MAIN:
        if s["power_taken"][action - action_ids.POWER_ACTION]:
            return "this power action is taken already"
        return f"it cannot be paid, or leads nowhere: {have}"
    if action_ids.PASS <= action < action_ids.TOWN_TILE and s["kind"] in (
        kinds.MAIN,
        kinds.START_BONUS,
    ):
        return "this bonus card is not in the pool"
    if action >= action_ids.CONVERT:
        return f"it cannot be converted: {have}"
    if action < action_ids.SHIP and s["kind"] == kinds.FAVOUR:
        return "this favour tile is gone, or they have it already"
    if action < action_ids.SHIP and s["kind"] == kinds.MAIN:
        return f"the priest's spot is taken, or there is no priest: {have}"
    if action in (action_ids.SHIP, action_ids.DIG):
        return f"the track is at its end, or it cannot be paid: {have}"
    return f"it is not possible now: {have}"


def _why_no_upgrade(s: Any, seat: int, land: int, which: int, have: str) -> str:
    name, standing = LAND_NAMES[land], BUILDINGS[int(s["building"][land])]
    building = int(upgrade_target(which))
    if s["owner"][land] != seat or standing != _FROM[which]:
        return f"{name} does not hold their {_FROM[which]}"
    if s["count"][seat, building] >= STOCK[building]:
        return f"no {BUILDINGS[building]} is left"
    workers, coins = upgrade_cost(s, seat, land, building)
    return f"it costs {int(workers)} W and {int(coins)} C, {have}"


def _why_no_ground(s: Any, seat: int, land: int, number: int, have: str) -> str:
    name, home = LAND_NAMES[land], int(HOME[int(s["faction"][seat])])
    if s["owner"][land] >= 0:
        return f"{name} is occupied"
    if s["kind"] == kinds.START_DWELLING:
        return f"{name} is {TERRAINS[int(s['terrain'][land])]}, their home is {TERRAINS[home]}"
    low, high = reached(s, seat, shipping(s, seat))
    far_low, far_high = reached_beyond(s, seat, low, high)
    if not in_set(low | far_low, high | far_high, land):
        return f"{name} is out of reach"
    if number >= action_ids.BUILD and s["count"][seat, 1] >= STOCK[1]:
        return "no dwelling is left"
    if not can_pay(s, seat, 1, 0, 1, 0):
        return f"it cannot be paid: {have}"
    return f"{name} cannot be worked like this, or it cannot be paid: {have}"
