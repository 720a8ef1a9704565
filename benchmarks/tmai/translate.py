"""Positions of both sides as one table, and our decisions as moves of tmai.

A turn there is one list of actions with every conversion in it; here it is several decisions, and
agents convert by the way. `Turn` collects the decisions of one turn and writes that list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.seats import OVER
from stratagem.games.terra_mystica import actions as ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import (
    ALCHEMISTS,
    AUREN,
    CHAOS,
    DWARVES,
    ENGINEERS,
    FACTIONS,
    FAKIRS,
    GIANTS,
    HALFLINGS,
    HOME,
    NOMADS,
    SPADES,
    STRONGHOLD,
    SWARMLINGS,
    WITCHES,
)
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGE_OF,
    BRIDGES,
    CELL_LAND,
    CELL_RIVER,
    LAND,
    LAND_CELL,
)
from stratagem.games.terra_mystica.board.tiles import BON_SPADE, POWER_COST
from stratagem.games.terra_mystica.rules.ground import in_set, reached, shipping
from stratagem.games.terra_mystica.rules.replaying import apply_first, legal_first, proceed_first
from stratagem.games.terra_mystica.rules.resources import lacking

UPGRADES = ("upgradetp", "upgradesh", "upgradete", "upgradesa")
POWER_ACTIONS = ("powbridge", "pow1p", "pow2w", "pow7c", "powspade", "pow2spade")
FACTION_ACTIONS = {
    AUREN: "aurencult2", ENGINEERS: "engbridge", GIANTS: "giants2spade", NOMADS: "sandstorm",
    SWARMLINGS: "swarmlingstp", WITCHES: "witchesride",
}  # fmt: skip
CONVERSIONS = {
    "burn": ids.BURN, "1pwto1c": ids.PW_TO_C, "3pwto1w": ids.PW_TO_W, "5pwto1p": ids.PW_TO_P,
    "1pto1w": ids.P_TO_W, "1wto1c": ids.W_TO_C, "1vpto1c": ids.VP_TO_C, "2cto1vp": ids.C_TO_VP,
}  # fmt: skip
FREE_SPADES = (kinds.FREE_SPADES, kinds.SH_SPADES)
_PAYING = (kinds.MAIN, kinds.SANDSTORM, *FREE_SPADES)
_PLENTY = 200  # more workers and coins than anything costs
_TERRAINS = 7
Move = dict[str, Any]


class Diverged(Exception):
    """The two sides differ, or one refuses what the other did; the text names it."""


# -- our engine, one state in an array of one --------------------------------------------------


def legal(states: Any) -> list[int]:
    found = np.zeros(ids.MOST_LEGAL, np.int32)
    return [int(action) for action in found[: legal_first(states, found)]]


def step(states: Any, action: int) -> None:
    """Carry out a decision and go on to the next."""
    apply_first(states, action)
    s = states[0]
    while s["kind"] == kinds.NOTHING and s["seat"] != OVER:
        proceed_first(states)


def due(s: Any) -> tuple[int, str]:
    """Who decides what, in the words of the bridge."""
    if s["seat"] == OVER:
        return -1, "over"
    kind = int(s["kind"])
    names = {
        kinds.START_DWELLING: "dwelling", kinds.START_BONUS: "card", kinds.LEECH: "leech",
        kinds.REWARD_SPADES: "dig",
    }  # fmt: skip
    if kind == kinds.CULT_STEP and s["cultist_step"]:
        return int(s["seat"]), "cult"
    return int(s["seat"]), names.get(kind, "turn")


# -- tables ------------------------------------------------------------------------------------


def setup_of(s: Any) -> dict[str, Any]:
    """What a new game on the other side needs to be the same game."""
    places = [[int(LAND_CELL[BRIDGE[k, end]]) for end in range(2)] for k in range(BRIDGES)]
    return {
        "factions": [FACTIONS[int(s["faction"][seat])] for seat in range(int(s["players"]))],
        "cards": [card for card in range(9) if s["card"][card] != -2],
        "tiles": [int(tile) for tile in s["tile"]],
        "bridges": places,
    }


def describe(s: Any) -> dict[str, Any]:
    """A position as the worker describes its own."""
    return {
        "round": int(s["round"]),
        "land": [
            [int(s["terrain"][k]), int(s["building"][k]), int(s["owner"][k])] for k in range(LAND)
        ],
        "bridges": s["bridge"].tolist(),
        "priests": s["spot"].tolist(),
        "taken": s["power_taken"].tolist(),
        "coins": s["card_coins"].tolist(),
        "favours_left": s["favours_left"].tolist(),
        "towns_left": s["towns_left"].tolist(),
        "seats": [_describe_seat(s, seat) for seat in range(int(s["players"]))],
    }


def _describe_seat(s: Any, seat: int) -> dict[str, Any]:
    favours = int(s["favours"][seat])
    return {
        "points": int(s["vp"][seat]),
        "coins": int(s["coins"][seat]),
        "workers": int(s["workers"][seat]),
        "priests": int(s["priests"][seat]),
        "power": s["bowl"][seat].tolist(),
        "cults": s["cult"][seat].tolist(),
        "keys": int(s["keys"][seat]),
        "ship": int(s["ship"][seat]),
        "dig": int(s["dig"][seat]),
        "bridges": int(s["bridges"][seat]),
        "card": int(s["bonus"][seat]),
        "favours": [favours >> tile & 1 for tile in range(12)],
        "towns": s["towns"][seat].tolist(),
        "passed": int(s["passed"][seat] > 0),
    }


def differences(s: Any, theirs: dict[str, Any]) -> list[str]:
    """What differs between a position here and a table from there, by name, with both values.

    Not compared: goods while reward spades are being used (the round's rewards are paid here and
    not yet there) and after the end (they have become points), cards in the last round (given back
    there, kept here).
    """
    ours = describe(s)
    digging = s["phase"] == kinds.DIGGING
    over = s["seat"] == OVER
    skipped = {"taken", "coins"} if digging or over else set()
    found = [
        f"{name}: {ours[name]} here, {theirs[name]} there"
        for name in ours
        if name not in ("land", "seats") and name not in skipped and ours[name] != theirs[name]
    ]
    found += [
        f"hex {k} (terrain, building, owner): {one} here, {other} there"
        for k, (one, other) in enumerate(zip(ours["land"], theirs["land"], strict=True))
        if one != other
    ]
    if digging:
        return found
    for seat, (one, other) in enumerate(zip(ours["seats"], theirs["seats"], strict=True)):
        who = FACTIONS[int(s["faction"][seat])]
        left_out = {"card", "passed"} if ours["round"] == 6 else set()
        if over:
            left_out |= {"coins", "workers", "priests", "power"}
        found += [
            f"{who}: {name}: {one[name]} here, {other[name]} there"
            for name in one
            if name not in left_out and one[name] != other[name]
        ]
    return found


# -- spades ------------------------------------------------------------------------------------


def cell_of(action: int) -> int:
    return action // ids.PER_CELL


def transforms(faction: int, before: int, after: int, cell: int) -> list[Move]:
    """One action for each spade, the short way round the wheel that does not cross the home."""
    used = int(SPADES[faction, before, after])
    if used == 0:
        return []
    if faction == GIANTS:
        return [{"type": "giantstransform", "cell": cell}]
    home = int(HOME[faction])
    for turn, name in ((1, "transformcw"), (-1, "transformccw")):
        path = [(before + turn * k) % _TERRAINS for k in range(1, used + 1)]
        if path[-1] == after and home not in path[:-1]:
            return [{"type": name, "cell": cell} for _ in path]
    raise AssertionError("the number of spades fits neither way round")


def unused_spades(s: Any, seat: int, spades: int, in_turn: bool) -> dict[str, int]:
    """What spades that nobody used earn by our rules; tmai pays only for used ones."""
    faction = int(s["faction"][seat])
    points = spades if faction == HALFLINGS else 0
    if in_turn and s["tile"][int(s["round"]) - 1] == 0:
        points += 2 * spades
    alchemist = faction == ALCHEMISTS and s["count"][seat, STRONGHOLD] > 0
    return {"points": points, "power": 2 * spades if alchemist else 0}


# -- our decisions as their moves --------------------------------------------------------------


def cost_of(states: Any, action: int) -> tuple[int, int, int, int]:
    """(workers, priests, coins, power) that a decision costs."""
    s = states[0]
    if int(s["kind"]) not in _PAYING or action >= ids.PASS:
        return 0, 0, 0, 0
    if s["kind"] == kinds.MAIN and ids.POWER_ACTION <= action < ids.BONUS_ACTION:
        return 0, 0, 0, int(POWER_COST[action - ids.POWER_ACTION])
    seat = int(s["seat"])
    rich = states.copy()
    rich["explicit"][0] = 1
    for field, amount in (("workers", _PLENTY), ("coins", _PLENTY), ("priests", 7)):
        rich[field][0, seat] = amount
    apply_first(rich, action)
    workers, coins = (_PLENTY - int(rich[name][0, seat]) for name in ("workers", "coins"))
    return workers, 7 - int(rich["priests"][0, seat]), coins, 0


def conversions(states: Any, action: int) -> list[Move]:
    """What our rules convert by the way to pay for a decision, written out."""
    s = states[0]
    seat = int(s["seat"])
    workers, priests, coins, power = cost_of(states, action)
    total, made = (int(number) for number in lacking(s, seat, workers, priests, coins, power))
    bought = max(0, priests - int(s["priests"][seat]))
    from_power = total - power - 5 * bought - 3 * made
    ordained = max(0, workers - int(s["workers"][seat]) - made)  # priests that become workers
    spare = int(s["workers"][seat]) + made + ordained - workers
    short = max(0, coins - int(s["coins"][seat]) - from_power)
    worked = min(spare, short)
    numbers = (
        ("burn", max(0, total - int(s["bowl"][seat, 2]))),
        ("5pwto1p", bought),
        ("3pwto1w", made),
        ("1pwto1c", from_power),
        ("1pto1w", ordained + short - worked),
        ("1wto1c", short),
    )
    return [{"type": name} for name, number in numbers for _ in range(number)]


class Turn:
    """The decisions of one turn of ours, as one list of their actions."""

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self.double = False  # the first action of a Chaos Magicians' double turn
        self.unused = 0  # spades
        self.strays = 0  # hexes worked after one that did not become home terrain
        self._acted = False
        self._builder: Move = {}  # the action that may have founded a town
        self._founders: list[Move] = []  # one for each town tile to be chosen
        self._worked = -1  # cell of the last transformation
        self._home_reached = True

    def add(self, states: Any, action: int, after: Any) -> None:
        """Note a decision: the position it was made in, and the one it led to."""
        s = states[0]
        self.moves += conversions(states, action)
        kind = int(s["kind"])
        town = ids.TOWN_TILE <= action < ids.TOWN_TILE + 5
        if town:
            founder = self._founders.pop(0)
            founder.setdefault("towns", []).append(action - ids.TOWN_TILE)
        elif kind == kinds.MAIN:
            self._add_main(s, action)
        elif kind in FREE_SPADES or kind == kinds.SANDSTORM:
            self._add_ground(s, action)
        else:
            self._add_choice(s, kind, action)
        founded = int(after["towns_due"]) - int(s["towns_due"]) + town
        self._founders += [self._builder] * founded

    def is_over(self, s: Any, seat: int) -> bool:
        """Does this position belong to another decision than this turn?"""
        if due(s) != (seat, "turn") or s["phase"] != kinds.ACTING:
            return True
        return bool(self._acted and s["kind"] == kinds.MAIN and s["actions_left"] > 0)

    def _put(self, type_: str, **more: Any) -> Move:
        move: Move = {"type": type_, **more}
        self.moves.append(move)
        return move

    def _add_main(self, s: Any, action: int) -> None:
        seat = int(s["seat"])
        if action < ids.PRIEST and CELL_RIVER[cell_of(action)] >= 0:
            self._builder = self._put("watertown", cell=cell_of(action))
            return
        if s["actions_left"] == 0:  # nothing more to do
            return
        faction = int(s["faction"][seat])
        if action == ids.FACTION_ACTION and faction == CHAOS:
            self.double = True
            return
        self._acted = True
        if action < ids.PRIEST:
            number = action % ids.PER_CELL
            if number < ids.UPGRADE:
                self._add_ground(s, action)
            else:
                self._builder = self._put(UPGRADES[number - ids.UPGRADE], cell=cell_of(action))
        elif action < ids.SHIP:
            cult, place = divmod(action - ids.PRIEST, 3)
            self._put(f"cult{3 - place}", cult=cult)
        elif action < ids.POWER_ACTION:
            self._put("advshipping" if action == ids.SHIP else "advdigging")
        elif action < ids.BONUS_ACTION:
            self._put(POWER_ACTIONS[action - ids.POWER_ACTION])
        elif action == ids.BONUS_ACTION:
            self._put("bonspade" if s["bonus"][seat] == BON_SPADE else "boncult")
        elif action == ids.FAVOUR_ACTION:
            self._put("favcult")
        elif action == ids.FACTION_ACTION:
            if faction != NOMADS:  # the storm is written with its hex
                self._builder = self._put(FACTION_ACTIONS[faction])
        else:
            self._put("pass", **({} if s["round"] == 6 else {"card": action - ids.PASS}))

    def _add_choice(self, s: Any, kind: int, action: int) -> None:
        if kind == kinds.FAVOUR:
            cult, rank = divmod(action - ids.PRIEST, 3)
            self._builder.setdefault("favours", []).append(4 * rank + cult)
        elif kind == kinds.CULT_STEP:
            self.moves[-1]["cult"] = (action - ids.PRIEST) // 3
        elif kind == kinds.BRIDGING:
            place = int(BRIDGE_OF[CELL_LAND[cell_of(action)], action % ids.PER_CELL])
            ends = [int(LAND_CELL[BRIDGE[place, end]]) for end in range(2)]
            self._builder = self._put("placebridge", cells=ends)
        elif kind == kinds.TO_PRIESTS:
            number = 0 if action == ids.STOP else action - ids.POWER_ACTION + 1
            self.moves += [{"type": "1wto1p"} for _ in range(number)]
        elif kind in (kinds.FREE_DWELLING, kinds.FREE_POST):
            self._builder["cell"] = cell_of(action)
        elif kind == kinds.CULT_TOP:
            raise Diverged("which cult gets the key: a choice here, made by itself there")
        else:
            raise AssertionError(f"decision of kind {kind} in a turn")

    def _add_ground(self, s: Any, action: int) -> None:
        seat = int(s["seat"])
        free = int(s["spades"]) if int(s["kind"]) in FREE_SPADES else 0
        if action == ids.STOP:
            self._forfeit(free)
            return
        faction, cell, number = int(s["faction"][seat]), cell_of(action), action % ids.PER_CELL
        build = number >= ids.BUILD
        after = number - ids.BUILD if build else number
        land = int(CELL_LAND[cell])
        before = int(s["terrain"][land])
        if s["kind"] == kinds.SANDSTORM:
            self._put("sandstorm", cell=cell)
        else:
            used = int(SPADES[faction, before, after])
            if _is_beyond(s, seat, faction, land):
                self._put("tunnel" if faction == DWARVES else "carpet", cell=cell)
            self.moves += [{"type": "spade"} for _ in range(max(0, used - free))]
            steps = transforms(faction, before, after, cell)
            if steps and self._worked not in (-1, cell) and not self._home_reached:
                steps[0]["stray"] = True
                self.strays += 1
            self.moves += steps
            if build:
                self._forfeit(max(0, free - used))
        self._worked, self._home_reached = cell, after == HOME[faction]
        if build:
            self._builder = self._put("build", cell=cell)

    def _forfeit(self, spades: int) -> None:
        self.unused += spades
        if spades:
            self.moves[-1]["forfeit"] = True


def _is_beyond(s: Any, seat: int, faction: int, land: int) -> bool:
    """Does this hex need a tunnel or a carpet?"""
    if faction not in (DWARVES, FAKIRS):
        return False
    low, high = reached(s, seat, shipping(s, seat))
    return not in_set(low, high, land)
