"""Tiles and cards of Terra Mystica that lie beside the map, each as a small panel.

Texts on tiles are short forms of their numbers: C coins, W workers, P priests, PW power, VP points.
"""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Scene, Shape, block
from stratagem.games.terra_mystica.board.hexes import TERRAINS
from stratagem.games.terra_mystica.board.tiles import (
    BONUS_INCOME,
    CULTS,
    FAVOUR_INCOME,
    POWER_COST,
    REWARD,
    REWARD_AMOUNT,
    REWARD_CULT,
    REWARD_STEP,
    TILE_EVENT,
    TILE_VP,
    TOWN_GAIN,
)
from stratagem.games.terra_mystica.notation.codes import faction_name
from stratagem.games.terra_mystica.view.buildings import terrain_glyph

_ACROSS = 7.6
_GOODS = ("W", "C", "P", "PW")
_EVENTS = ("spade", "town", "dwelling", "SH or SA", "trading post")
_REWARDS = ("W", "C", "P", "PW", "spade")
_BONUS_EXTRAS = {
    0: "spade", 1: "cult step", 3: "ship +1", 5: "4VP SH/SA", 6: "2VP per TP", 8: "1VP per D",
}  # fmt: skip
_FAVOUR_EXTRAS = {
    4: "town at 6", 5: "cult step", 9: "3VP per TP", 10: "2VP per D", 11: "pass: TP",
}  # fmt: skip
_POWER_GAINS = ("bridge", "1 P", "2 W", "7 C", "1 spade", "2 spades")


def tables(s: Any) -> tuple[Scene, ...]:
    return (_rounds(s), _powers(s), _bonuses(s), _favours(s), _towns(s), _wheel(s))


def goods_text(numbers: Any) -> str:
    """Workers, coins, priests and power, e.g. `1W 3PW`."""
    return " ".join(
        f"{int(n)}{name}" for n, name in zip(numbers, _GOODS, strict=True) if int(n) > 0
    )


def bonus_text(card: int) -> tuple[str, str]:
    """Income and extra of a bonus card."""
    return goods_text(BONUS_INCOME[card]), _BONUS_EXTRAS.get(card, "")


def favour_text(tile: int) -> tuple[str, str]:
    """Cult steps and gift of a favour tile."""
    steps = f"{3 - tile // 4} {CULTS[tile % 4].lower()}"
    return steps, _FAVOUR_EXTRAS.get(tile, goods_text(FAVOUR_INCOME[tile]))


def town_text(tile: int) -> tuple[str, str]:
    """Points and goods of a town tile."""
    points, *goods = (int(n) for n in TOWN_GAIN[tile])
    return f"{points} VP", goods_text(goods) or "cults +1"


def tile_shapes(
    left: float, top: float, size: tuple[float, float], role: str, lines: tuple[str, ...],
    key: str, tip: str,
) -> list[Shape]:  # fmt: skip
    """A card with up to three lines of text, the first in bold."""
    wide, high = size
    shapes = [Shape("polygon", block(left, top, wide, high), role, key=key, tip=tip)]
    step = high / (len(lines) + 0.4)
    for place, line in enumerate(lines):
        at = ((left + wide / 2, top + step * (place + 0.7)),)
        shapes.append(Shape("label", at, role, line, key=key, size=0.72 * min(step, 0.27)))
    return shapes


def _rounds(s: Any) -> Scene:
    now = int(s["round"])
    shapes: list[Shape] = []
    for place in range(6):
        tile = int(s["tile"][place])
        what = f"{int(TILE_VP[tile])} VP {_EVENTS[int(TILE_EVENT[tile])]}"
        gain = f"{int(REWARD_AMOUNT[tile])} {_REWARDS[int(REWARD[tile])]}"
        cult = f"{int(REWARD_STEP[tile])} {CULTS[int(REWARD_CULT[tile])].lower()}: {gain}"
        role = "tile-now" if place + 1 == now else "tile-past" if place + 1 < now else "tile"
        row, column = divmod(place, 3)
        lines = (f"round {place + 1}: {what}", cult if place < 5 else "no cult income")
        tip = f"round {place + 1}: {what}; at its end for each {cult}"
        left, size = column * _ACROSS / 3, (_ACROSS / 3 - 0.06, 0.6)
        shapes += tile_shapes(left, 0.66 * row, size, role, lines, f"round:{place + 1}", tip)
    return Scene(_ACROSS, 1.26, tuple(shapes), title=f"Round {now} of 6")


