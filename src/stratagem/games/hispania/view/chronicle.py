"""A game of Hispania as a row of maps: who held which region when rounds were counted.

A region has its holder's colour; a tag shows the nation and its player's number. The last drawing
is the legend.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.scene import Point, Scene, Shape, block
from stratagem.core.seats import OVER
from stratagem.games.hispania.board.arrays import CODES, DATA_FOLDER, GAME_DATA
from stratagem.games.hispania.view.map import Sheet, region_tip, sheet_of, tinted_ground

_MOST_MAPS = 7  # for longer games only the rounds with a main count are drawn
_TAG = (1.86, 0.86)  # width and height; no two regions' tags meet
_STRIP = 0.46  # part of a tag with the player's number
_LINE = 1.25  # height of a line of the legend


def chronicle(states: npt.NDArray[np.void]) -> Sequence[tuple[str, Scene]]:
    """A map per round, or per main count of a long game, and the legend."""
    counted = _counted(states)
    rounds = list(counted)
    if len(rounds) > _MOST_MAPS:
        rounds = [when for when in rounds if _rounds()[when]["main_vp_count"] == "1"]
    drawn = [(_title(when, states[counted[when]]), _map(states[counted[when]])) for when in rounds]
    return [*drawn, ("Nations and their players", _legend(states[-1]))]


def _counted(states: npt.NDArray[np.void]) -> dict[int, int]:
    """Return round -> the first position after its count."""
    ended = (states["round"][1:] != states["round"][:-1]) | (states["seat"][1:] == OVER)
    return {int(states["round"][ply]): int(ply) + 1 for ply in np.flatnonzero(ended)}


@cache
def _rounds() -> dict[int, dict[str, str]]:
    """The rows of rounds.csv by their number."""
    with (DATA_FOLDER / "rounds.csv").open(newline="") as stream:
        return {int(row["round"]): row for row in csv.DictReader(stream)}


def _title(when: int, s: Any) -> str:
    points = [
        int(s["vp"][s["player"] == seat].sum()) + int(s["handicap"][seat])
        for seat in range(int(s["num_seats"]))
    ]
    return f"Round {when}, {_rounds()[when]['years']}: {' / '.join(map(str, points))} points"


def _map(s: Any) -> Scene:
    """Draw who held what at the count."""
    active = int(s["active"])
    sheet = sheet_of(active)
    held = [(region, int(s["counted"][region])) for region in sheet.regions]
    tints = [
        Shape("polygon", part, f"nation-{CODES[nation]}-land", tip=region_tip(region), width=0.02)
        for region, nation in held
        if nation >= 0
        for part in sheet.area(region)
    ]
    tags = [
        shape for region, nation in held if nation >= 0 for shape in _spot(s, sheet, region, nation)
    ]
    return Scene(sheet.width, sheet.height, (*tinted_ground(active, tints), *tags))


def _spot(s: Any, sheet: Sheet, region: int, nation: int) -> list[Shape]:
    x, y = sheet.spot(region)
    return _tag(s, nation, (x - _TAG[0] / 2, y - _TAG[1] / 2))


def _tag(s: Any, nation: int, corner: Point) -> list[Shape]:
    """Player's number and nation's code in their colours."""
    left, top = corner
    seat, role = max(0, int(s["player"][nation])), f"nation-{CODES[nation]}"
    wide, tall = _TAG
    middle = ((left + _STRIP + left + wide) / 2, top + tall / 2)
    return [
        Shape("polygon", block(left, top, wide, tall), role, layer="pieces"),
        Shape("polygon", block(left, top, _STRIP, tall), f"seat{seat}", str(seat + 1), size=0.5,
              layer="pieces"),
        Shape("label", (middle,), role, CODES[nation], size=0.56, layer="pieces"),
    ]  # fmt: skip


def _legend(s: Any) -> Scene:
    """A line per nation: tag, name and final points, in the order of players."""
    playing = [n for n in range(len(CODES)) if s["player"][n] >= 0]
    playing.sort(key=lambda nation: (int(s["player"][nation]), nation))
    sheet = sheet_of(int(s["active"]))
    columns = 2 if len(playing) > 8 else 1
    lines = -(-len(playing) // columns)
    shapes: list[Shape] = []
    for number, nation in enumerate(playing):
        column, line = divmod(number, lines)
        x, y = 0.6 + column * sheet.width / columns, 0.8 + line * _LINE
        text = f"{GAME_DATA.nations[nation].name}: {int(s['vp'][nation])} VP"
        shapes += _tag(s, nation, (x, y))
        at = (x + _TAG[0] + 0.3, y + _TAG[1] / 2)
        shapes.append(Shape("label", (at,), "label", text, size=0.6, anchor="start"))
    return Scene(sheet.width, max(sheet.height, 1.6 + lines * _LINE), tuple(shapes))
