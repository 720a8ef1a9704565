"""The four cult tracks of Terra Mystica as a panel."""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Scene, Shape, block
from stratagem.games.terra_mystica.board.tiles import CULT_POWER, CULTS
from stratagem.games.terra_mystica.notation.codes import faction_name

_SPACES = 11
_STEP = 0.52  # height of a space
_TOP = 0.5
_LANE = 1.9  # width of a track


def cults(s: Any) -> Scene:
    """Draw the tracks side by side, the top at the top, and the spots for priests below."""
    shapes: list[Shape] = []
    for cult in range(4):
        shapes += _track(s, cult) + _markers(s, cult) + _spots(s, cult)
    return Scene(4 * _LANE - 0.1, _TOP + _SPACES * _STEP + 0.75, tuple(shapes), title="Cults")


def _track(s: Any, cult: int) -> list[Shape]:
    x, name = _LANE * cult, CULTS[cult]
    key, role = f"cult:{name}", f"cult-{name.lower()}"
    heading = name.capitalize()
    shapes = [
        Shape("polygon", block(x, 0, _LANE - 0.1, _TOP - 0.06), role, heading, key=key, size=0.28)
    ]
    for space in range(_SPACES):
        power = int(CULT_POWER[space])
        tip = f"{heading} {space}" + (f": {power} power on entering" if power else "")
        corners = block(x, _TOP + _STEP * (_SPACES - 1 - space), _LANE - 0.1, _STEP)
        shapes.append(Shape("polygon", corners, role, key=key, tip=tip))
        at = (x + 0.2, _TOP + _STEP * (_SPACES - 0.5 - space))
        shapes.append(Shape("label", (at,), role, str(space), key=key, size=0.2))
        if power:
            spot = ((x + _LANE - 0.3, at[1]),)
            shapes.append(
                Shape("disc", spot, "power", str(power), 0.13, key, 0.17, tip=tip)
            )  # fmt: skip
    return shapes


def _markers(s: Any, cult: int) -> list[Shape]:
    """Draw a disc for each player, side by side if they share a space."""
    shapes = []
    players = int(s["players"])
    for seat in range(players):
        if s["faction"][seat] < 0:
            continue
        space = int(s["cult"][seat, cult])
        sharing = [
            k for k in range(players) if s["cult"][k, cult] == space and s["faction"][k] >= 0
        ]
        step = min(0.3, 1.0 / len(sharing))
        x = _LANE * cult + 0.85 + step * (sharing.index(seat) - (len(sharing) - 1) / 2)
        y = _TOP + _STEP * (_SPACES - 0.5 - space)
        tip = f"{faction_name(s, seat)}: {CULTS[cult].lower()} {space}"
        radius = min(0.19, 0.55 * step + 0.03)
        shapes.append(
            Shape("disc", ((x, y),), f"seat{seat}", str(seat + 1), radius, size=0.22, tip=tip,
                  layer="pieces")
        )  # fmt: skip
    return shapes


def _spots(s: Any, cult: int) -> list[Shape]:
    """Draw the spots where a priest is worth three steps, two (three spots), or one."""
    name, y = CULTS[cult], _TOP + _SPACES * _STEP + 0.4
    shapes = []
    for spot in range(5):
        steps = (3, 2, 2, 2, 1)[spot]
        owner = int(s["spot"][cult, spot]) if spot < 4 else -1
        x = _LANE * cult + 0.18 + 0.36 * spot
        role, text = ("spot", str(steps)) if owner < 0 else (f"seat{owner}", str(owner + 1))
        tip = f"priest to {name.lower()}: {steps} steps" if owner < 0 else faction_name(s, owner)
        shapes.append(
            Shape("disc", ((x, y),), role, text, 0.165, f"spot:{name},{steps}", 0.2, tip=tip)
        )
    return shapes
