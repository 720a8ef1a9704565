"""Tiles and cards of Terra Mystica that lie beside the map, each as a small panel.

Texts on tiles abbreviate their effects: C coins, W workers, P priests, PW power, VP points.
Tooltips say the same in words.
"""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Scene, Shape, block
from stratagem.core.sentences import counted
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
from stratagem.games.terra_mystica.notation.tile_words import (
    bonus_words,
    favour_words,
    town_words,
)
from stratagem.games.terra_mystica.view.buildings import terrain_glyph

_ACROSS = 7.6
_LINE = 0.34  # height of a line of text that is readable in the page's narrow column
_GOODS = ("W", "C", "P", "PW")
_EVENTS = ("spade", "town", "dwelling", "SH or SA", "trading post")
_REWARDS = ("W", "C", "P", "PW", "spade")
_BONUS_EXTRAS = {
    0: "spade", 1: "cult step", 3: "ship +1", 5: "4VP SH/SA", 6: "2VP per TP", 8: "1VP per D",
}  # fmt: skip
_FAVOUR_EXTRAS = {
    4: "town at 6", 5: "cult step", 9: "3VP per TP", 10: "2VP per D", 11: "pass: TP",
}  # fmt: skip
_POWER_GAINS = ("bridge", "1 priest", "2 workers", "7 coins", "1 spade", "2 spades")
_POWER_WORDS = ("a bridge", "1 priest", "2 workers", "7 coins", "1 free spade", "2 free spades")
_EVENT_WORDS = ("spade", "town", "dwelling", "stronghold or sanctuary", "trading post")
_REWARD_WORDS = ("worker", "coin", "priest", "power", "free spade")


def tables(s: Any) -> tuple[Scene, ...]:
    return (_rounds(s), _powers(s), _bonuses(s), _favours(s), _towns(s), _wheel(s))


def goods_text(numbers: Any) -> str:
    """Write workers, coins, priests and power: `1W 3PW`."""
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


def tile_height(lines: int) -> float:
    """Return the height of a card with this many lines of text."""
    return _LINE * (lines + 0.4)


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
        row, column = divmod(place, 2)
        lines = (f"{place + 1}: {what}", cult if place < 5 else "no cult income")
        tip = _round_tip(place, tile)
        left, size = column * _ACROSS / 2, (_ACROSS / 2 - 0.06, tile_height(2))
        top = row * (size[1] + 0.06)
        shapes += tile_shapes(left, top, size, role, lines, f"round:{place + 1}", tip)
    height = 3 * tile_height(2) + 0.12
    return Scene(_ACROSS, height, tuple(shapes), title=f"Round {now} of 6")


def _round_tip(place: int, tile: int) -> str:
    """Describe what a round pays for, in words."""
    event, cult = _EVENT_WORDS[int(TILE_EVENT[tile])], CULTS[int(REWARD_CULT[tile])].capitalize()
    text = f"round {place + 1}: {int(TILE_VP[tile])} points for each {event}"
    if place == 5:
        return text
    amount, word = int(REWARD_AMOUNT[tile]), _REWARD_WORDS[int(REWARD[tile])]
    gain = f"{amount} power" if word == "power" else counted(amount, word)
    steps = counted(int(REWARD_STEP[tile]), "step")
    return f"{text}; at its end {gain} for every {steps} on {cult}"


def _powers(s: Any) -> Scene:
    shapes: list[Shape] = []
    for number in range(6):
        taken = bool(s["power_taken"][number])
        role = "slot-used" if taken else "bowl"
        lines = (_POWER_GAINS[number], f"{int(POWER_COST[number])} power")
        tip = f"{_POWER_WORDS[number]} for {int(POWER_COST[number])} power"
        tip += ", taken this round" if taken else ""
        row, column = divmod(number, 3)
        size = (_ACROSS / 3 - 0.06, tile_height(2))
        shapes += tile_shapes(column * _ACROSS / 3, row * (size[1] + 0.06), size, role, lines,
                              f"power:{number + 1}", tip)  # fmt: skip
    height = 2 * tile_height(2) + 0.06
    return Scene(_ACROSS, height, tuple(shapes), title="Power actions")


