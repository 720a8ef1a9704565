"""What a viewer may see of a game: scenes, points and events without other people's secrets.

What is the same in all samples from core/knowledge.py is known; what differs is unknown, and shown
as `?`. Games do not have to declare anything for this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stratagem.core.game import Game, States
from stratagem.core.scene import Scene, Shape

UNKNOWN = "?"


def draw(game: Game, samples: States, viewer: int | None) -> Scene:
    """Draw a position as far as the viewer knows it."""
    scenes = [_scene(game, state) for state in samples]
    if viewer is not None:
        scenes = [scene.for_seat(viewer) for scene in scenes]
    return scenes[0] if len(scenes) == 1 else _agreed(scenes)


def _scene(game: Game, state: Any) -> Scene:
    """Return the game's own drawing; a game without one is shown as text."""
    if game.rules.view is not None:
        return game.rules.view(state)
    lines = game.rules.notation.format_state(state).splitlines() or [""]
    labels = [
        Shape("label", ((0.2, row + 0.5),), "text", line, size=0.6, anchor="start")
        for row, line in enumerate(lines)
    ]
    return Scene(max(4.0, 0.4 * max(map(len, lines))), float(len(lines)), tuple(labels))


def points(game: Game, samples: States) -> list[float | None]:
    """Return each seat's points as the game counts them; None where the viewer cannot know."""
    scores = game.scores(samples)
    return [
        float(scores[0, seat]) if (scores[:, seat] == scores[0, seat]).all() else None
        for seat in range(game.num_seats)
    ]


def _agreed(scenes: Sequence[Scene]) -> Scene:
    first = scenes[0]
    panels = first.panels
    if all(len(scene.panels) == len(panels) for scene in scenes):
        panels = tuple(
            _agreed([scene.panels[place] for scene in scenes]) for place in range(len(panels))
        )
    return replace(first, shapes=_shapes(scenes), facts=_facts(scenes), panels=panels)


def _facts(scenes: Sequence[Scene]) -> tuple[tuple[str, str], ...]:
    others = [dict(scene.facts) for scene in scenes[1:]]
    return tuple(
        (name, value if all(other.get(name) == value for other in others) else UNKNOWN)
        for name, value in scenes[0].facts
    )


def _shapes(scenes: Sequence[Scene]) -> tuple[Shape, ...]:
    """Return shapes on which all agree; those that differ only in their text keep their place."""
    first = scenes[0].shapes
    others = [scene.shapes for scene in scenes[1:]]
    if all(len(shapes) == len(first) for shapes in others):
        merged = [_shape(group) for group in zip(first, *others, strict=True)]
        return tuple(shape for shape in merged if shape is not None)
    common = set(first).intersection(*map(set, others))
    return tuple(shape for shape in first if shape in common)


def _shape(group: Sequence[Shape]) -> Shape | None:
    first = group[0]
    if all(other == first for other in group[1:]):
        return first
    bare = replace(first, text="", tip="")
    if any(replace(other, text="", tip="") != bare for other in group[1:]):
        return None
    same_text = all(other.text == first.text for other in group)
    return replace(bare, text=first.text if same_text else UNKNOWN)
