"""Player boards of Terra Mystica as panels: goods, power, tracks, structures, tiles."""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Point, Scene, Shape, block
from stratagem.core.sentences import counted
from stratagem.games.terra_mystica.board.factions import (
    BUILDINGS,
    COST,
    DIG_START,
    FACTIONS,
    HOME,
    MOST_DIG,
    MOST_SHIP,
    SANCTUARY,
    STOCK,
)
from stratagem.games.terra_mystica.board.hexes import TERRAINS
from stratagem.games.terra_mystica.notation.codes import faction_name
from stratagem.games.terra_mystica.notation.tile_words import (
    bonus_words,
    favour_words,
    town_words,
)
from stratagem.games.terra_mystica.state import FACTION
from stratagem.games.terra_mystica.view.buildings import BUILDING_NAMES, outline
from stratagem.games.terra_mystica.view.tiles import (
    bonus_text,
    favour_text,
    tile_height,
    tile_shapes,
    town_text,
)

_ACROSS = 7.6
_TILES_IN_A_ROW = 4


def boards(s: Any) -> tuple[Scene, ...]:
    return tuple(_board(s, seat) for seat in range(int(s["players"])))


def factions_to_choose(s: Any) -> tuple[Scene, ...]:
    """Draw all fourteen factions while somebody is choosing."""
    if s["kind"] != FACTION:
        return ()
    taken = [int(faction) for faction in s["faction"] if faction >= 0]
    shapes: list[Shape] = []
    for number, name in enumerate(FACTIONS):
        row, column = divmod(number, 3)
        home = TERRAINS[int(HOME[number])]
        free = all(HOME[number] != HOME[other] for other in taken)
        role = f"terrain-{home}" if free else "slot-used"
        shapes += tile_shapes(
            column * _ACROSS / 3, row * (tile_height(2) + 0.06),
            (_ACROSS / 3 - 0.06, tile_height(2)), role, (name, home),
            f"faction:{name}", f"{name}, home {home}",
        )  # fmt: skip
    return (Scene(_ACROSS, 5 * (tile_height(2) + 0.06), tuple(shapes), title="Factions"),)


def _text(at: Point, text: str, role: str = "label", size: float = 0.24, **more: Any) -> Shape:
    return Shape("label", (at,), role, text, size=size, **{"anchor": "start", **more})


