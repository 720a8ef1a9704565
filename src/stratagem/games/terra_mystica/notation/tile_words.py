"""Tiles and cards of Terra Mystica in words."""

from __future__ import annotations

from typing import Any

from stratagem.core.sentences import counted, joined
from stratagem.games.terra_mystica.board.tiles import (
    BONUS_INCOME,
    CULTS,
    FAVOUR_INCOME,
    TOWN_GAIN,
)

_GOODS = ("worker", "coin", "priest")  # and power, which has no plural
_BONUS_EXTRAS = {
    0: "a free spade", 1: "a cult step", 3: "+1 shipping",
    5: "4 points for stronghold and sanctuary at the next pass",
    6: "2 points for each trading post at the next pass",
    8: "1 point for each dwelling at the next pass",
}  # fmt: skip
_FAVOUR_EXTRAS = {
    4: "towns from 6 power", 5: "a cult step each round",
    9: "3 points for each trading post", 10: "2 points for each dwelling",
    11: "points for trading posts at each pass",
}  # fmt: skip


def goods_words(numbers: Any) -> str:
    """Write workers, coins, priests and power: `1 worker and 3 power`."""
    *goods, power = (int(number) for number in numbers)
    parts = [counted(n, name) for n, name in zip(goods, _GOODS, strict=True) if n]
    return joined([*parts, *([f"{power} power"] if power else [])])


def bonus_words(card: int) -> str:
    income, extra = goods_words(BONUS_INCOME[card]), _BONUS_EXTRAS.get(card, "")
    return joined([part for part in (income, extra) if part])


def favour_words(tile: int) -> str:
    steps = f"{counted(3 - tile // 4, 'step')} on {CULTS[tile % 4].capitalize()}"
    gift = _FAVOUR_EXTRAS.get(tile, goods_words(FAVOUR_INCOME[tile]))
    return f"{steps} and {gift}" if gift else steps


def town_words(tile: int) -> str:
    points, *goods = (int(number) for number in TOWN_GAIN[tile])
    gift = goods_words(goods) or "a step on every cult"
    return f"{points} points and {gift}"
