"""The panels beside the island of Catan: bank, dice and deck, and one for each player.

Counts are public. Development cards, and with three or four players all cards in hand, are shapes
that only their owner may see.
"""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import EVERYBODY, Point, Scene, Shape, block
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.sentences import counted
from stratagem.games.catan.notation.codes import (
    KIND_NAMES,
    PHASE_NAMES,
    RESOURCE_NAMES,
    deal_text,
)
from stratagem.games.catan.rules.trading import ACCEPTED, deal_with, given_in, received_in
from stratagem.games.catan.state import (
    ANSWER,
    CHOOSE_PARTNER,
    KNIGHT,
    POINT,
    hand_size,
    points,
    visible_points,
)
from stratagem.games.catan.view.pieces import glyph

_ACROSS = 8.0  # width of every panel
_CARD = (0.66, 0.86)
_CARD_TIPS = (
    "knight: move the robber and steal a card", "victory point: counts at once, and stays hidden",
    "road building: two roads for nothing", "year of plenty: any two cards from the bank",
    "monopoly: all cards of one resource from everybody",
)  # fmt: skip


def panels(s: Any) -> tuple[Scene, ...]:
    trade = (_trade(s),) if s["offers"] else ()
    return (_table(s), *trade, *(_player(s, seat) for seat in range(int(s["players"]))))


def _text(at: Point, text: str, role: str = "label", size: float = 0.3, **more: Any) -> Shape:
    return Shape("label", (at,), role, text, size=size, **{"anchor": "start", **more})


def _table(s: Any) -> Scene:
    """Draw dice, bank and deck."""
    shapes = [Shape("polygon", block(0, 0, _ACROSS, 1.75), "panel")]
    roll = int(s["last_roll"]) if s["rolled"] else 0
    tip = f"the dice showed {roll}" if roll else "not rolled in this turn"
    shapes.append(_text((0.2, 0.3), "dice", "muted", 0.24))
    shapes.append(
        Shape("polygon", block(0.25, 0.6, 0.86, 0.86), "die", str(roll or "?"), key="dice",
              size=0.42, tip=tip)
    )  # fmt: skip
    shapes.append(_text((1.7, 0.3), "bank", "muted", 0.24))
    for resource, name in enumerate(RESOURCE_NAMES):
        at = (1.7 + 0.78 * resource, 0.6)
        shapes += _resource(at, name, int(s["bank"][resource]), f"bank:{name}", EVERYBODY)
    shapes.append(_text((6.1, 0.3), "deck", "muted", 0.24))
    deck = int(s["deck"].sum())
    role = "card-back" if deck else "slot-used"
    shapes.append(
        Shape("polygon", block(6.1, 0.6, *_CARD), role, str(deck), key="deck", size=0.34,
              tip=f"{deck} development cards to buy")
    )  # fmt: skip
    return Scene(_ACROSS, 1.75, tuple(shapes), title=_now(s))


def _trade(s: Any) -> Scene:
    """Draw resources to ask for, and the current offer with the answers to it."""
    shapes = [Shape("polygon", block(0, 0, _ACROSS, 1.75), "panel")]
    shapes.append(_text((0.2, 0.3), "ask for", "muted", 0.24))
    for resource, name in enumerate(RESOURCE_NAMES):
        x = 0.25 + 0.78 * resource
        key, tip = f"want:{name}", f"ask for {name}"
        shapes.append(Shape("polygon", block(x, 0.6, *_CARD), name, key=key, tip=tip))
        for part in glyph(name, (x + 0.33, 1.03), key, 0.6):
            shapes.append(
                Shape(part.kind, part.points, part.role, radius=part.radius, key=key,
                      width=part.width)
            )  # fmt: skip
    is_open = int(s["phase"]) in (ANSWER, CHOOSE_PARTNER)
    offer = deal_text(int(s["offer"]) - 1) if is_open else "no offer"
    role = "tile-now" if is_open else "slot-used"
    shapes.append(Shape("polygon", block(4.3, 0.2, 2.7, 0.44), role, offer, key="offer", size=0.25))
    shapes.append(
        Shape("polygon", block(7.1, 0.2, 0.75, 0.44), "slot" if is_open else "slot-used", "no",
              key="refuse", size=0.26, tip="refuse, or make no deal")
    )  # fmt: skip
    answers = _answers(s) if is_open else []
    for line, text in enumerate(answers):
        shapes.append(_text((4.3, 0.9 + 0.3 * line), text, size=0.24))
    left = counted(int(s["offers_left"]), "offer")
    return Scene(_ACROSS, 1.75, tuple(shapes), title=f"Trade between players, {left} left")


def _answers(s: Any) -> list[str]:
    """Return who has agreed to what so far."""
    lines = []
    for seat in range(int(s["players"])):
        answer, deal = int(s["answers"][seat]), int(deal_with(s, seat))
        if answer == ACCEPTED:
            lines.append(f"player {seat + 1} agrees")
        elif deal >= 0:
            (given, price), (_, number) = given_in(deal), received_in(deal)
            lines.append(f"player {seat + 1}: {price} {RESOURCE_NAMES[given]} for {number}")
    return lines


