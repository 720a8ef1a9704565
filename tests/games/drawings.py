"""Positions of random games to draw, and the room that texts and shapes take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import CHANCE, OVER

Box = tuple[float, float, float, float]  # left, top, right, bottom
LETTER = 0.56  # mean width of a letter, as a share of the text's size


def positions(game: Game, seed: int, most: int, every: int) -> Iterator[Any]:
    """Each so-manieth position of a random game, at most so many, and the last one reached."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    for ply in range(most * every):
        if ply % every == 0 or state["seat"] == OVER:
            yield state
        if state["seat"] == OVER:
            return
        state = game.after(state, int(rng.choice(choices(game, state))))


def choices(game: Game, state: Any) -> list[int]:
    """Legal actions, or outcomes of chance."""
    if state["seat"] == CHANCE:
        return [outcome for outcome, _ in game.chance_outcomes(state)]
    return game.legal_actions(state)


def box_of(shape: Shape) -> Box:
    """The room of a shape without its text."""
    xs, ys = zip(*shape.points, strict=True)
    grown = shape.radius
    return (min(xs) - grown, min(ys) - grown, max(xs) + grown, max(ys) + grown)


def text_box(shape: Shape) -> Box:
    """About the room of a shape's text."""
    xs, ys = zip(*shape.points, strict=True)
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    wide, high = LETTER * shape.size * len(shape.text), 0.72 * shape.size
    if shape.turn:
        wide, high = high, wide
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[shape.anchor]
    return (left, y - high / 2, left + wide, y + high / 2)


def overlap(one: Box, other: Box, slack: float = 0.0) -> bool:
    return (
        one[0] + slack < other[2]
        and other[0] + slack < one[2]
        and one[1] + slack < other[3]
        and other[1] + slack < one[3]
    )


def is_within(inner: Box, outer: Box, slack: float = 1e-3) -> bool:
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def parts(scene: Scene) -> tuple[Scene, ...]:
    """The board and its panels."""
    return (scene, *scene.panels)


def pieces(scene: Scene) -> dict[str, Box]:
    """The room of everything in the layer of pieces, by key."""
    found: dict[str, Box] = {}
    for shape in scene.shapes:
        if shape.layer == "pieces" and shape.kind in ("polygon", "disc"):
            box = box_of(shape)
            old = found.get(shape.key, box)
            found[shape.key] = (
                min(old[0], box[0]), min(old[1], box[1]), max(old[2], box[2]), max(old[3], box[3])
            )  # fmt: skip
    return found