def _board(s: Any, seat: int) -> Scene:
    faction = int(s["faction"][seat])
    name = faction_name(s, seat).capitalize()
    shapes = _heading(s, seat)
    height = 1.0
    if faction >= 0:
        shapes += _goods(s, seat) + _bowls(s, seat) + _advances(s, seat, faction)
        shapes += _structures(s, seat, faction)
        tiles = _owned(s, seat)
        shapes += tiles
        rows = -(-_count_owned(s, seat) // _TILES_IN_A_ROW)
        height = 2.78 + (tile_height(2) + 0.06) * rows
    role = "panel-now" if s["seat"] == seat else "panel"
    frame = Shape("polygon", block(0, 0, _ACROSS, height), role, key=f"board:{seat}")
    return Scene(_ACROSS, height, (frame, *shapes), title=f"Player {seat + 1}: {name}")


def _heading(s: Any, seat: int) -> list[Shape]:
    """Draw number, points, and whether the player has passed."""
    shapes = [
        Shape("polygon", block(0.12, 0.12, 0.5, 0.5), f"seat{seat}", str(seat + 1), size=0.34,
              key=f"board:{seat}"),
        _text((0.78, 0.38), f"{int(s['vp'][seat])} VP", size=0.34),
    ]  # fmt: skip
    if s["passed"][seat]:
        shapes.append(Shape("polygon", block(5.9, 0.16, 1.55, 0.42), "slot", "passed", size=0.22))
    elif s["starter"] == seat:
        shapes.append(Shape("polygon", block(5.9, 0.16, 1.55, 0.42), "slot", "starts", size=0.22))
    return shapes


def _goods(s: Any, seat: int) -> list[Shape]:
    """Draw coins as a disc, workers as a cube, priests as a cone, keys as a ring."""
    shapes: list[Shape] = []
    y = 0.38
    for place, (role, field, plural) in enumerate(
        (("coin", "coins", "coins"), ("worker", "workers", "workers"),
         ("priest", "priests", "priests"), ("key", "keys", "town keys"))
    ):  # fmt: skip
        x = 2.35 + 0.9 * place
        count = int(s[field][seat])
        key, tip = f"{field}:{seat}", f"{count} {plural}"
        if role == "worker":
            shapes.append(Shape("polygon", block(x - 0.14, y - 0.14, 0.28, 0.28), role, key=key))
        elif role == "priest":
            cone = ((x - 0.16, y + 0.16), (x, y - 0.2), (x + 0.16, y + 0.16))
            shapes.append(Shape("polygon", cone, role, key=key))
        else:
            shapes.append(Shape("disc", ((x, y),), role, radius=0.15, key=key))
        shapes.append(_text((x + 0.22, y), str(count), size=0.28, key=key, tip=tip))
    return shapes


def _bowls(s: Any, seat: int) -> list[Shape]:
    shapes: list[Shape] = []
    key = f"bowls:{seat}"
    for bowl in range(3):
        count = int(s["bowl"][seat, bowl])
        x = 0.75 + 1.05 * bowl
        tip = f"power in bowl {'I' * (bowl + 1)}: {count}"
        shapes.append(Shape("disc", ((x, 0.98),), "bowl", str(count), 0.26, key, 0.28, tip=tip))
        shapes.append(_text((x - 0.42, 0.98), "I" * (bowl + 1), "muted", 0.18, key=key,
                            anchor="middle"))  # fmt: skip
    return shapes


def _advances(s: Any, seat: int, faction: int) -> list[Shape]:
    """Draw shipping and the price of a spade, and how far they can still advance."""
    ship, dig = int(s["ship"][seat]), int(s["dig"][seat])
    price = int(DIG_START[faction]) - dig
    shapes = []
    for x, key, text, level, most in (
        (3.75, f"ship:{seat}", f"ship {ship}", ship, int(MOST_SHIP[faction])),
        (5.65, f"dig:{seat}", f"spade {price} W", dig, int(MOST_DIG[faction])),
    ):
        role = "slot" if level < most else "slot-used"
        tip = f"{text}; advanced {level} of {most}"
        if key.startswith("dig") and FACTIONS[faction] == "darklings":
            text, tip = "spade 1 P", "Darklings dig with priests"
        shapes.append(
            Shape("polygon", block(x, 0.76, 1.8, 0.44), role, text, key=key, size=0.22, tip=tip)
        )
    return shapes


def _structures(s: Any, seat: int, faction: int) -> list[Shape]:
    """Draw for each kind of structure how many are left and what one costs."""
    shapes: list[Shape] = []
    for kind in range(1, SANCTUARY + 1):
        x = 0.05 + 1.49 * (kind - 1)
        left = int(STOCK[kind]) - int(s["count"][seat, kind])
        workers, coins = (int(n) for n in COST[faction, kind])
        key = f"building:{seat},{BUILDINGS[kind]}"
        tip = f"{BUILDING_NAMES[kind]}: {left} of {int(STOCK[kind])} left, costs "
        tip += f"{counted(workers, 'worker')} and {counted(coins, 'coin')}"
        role = f"seat{seat}" if left else f"seat{seat}-faded"
        shapes.append(Shape("polygon", block(x + 0.05, 1.36, 1.41, 0.86), "slot", key=key, tip=tip))
        shapes.append(outline(kind, (x + 0.46, 1.68), role, key, tip, 0.85))
        shapes.append(_text((x + 0.86, 1.68), f"{left}/{int(STOCK[kind])}", size=0.24, key=key))
        price = f"{workers}W {coins}C"
        shapes.append(
            _text((x + 0.75, 2.07), price, "muted", 0.19, key=key, anchor="middle")
        )  # fmt: skip
    return shapes


def _count_owned(s: Any, seat: int) -> int:
    favours = int(s["favours"][seat]).bit_count()
    return favours + int(s["towns"][seat].sum()) + (1 if s["bonus"][seat] >= 0 else 0)


def _owned(s: Any, seat: int) -> list[Shape]:
    """Draw a player's bonus card, favour tiles and town tiles."""
    cards: list[tuple[str, tuple[str, ...], str, str]] = []
    bonus = int(s["bonus"][seat])
    if bonus >= 0:
        role = "slot-used" if s["used_bonus"][seat] else "tile-now"
        tip = f"bonus card: {bonus_words(bonus)}"
        cards.append((role, bonus_text(bonus), f"bonus:{bonus + 1}", tip))
    for tile in range(12):
        if int(s["favours"][seat]) >> tile & 1:
            cult = ("fire", "water", "earth", "air")[tile % 4]
            tip = f"favour tile: {favour_words(tile)}"
            cards.append((f"cult-{cult}", favour_text(tile), f"favour:{tile + 1}", tip))
    for tile in range(5):
        tip = f"town tile: {town_words(tile)}"
        town = ("tile", town_text(tile), f"town-of:{seat},{tile + 1}", tip)
        cards += [town] * int(s["towns"][seat, tile])
    shapes: list[Shape] = []
    shapes.append(_text((0.15, 2.5), "cards and tiles", "muted", 0.19))
    wide = (_ACROSS - 0.1) / _TILES_IN_A_ROW
    for place, (role, lines, key, tip) in enumerate(cards):
        row, column = divmod(place, _TILES_IN_A_ROW)
        at = (0.1 + column * wide, 2.72 + (tile_height(2) + 0.06) * row)
        shapes += tile_shapes(*at, (wide - 0.06, tile_height(2)), role, lines, key, tip)
    return shapes
