"""The panels beside the map of Hispania: rounds, points, nations, and the current turn."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

from stratagem.core.scene import Point, Scene, Shape, block, star
from stratagem.core.seats import OVER
from stratagem.games.hispania.board.arrays import (
    CODES,
    COST,
    DATA_FOLDER,
    GAME_DATA,
    NATIONS,
    ROUNDS,
    UNIT_NAME,
    UNIT_TYPE,
)
from stratagem.games.hispania.notation.codes import PHASES, leader_name
from stratagem.games.hispania.rules.step import score
from stratagem.games.hispania.state import DESTINATION, GROUP
from stratagem.games.hispania.view.map import region_name
from stratagem.games.hispania.view.stacks import counter, counts_text, seat_of

_ACROSS = 13.0  # width of every panel
_COLUMNS = (7.1, 8.6, 10.2, 12.0)  # of the nations' numbers
_LONGEST_NAME = 14  # letters beside them


def panels(s: Any) -> tuple[Scene, ...]:
    found = [_rounds(s), _points(s), _nations(s)]
    if s["seat"] != OVER:
        found.append(_turn(s))
    return tuple(found)


def _text(at: Point, text: str, role: str = "label", size: float = 0.4, **more: Any) -> Shape:
    return Shape("label", (at,), role, text, size=size, **{"anchor": "start", **more})


@cache
def _round_titles() -> tuple[str, ...]:
    with (DATA_FOLDER / "rounds.csv").open(newline="") as stream:
        return tuple(f"{row['title']}, {row['years']}" for row in csv.DictReader(stream))


def _rounds(s: Any) -> Scene:
    now, last = int(s["round"]), int(s["last_round"])
    in_a_row = min(last, (ROUNDS + 1) // 2)
    wide = _ACROSS / ((ROUNDS + 1) // 2)
    shapes = []
    for number in range(1, last + 1):
        role = "tile-now" if number == now else "tile-past" if number < now else "slot"
        row, column = divmod(number - 1, in_a_row)
        corners = block(column * wide, row * 0.75, wide, 0.75)
        tip = f"round {number}: {_round_titles()[number - 1]}"
        shapes.append(Shape("polygon", corners, role, str(number), size=0.3, tip=tip))
    title = f"Round {now}: {_round_titles()[max(now, 1) - 1]}"
    return Scene(_ACROSS, 0.75 * -(-last // in_a_row), tuple(shapes), title=title)


def _points(s: Any) -> Scene:
    """A bar for each player."""
    seats = int(s["num_seats"])
    scores = [round(float(score(s, seat))) for seat in range(seats)]
    most = max(60, *scores)
    height = 0.62 * seats + 0.1
    shapes = [Shape("polygon", block(0, 0, _ACROSS, height), "panel")]
    for seat, points in enumerate(scores):
        y = 0.1 + 0.62 * seat
        shapes.append(Shape("polygon", block(0.1, y, 0.5, 0.5), f"seat{seat}", str(seat + 1),
                            size=0.34))  # fmt: skip
        long = max(0.0, (_ACROSS - 3.3) * points / most)
        shapes.append(Shape("polygon", block(0.7, y + 0.06, long, 0.38), f"seat{seat}-done"))
        shapes.append(_text((0.85 + long, y + 0.26), f"{points} points", size=0.36))
    return Scene(_ACROSS, height, tuple(shapes), title="Victory points")


def _nations(s: Any) -> Scene:
    """Draw a line for each nation with pieces or points."""
    shown = [
        nation
        for nation in range(NATIONS)
        if s["player"][nation] >= 0 and ((s["owner"] == nation).any() or s["vp"][nation] != 0)
    ]
    line = 0.62
    height = line * (len(shown) + 1) + 0.1
    shapes = [Shape("polygon", block(0, 0, _ACROSS, height), "panel")]
    for x, text in zip(_COLUMNS, ("points", "pool", "regions", "units"), strict=True):
        shapes.append(_text((x, 0.28), text, "muted", 0.3, anchor="middle"))
    for row, nation in enumerate(shown):
        shapes += _nation(s, nation, line * (row + 1) + 0.04, line)
    return Scene(_ACROSS, height, tuple(shapes), title="Nations")


def _nation(s: Any, nation: int, y: float, line: float) -> list[Shape]:
    seat, code = seat_of(s, nation), CODES[nation]
    held = s["owner"] == nation
    name, overlord = GAME_DATA.nations[nation].name, int(s["overlord"][nation])
    vassal = f" ({CODES[overlord]})" if overlord >= 0 else ""
    tip = f"{name}, vassal of {CODES[overlord]}" if vassal else name
    short = name if len(name + vassal) <= _LONGEST_NAME else name.split()[0].rstrip(",")
    shapes = []
    if s["nation"] == nation and s["seat"] != OVER:
        shapes.append(Shape("polygon", block(0.05, y, _ACROSS - 0.1, line), "tile-now"))
    middle = y + line / 2
    shapes += [
        Shape("polygon", block(0.12, y + 0.06, 0.4, line - 0.1), f"seat{seat}", str(seat + 1),
              size=0.28),
        Shape("polygon", block(0.52, y + 0.06, 0.95, line - 0.1), f"nation-{code}", code,
              size=0.28),
        _text((1.65, middle), short + vassal, "label" if held.any() else "muted", size=0.3,
              tip=tip),
    ]  # fmt: skip
    numbers = (int(s["vp"][nation]), int(s["pool"][nation]), int(held.sum()),
               int(s["units"][held].sum()))  # fmt: skip
    for x, number in zip(_COLUMNS, numbers, strict=True):
        shapes.append(_text((x, middle), str(number), size=0.32, anchor="middle"))
    return shapes


def _turn(s: Any) -> Scene:
    """Draw what the acting nation can buy, and the current group or battle."""
    nation = int(s["nation"])
    shapes = _types(nation)
    height = 1.5
    if s["phase"] in (GROUP, DESTINATION) and s["origin"] >= 0:
        shapes += _pieces(s, nation, height)
        height += 1.6
    if s["site"] >= 0:
        shapes += _battle(s, nation, height)
        height += 3.0
    title = f"{GAME_DATA.nations[nation].name}: {PHASES[int(s['phase'])]}"
    frame = Shape("polygon", block(0, 0, _ACROSS, height), "panel")
    return Scene(_ACROSS, height, (frame, *shapes), title=title)


def _types(nation: int) -> list[Shape]:
    """Units and structures that the nation can buy."""
    shapes: list[Shape] = []
    wide = (_ACROSS - 0.2) / 6
    for slot in range(6):
        cost, kind = int(COST[nation][slot]), UNIT_TYPE[nation][slot]
        corners = block(0.1 + slot * wide, 0.12, wide - 0.1, 1.2)
        key = f"type:{slot}"
        known = bool(kind) and cost > 0
        role = "card" if known else "slot-used"
        tip = f"{UNIT_NAME[nation][slot]}: {cost} population points" if known else "not available"
        shapes.append(Shape("polygon", corners, role, key=key, tip=tip))
        x = 0.1 + slot * wide + (wide - 0.1) / 2
        shapes.append(Shape("label", ((x, 0.5),), role, kind or "-", key=key, size=0.36))
        if known:
            shapes.append(Shape("label", ((x, 0.98),), role, f"cost {cost}", key=key, size=0.3))
    return shapes


def _pieces(s: Any, nation: int, top: float) -> list[Shape]:
    """Draw the stack that a group leaves, in order, with the chosen pieces highlighted."""
    origin, group = int(s["origin"]), int(s["group"])
    names = ["leader"] if s["leader"][origin] > 0 else []
    for slot in (2, 1, 0):
        names += [UNIT_TYPE[nation][slot]] * int(s["units"][origin, slot])
    shapes = [_text((0.15, top + 0.28), f"from {region_name(origin)}", size=0.32)]
    for place, name in enumerate(names):
        chosen = s["phase"] == DESTINATION and group >> place & 1
        role = f"nation-{CODES[nation]}"
        x, key = 0.15 + 1.45 * place, f"piece:{place}"
        tip = leader_name(s, int(s["leader"][origin])) if name == "leader" else name
        corners = block(x, top + 0.6, 1.35, 0.85)
        shapes.append(
            Shape("polygon", corners, role, "" if name == "leader" else name, key=key, size=0.34,
                  tip=tip)
        )  # fmt: skip
        if name == "leader":
            middle = (x + 0.67, top + 1.02)
            shapes.append(Shape("polygon", star(middle, 0.34), "leader", key=key, tip=tip))
        if chosen:
            ring = (*corners, corners[0])
            shapes.append(Shape("line", ring, "chosen", key=key, width=0.1))
    return shapes


def _battle(s: Any, nation: int, top: float) -> list[Shape]:
    """Draw both sides of the current battle, with the hits of this round."""
    site, foe = int(s["site"]), int(s["owner"][int(s["site"])])
    hits = [int(s["hits"][side].sum()) for side in range(2)]
    key = f"region:{site}"
    words = f"battle of {region_name(site)}, round {int(s['battle_round'])}"
    shapes = [_text((0.15, top + 0.3), words, size=0.32)]
    sides = [(nation, s["force"][:3], bool(s["force"][3]), hits[1], "attacks")]
    if foe >= 0:
        leader = bool(s["leader"][site] > 0)
        sides.append((foe, s["units"][site], leader, hits[0], "defends"))
    for place, (who, units, leader, suffered, verb) in enumerate(sides):
        y, text = top + 1.16 + 1.22 * place, counts_text(units) or "-"
        shapes += counter(s, who, (1.1, y), text, key, f"{CODES[who]} {verb}", leader)
        shapes.append(_text((2.6, y), f"{verb}, hits taken {suffered}", size=0.32))
    return shapes