def _now(s: Any) -> str:
    if s["seat"] == OVER:
        return "Game over" if s["winner"] < 0 else f"Player {int(s['winner']) + 1} has won"
    phase = PHASE_NAMES[int(s["phase"])]
    who = "chance" if s["seat"] == CHANCE else f"player {int(s['seat']) + 1}"
    return f"Turn {int(s['turn']) + 1}, {who}: {phase}"


def _resource(at: Point, name: str, count: int, key: str, seen_by: int) -> list[Shape]:
    """Draw a card with its glyph and its count."""
    x, y = at
    role = name if count else "slot-used"
    corners = block(x, y, *_CARD)
    tip = f"{count} {name}"
    shapes = [Shape("polygon", corners, role, key=key, tip=tip, seen_by=seen_by)]
    for part in glyph(name, (x + 0.33, y + 0.25), key, 0.6):
        shapes.append(
            Shape(part.kind, part.points, part.role, radius=part.radius, key=key,
                  width=part.width, seen_by=seen_by)
        )  # fmt: skip
    number = Shape("label", ((x + 0.33, y + 0.61),), role, str(count), key=key, size=0.3, tip=tip,
                   seen_by=seen_by)  # fmt: skip
    return [*shapes, number]


def _player(s: Any, seat: int) -> Scene:
    now = s["seat"] == seat or (s["seat"] == CHANCE and s["turn_seat"] == seat)
    role = "panel-now" if now else "panel"
    key = f"seat:{seat}"
    shapes = [Shape("polygon", block(0, 0, _ACROSS, 3.2), role, key=key)]
    shapes.append(
        Shape("polygon", block(0.15, 0.15, 0.5, 0.5), f"seat{seat}", str(seat + 1), key=key,
              size=0.34)
    )  # fmt: skip
    seen, target = int(visible_points(s, seat)), int(s["target"])
    shapes.append(_text((0.85, 0.4), f"{seen} of {target} points", size=0.3))
    hidden = int(s["cards"][seat, POINT])
    if hidden:
        total = f"{int(points(s, seat))} with cards"
        shapes.append(_text((3.55, 0.4), total, "muted", 0.24, seen_by=seat))
    shapes += _awards(s, seat)
    cards = int(s["cards"][seat].sum())
    held = ", ".join(
        (counted(int(hand_size(s, seat)), "resource card"), counted(cards, "development card"))
    )
    left = [int(number) for number in s["pieces"][seat]]
    supply = ", ".join(
        (counted(left[0], "road"), counted(left[1], "settlement"),
         f"{counted(left[2], 'city', 'cities')} to build")
    )  # fmt: skip
    shapes.append(_text((0.2, 0.96), held, size=0.26))
    shapes.append(_text((0.2, 1.32), supply, "muted", 0.24))
    shapes += _cards(s, seat)
    return Scene(_ACROSS, 3.2, tuple(shapes), title=f"Player {seat + 1}")


def _awards(s: Any, seat: int) -> list[Shape]:
    """Draw road length and knights played, highlighted if they hold the award."""
    shapes = []
    for x, name, award, count, holder in (
        (0.2, "road length", "longest road", int(s["road_length"][seat]), int(s["road_holder"])),
        (4.05, "knights played", "largest army", int(s["played"][seat, KNIGHT]),
         int(s["army_holder"])),
    ):  # fmt: skip
        role = "tile-now" if holder == seat else "slot"
        text = f"{award}: {count}" if holder == seat else f"{name} {count}"
        tip = f"{award}, 2 points: player {holder + 1}" if holder >= 0 else f"{award}: nobody yet"
        corners = block(x, 1.56, 3.75, 0.44)
        shapes.append(Shape("polygon", corners, role, text, size=0.23, tip=tip))
    return shapes


def _cards(s: Any, seat: int) -> list[Shape]:
    """Draw resources and development cards in hand, for those who may see them."""
    shapes: list[Shape] = []
    open_hand = EVERYBODY if int(s["players"]) == 2 else seat
    for resource, name in enumerate(RESOURCE_NAMES):
        at = (0.2 + 0.72 * resource, 2.16)
        count = int(s["hand"][seat, resource])
        shapes += _resource(at, name, count, f"hand:{seat},{name}", open_hand)
    for kind, name in enumerate(KIND_NAMES):
        count, key = int(s["cards"][seat, kind]), f"card:{seat},{name}"
        row, column = divmod(kind, 2)
        corners = block(4.05 + 1.92 * column, 2.1 + 0.36 * row, 1.84, 0.34)
        text = f"{name} ×{count}" if count > 1 else name
        tip = f"{count} of: {_CARD_TIPS[kind]}"
        shapes.append(
            Shape("polygon", corners, "card" if count else "slot-used", text, key=key, size=0.26,
                  tip=tip, seen_by=seat)
        )  # fmt: skip
    return shapes