def _powers(s: Any) -> Scene:
    shapes: list[Shape] = []
    for number in range(6):
        taken = bool(s["power_taken"][number])
        role = "slot-used" if taken else "bowl"
        lines = (_POWER_GAINS[number], f"{int(POWER_COST[number])} PW")
        tip = f"{lines[0]} for {lines[1]}" + (", taken this round" if taken else "")
        left = number * _ACROSS / 6
        shapes += tile_shapes(left, 0, (_ACROSS / 6 - 0.06, 0.62), role, lines,
                              f"power:{number + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, 0.62, tuple(shapes), title="Power actions")


def _bonuses(s: Any) -> Scene:
    """The cards of the pool with their coins; those that a player holds show who."""
    cards = [card for card in range(9) if s["card"][card] > -2]
    shapes: list[Shape] = []
    for place, card in enumerate(cards):
        row, column = divmod(place, 5)
        holder, coins = int(s["card"][card]), int(s["card_coins"][card])
        income, extra = bonus_text(card)
        state = f"+{coins} C" if coins else ""
        role, tip = "tile", f"bonus card {card + 1}: {income} {extra}"
        if holder >= 0:
            role, state = f"seat{holder}-faded", f"player {holder + 1}"
            tip += f", held by {faction_name(s, holder)}"
        size = (_ACROSS / 5 - 0.06, 0.84)
        shapes += tile_shapes(column * _ACROSS / 5, 0.9 * row, size, role,
                              (income, extra, state), f"bonus:{card + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, 0.9 * ((len(cards) + 4) // 5), tuple(shapes), title="Bonus cards")


def _favours(s: Any) -> Scene:
    shapes: list[Shape] = []
    for tile in range(12):
        row, column = divmod(tile, 4)
        steps, gift = favour_text(tile)
        left = int(s["favours_left"][tile])
        owners = [k for k in range(int(s["players"])) if int(s["favours"][k]) >> tile & 1]
        names = ", ".join(faction_name(s, seat) for seat in owners)
        role = f"cult-{CULTS[tile % 4].lower()}" if left else "slot-used"
        tip = f"favour {tile + 1}: {steps}, {gift or 'nothing more'}; {left} left"
        tip += f"; owned by {names}" if names else ""
        size = (_ACROSS / 4 - 0.06, 0.58)
        gift_line = f"{gift}  ({left})" if gift else f"({left})"
        shapes += tile_shapes(column * _ACROSS / 4, 0.64 * row, size, role, (steps, gift_line),
                              f"favour:{tile + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, 1.9, tuple(shapes), title="Favour tiles (left)")


def _towns(s: Any) -> Scene:
    shapes: list[Shape] = []
    for tile in range(5):
        points, goods = town_text(tile)
        left = int(s["towns_left"][tile])
        role = "tile" if left else "slot-used"
        tip = f"town tile {tile + 1}: {points}, {goods}; {left} left"
        size = (_ACROSS / 5 - 0.06, 0.6)
        shapes += tile_shapes(tile * _ACROSS / 5, 0, size, role, (points, f"{goods}  ({left})"),
                              f"town:{tile + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, 0.6, tuple(shapes), title="Town tiles (left)")


def _wheel(s: Any) -> Scene:
    """The terrains in the order of the wheel; the last is next to the first again."""
    shapes: list[Shape] = []
    wide = _ACROSS / 7
    for place, name in enumerate(TERRAINS):
        key, role = f"terrain:{name}", f"terrain-{name}"
        shapes.append(Shape("polygon", block(place * wide, 0, wide - 0.06, 0.62), role, key=key))
        middle = place * wide + wide / 2 - 0.03
        shapes += terrain_glyph(name, (middle, 0.2), key)
        shapes.append(Shape("label", ((middle, 0.47),), role, name, key=key, size=0.18))
    return Scene(_ACROSS, 0.62, tuple(shapes), title="Terrains in a circle: a spade a step")
