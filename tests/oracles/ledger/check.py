"""Comparing a replay with the trace and the final board of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stratagem.games.terra_mystica.board.factions import BUILDINGS, FACTIONS, HOME
from stratagem.games.terra_mystica.board.hexes import BRIDGE, BRIDGES, COLOURS, LAND_NAMES
from stratagem.games.terra_mystica.board.tiles import CULTS

from .text import split_commands

NUMBERS = ("vp", "c", "w", "p", "pw", "cult")


def numbers_of(s: Any, seat: int) -> dict[str, Any]:
    """A seat's traced numbers."""
    return {
        "vp": int(s["vp"][seat]),
        "c": int(s["coins"][seat]),
        "w": int(s["workers"][seat]),
        "p": int(s["priests"][seat]),
        "pw": [int(n) for n in s["bowl"][seat]],
        "cult": [int(n) for n in s["cult"][seat]],
    }


@dataclass
class Row:
    """A move of the trace: the commands that have not happened yet, and the numbers after it."""

    number: int
    text: str
    left: list[str]
    after: Mapping[str, Any]
    early: dict[str, Any] = field(default_factory=dict)  # what it brought before it was its turn


@dataclass
class Trace:
    """The moves of a trace, by seat, ticked off as the replay reaches them.

    A ledger may hold a choice back that the rules ask for at once, such as the Cultists' town tile
    after the answers to their build. What it brought is taken off where the trace has it later.
    """

    rows: list[list[Row]]
    factions: Sequence[str]
    compared: int = 0
    differences: list[str] = field(default_factory=list)
    seen: dict[int, dict[str, Any]] = field(default_factory=dict)  # a seat's numbers, last time

    @classmethod
    def read(cls, trace: Sequence[Mapping[str, Any]], factions: Sequence[str]) -> Trace:
        rows: list[list[Row]] = [[] for _ in factions]
        for number, move in enumerate(trace):
            if "f" in move and move["f"] in factions:
                left = [text.lower() for text in split_commands(move["cmd"])]
                rows[factions.index(move["f"])].append(Row(number, move["cmd"], left, move))
        return cls(rows, factions)

    def tick(self, s: Any, seat: int, text: str) -> None:
        """A command or event has happened: compare once its move is complete."""
        if not any(self.rows):
            return
        wanted = " ".join(text.lower().split())
        found = next((row for row in self.rows[seat][:3] if wanted in row.left), None)
        before, self.seen[seat] = self.seen.get(seat), numbers_of(s, seat)
        if found is None:
            self._differ(f"{self.factions[seat]}: the trace has no {text!r} there")
            return
        found.left.remove(wanted)
        if found is not self.rows[seat][0] and before is not None:
            _add_change(found.early, before, self.seen[seat])
        while self.rows[seat] and not self.rows[seat][0].left:
            self._compare(s, seat, self.rows[seat].pop(0))

    def is_next(self, seat: int, text: str) -> bool:
        """Does the trace have this event among the next moves of a seat?"""
        return any(text.lower() in row.left for row in self.rows[seat][:2])

    def close(self) -> None:
        for seat, rows in enumerate(self.rows):
            if rows:
                self._differ(f"{self.factions[seat]}: {rows[0].text!r} of the trace never happened")

    def _compare(self, s: Any, seat: int, row: Row) -> None:
        self.compared += 1
        ours = _without(numbers_of(s, seat), [later.early for later in self.rows[seat]])
        for key in ours:
            if key in row.after and row.after[key] != ours[key]:
                self._differ(
                    f"trace {row.number}, {self.factions[seat]} {row.text!r}: {key} is "
                    f"{ours[key]} here and {row.after[key]} in the trace"
                )

    def _differ(self, text: str) -> None:
        self.differences.append(text)


def _add_change(total: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for key in NUMBERS:
        change = np.subtract(after[key], before[key])
        total[key] = np.add(total.get(key, 0), change)


def _without(numbers: dict[str, Any], early: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Numbers less what came early. How power lies in the bowls then depends on the order."""
    taken = [one for one in early if any(np.any(change) for change in one.values())]
    if not taken:
        return numbers
    less = {key: numbers[key] - sum(one[key] for one in taken) for key in NUMBERS if key != "pw"}
    return {key: value.tolist() for key, value in less.items()}


def final_differences(s: Any, final: Mapping[str, Any], networks: Sequence[int]) -> Iterator[str]:
    """Everything in which the end of a replay is unlike the recorded `final`."""
    names = [FACTIONS[int(f)] for f in s["faction"][: int(s["players"])]]
    for seat, name in enumerate(names):
        ours = {**numbers_of(s, seat), **_board_of(s, seat), "network": networks[seat]}
        for key, value in ours.items():
            recorded = final.get("factions", {}).get(name, {}).get(key, value)
            if recorded != value:
                yield f"final {name}: {key} is {value} here and {recorded} in the record"
    for key, value in _common(s).items():
        recorded = final.get(key, value)
        if recorded != value:
            yield f"final {key}: {value} here and {recorded} in the record"


def _board_of(s: Any, seat: int) -> dict[str, Any]:
    favours = int(s["favours"][seat])
    return {
        "keys": int(s["keys"][seat]),
        "priest_cap": 7 - int(s["priests_out"][seat]),
        "bridges_left": 3 - int(s["bridges"][seat]),
        "dig": int(s["dig"][seat]),
        "ship": int(s["ship"][seat]),
        "buildings": {BUILDINGS[b]: int(s["count"][seat, b]) for b in (1, 5, 4, 3, 2)},
        "favors": [f"FAV{k + 1}" for k in range(12) if favours >> k & 1],
        "towns": {f"TW{k + 1}": int(n) for k, n in enumerate(s["towns"][seat]) if n},
    }


def _common(s: Any) -> dict[str, Any]:
    colour = [COLOURS[int(HOME[int(f)])] for f in s["faction"][: int(s["players"])]]
    land: dict[str, dict[str, Any]] = {}
    for k, name in enumerate(LAND_NAMES):
        land[name] = {"t": COLOURS[int(s["terrain"][k])]}
        if s["building"][k]:
            land[name]["b"] = BUILDINGS[int(s["building"][k])]
        if s["town"][k]:
            land[name]["town"] = 1
    return {
        "map": land,
        "cult_priest_spots": {
            cult: [None if n < 0 else colour[int(n)] for n in s["spot"][k]]
            for k, cult in enumerate(CULTS)
        },
        "favors_left": {f"FAV{k + 1}": int(n) for k, n in enumerate(s["favours_left"])},
        "towns_left": {f"TW{k + 1}": int(n) for k, n in enumerate(s["towns_left"])},
        "bonus_coins": {f"BON{k + 1}": int(n) for k, n in enumerate(s["card_coins"])},
    }


def bridge_difference(s: Any, final: Mapping[str, Any]) -> Iterator[str]:
    """Bridges are listed in the order of building there and by place here."""
    colour = [COLOURS[int(HOME[int(f)])] for f in s["faction"][: int(s["players"])]]
    ours = {
        (frozenset(LAND_NAMES[int(end)] for end in BRIDGE[k, :2]), colour[int(s["bridge"][k])])
        for k in range(BRIDGES)
        if s["bridge"][k] >= 0
    }
    recorded = {(frozenset((b["from"], b["to"])), b["color"]) for b in final.get("bridges", ())}
    if "bridges" in final and ours != recorded:
        yield f"final bridges: {len(ours)} here and {len(recorded)} in the record, or elsewhere"
