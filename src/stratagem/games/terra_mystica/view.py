"""Terra Mystica as a drawing: hex map, structures, bridges, cult tracks and player boards."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from stratagem.core.scene import Scene, Shape
from stratagem.games.terra_mystica.board import (
    BRIDGE,
    BRIDGE_OF,
    BRIDGES,
    CELL_LAND,
    CELL_RIVER,
    COLUMNS,
    LAND_CELL,
    LAND_NAMES,
    RIVER_NAMES,
    ROWS,
    TERRAINS,
)
from stratagem.games.terra_mystica.factions import BUILDINGS, FACTIONS
from stratagem.games.terra_mystica.notation import faction_name, format_player, format_table
from stratagem.games.terra_mystica.rules import state
from stratagem.games.terra_mystica.tiles import CULTS

_ROW = 0.87  # height of a row of hexes one unit wide
_RADIUS = 0.577
_CULTS_AT = COLUMNS + 1.0  # left edge of the cult tracks
_WIDTH = _CULTS_AT + 5.0


def centre(cell: int) -> tuple[float, float]:
    row, column = divmod(cell, COLUMNS)
    return column + 0.5 + 0.5 * (row % 2), _ROW * row + 0.6


def view(s: Any) -> Scene:
    shapes = [_hex(s, row * COLUMNS + c) for row in range(ROWS) for c in range(COLUMNS - row % 2)]
    shapes += _names()
    shapes += _bridges(s)
    shapes += _structures(s)
    shapes += _cults(s)
    height = _ROW * ROWS + 0.5
    return Scene(_WIDTH, height, tuple(shapes), tuple(_facts(s)))


def _hex(s: Any, cell: int) -> Shape:
    x, y = centre(cell)
    corners = tuple(
        (x + _RADIUS * cos(pi / 6 + k * pi / 3), y + _RADIUS * sin(pi / 6 + k * pi / 3))
        for k in range(6)
    )
    land = int(CELL_LAND[cell])
    if land >= 0:
        role, key = f"terrain-{TERRAINS[int(s['terrain'][land])]}", f"hex:{LAND_NAMES[land]}"
    else:
        river = int(CELL_RIVER[cell])
        town = int(s["river_town"]) >> river & 1
        role, key = "river-town" if town else "river", f"hex:{RIVER_NAMES[river]}"
    return Shape("polygon", corners, role, key=key)


def _names() -> list[Shape]:
    shapes = []
    for land, name in enumerate(LAND_NAMES):
        x, y = centre(int(LAND_CELL[land]))
        shapes.append(Shape("label", ((x, y + 0.4),), "hex-name", name, 0.12))
    return shapes


def _bridges(s: Any) -> list[Shape]:
    return [
        Shape(
            "line",
            tuple(centre(int(LAND_CELL[int(end)])) for end in BRIDGE[k, :2]),
            f"seat{int(s['bridge'][k])}-bridge",
            key=f"bridge{k}",
        )
        for k in range(BRIDGES)
        if s["bridge"][k] >= 0
    ]


def _structures(s: Any) -> list[Shape]:
    """A disc for each structure, larger for larger ones, with a ring if it stands in a town."""
    shapes = []
    for land in range(len(LAND_NAMES)):
        seat = int(s["owner"][land])
        if seat < 0:
            continue
        building = int(s["building"][land])
        at = (centre(int(LAND_CELL[land])),)
        radius = (0.0, 0.22, 0.27, 0.3, 0.36, 0.36)[building]
        if s["town"][land]:
            shapes.append(Shape("disc", at, "town", "", radius + 0.06))
        shapes.append(
            Shape("disc", at, f"seat{seat}", BUILDINGS[building], radius, LAND_NAMES[land])
        )
    return shapes


def _cults(s: Any) -> list[Shape]:
    """Four columns of eleven spaces, markers side by side, priests on their spots below."""
    shapes = []
    players = int(s["players"])
    for cult, name in enumerate(CULTS):
        x = _CULTS_AT + 1.15 * cult
        shapes.append(Shape("label", ((x + 0.5, 0.3),), f"cult-{name.lower()}", name, 0.2))
        for space in range(11):
            top = 0.5 + 0.55 * (10 - space)
            corners = ((x, top), (x + 1.0, top), (x + 1.0, top + 0.5), (x, top + 0.5))
            role = f"cult-{name.lower()}"
            shapes.append(Shape("polygon", corners, role, str(space), key=f"{name}{space}"))
        for seat in range(players):
            place = int(s["cult"][seat, cult])
            at = (x + (seat + 0.5) / players, 0.75 + 0.55 * (10 - place))
            shapes.append(Shape("disc", (at,), f"seat{seat}", str(seat), 0.1))
        for spot in range(4):
            owner = int(s["spot"][cult, spot])
            role = "cult-spot" if owner < 0 else f"seat{owner}"
            steps = "3" if spot == 0 else "2"
            shapes.append(Shape("disc", ((x + 0.2 + 0.25 * spot, 6.9),), role, steps, 0.11))
    return shapes


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("table", line) for line in format_table(s)]
    for seat in range(int(s["players"])):
        board, tiles = format_player(s, seat)
        facts.append((f"seat {seat} {faction_name(s, seat)}", board.split(": ", 1)[1]))
        facts.append((f"seat {seat} board", tiles.strip()))
    return facts


def touches(s: Any, action: int) -> tuple[str, ...]:
    """The hex, track, tile or card that a decision names, then what becomes of it."""
    kind, seat = int(s["kind"]), int(s["seat"])
    if action >= state.CONVERT:
        return ()
    if action < state.PRIEST:
        return _touched_cell(s, kind, action)
    if action >= state.TOWN_TILE:
        return (f"town:{action - state.TOWN_TILE + 1}",)
    if kind == state.LEECH:
        return (f"bowls:{seat}",) if action == state.ACCEPT else ()
    if kind == state.TO_PRIESTS:
        return () if action == state.STOP else (f"priests:{seat}",)
    if kind == state.FACTION:
        return (f"faction:{FACTIONS[action - state.PRIEST]}",)
    if action < state.SHIP:
        return _touched_cult(kind, action)
    return _touched_other(s, kind, seat, action)


def _touched_cell(s: Any, kind: int, action: int) -> tuple[str, ...]:
    cell, number = divmod(action, state.PER_CELL)
    if CELL_RIVER[cell] >= 0:
        return (f"hex:{RIVER_NAMES[int(CELL_RIVER[cell])]}",)
    land = int(CELL_LAND[cell])
    here = f"hex:{LAND_NAMES[land]}"
    if kind == state.BRIDGING:
        other = int(BRIDGE[int(BRIDGE_OF[land, number]), 1])
        return (here, f"hex:{LAND_NAMES[other]}")
    if number >= state.UPGRADE:
        building = ("TP", "SH", "TE", "SA")[number - state.UPGRADE]
        return (here, f"building:{int(s['seat'])},{building}")
    if number >= state.BUILD:
        return (here, f"building:{int(s['seat'])},D")
    return (here, f"terrain:{TERRAINS[number]}")


def _touched_cult(kind: int, action: int) -> tuple[str, ...]:
    cult, rank = divmod(action - state.PRIEST, 3)
    if kind == state.FAVOUR:
        return (f"favour:{4 * rank + cult + 1}",)
    if kind in (state.CULT_STEP, state.CULT_TOP):
        return (f"cult:{CULTS[cult]}",)
    return (f"spot:{CULTS[cult]},{3 - rank}",)


def _touched_other(s: Any, kind: int, seat: int, action: int) -> tuple[str, ...]:
    spading = kind in (state.FREE_SPADES, state.SH_SPADES, state.REWARD_SPADES)
    if action == state.STOP and (spading or (kind == state.MAIN and s["actions_left"] == 0)):
        return ()
    if action >= state.PASS:
        return (f"bonus:{action - state.PASS + 1}",)
    if action == state.BONUS_ACTION:
        return (f"bonus:{int(s['bonus'][seat]) + 1}",)
    if action == state.FAVOUR_ACTION:
        return ("favour:6",)
    if action == state.FACTION_ACTION:
        return (f"board:{seat}",)
    if action >= state.POWER_ACTION:
        return (f"power:{action - state.POWER_ACTION + 1}",)
    return (f"ship:{seat}",) if action == state.SHIP else (f"dig:{seat}",)