def _bonuses(s: Any) -> Scene:
    """Draw the cards of the pool with their coins, and who holds the others."""
    cards = [card for card in range(9) if s["card"][card] > -2]
    shapes: list[Shape] = []
    for place, card in enumerate(cards):
        row, column = divmod(place, 4)
        holder, coins = int(s["card"][card]), int(s["card_coins"][card])
        income, extra = bonus_text(card)
        state = f"+{coins} C" if coins else ""
        role, tip = "tile", f"bonus card: {bonus_words(card)}"
        tip += f", and {counted(coins, 'coin')} lying on it" if coins else ""
        if holder >= 0:
            role, state = f"seat{holder}-faded", f"player {holder + 1}"
            tip += f", held by {faction_name(s, holder)}"
        size = (_ACROSS / 4 - 0.06, tile_height(3))
        shapes += tile_shapes(column * _ACROSS / 4, row * (size[1] + 0.06), size, role,
                              (income, extra, state), f"bonus:{card + 1}", tip)  # fmt: skip
    height = ((len(cards) + 3) // 4) * (tile_height(3) + 0.06)
    return Scene(_ACROSS, height, tuple(shapes), title="Bonus cards")


def _favours(s: Any) -> Scene:
    shapes: list[Shape] = []
    for tile in range(12):
        row, column = divmod(tile, 4)
        steps, gift = favour_text(tile)
        left = int(s["favours_left"][tile])
        owners = [k for k in range(int(s["players"])) if int(s["favours"][k]) >> tile & 1]
        names = ", ".join(faction_name(s, seat) for seat in owners)
        role = f"cult-{CULTS[tile % 4].lower()}" if left else "slot-used"
        tip = f"favour tile: {favour_words(tile)}; {left} left"
        tip += f"; owned by {names}" if names else ""
        size = (_ACROSS / 4 - 0.06, tile_height(3))
        shapes += tile_shapes(column * _ACROSS / 4, row * (size[1] + 0.06), size, role,
                              (steps, gift, f"{left} left"), f"favour:{tile + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, 3 * (tile_height(3) + 0.06), tuple(shapes), title="Favour tiles")


def _towns(s: Any) -> Scene:
    shapes: list[Shape] = []
    for tile in range(5):
        points, goods = town_text(tile)
        left = int(s["towns_left"][tile])
        role = "tile" if left else "slot-used"
        tip = f"town tile: {town_words(tile)}; {left} left"
        size = (_ACROSS / 5 - 0.06, tile_height(3))
        shapes += tile_shapes(tile * _ACROSS / 5, 0, size, role,
                              (points, goods, f"{left} left"), f"town:{tile + 1}", tip)  # fmt: skip
    return Scene(_ACROSS, tile_height(3), tuple(shapes), title="Town tiles")


def _wheel(s: Any) -> Scene:
    """Draw the terrains in the order of the wheel; the last is next to the first again."""
    shapes: list[Shape] = []
    wide, high = _ACROSS / 4, 0.68
    for place, name in enumerate(TERRAINS):
        row, column = divmod(place, 4)
        left, top = column * wide, row * high
        key, role = f"terrain:{name}", f"terrain-{name}"
        corners = block(left, top, wide - 0.06, high - 0.06)
        shapes.append(Shape("polygon", corners, role, key=key))
        middle = left + wide / 2 - 0.03
        shapes += terrain_glyph(name, (middle, top + 0.18), key)
        shapes.append(Shape("label", ((middle, top + 0.46),), role, name, key=key, size=0.18))
    return Scene(_ACROSS, 2 * high, tuple(shapes), title="Terrains in a circle: a spade a step")
