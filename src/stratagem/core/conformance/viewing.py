"""Conformance of drawings: shapes, roles with colours, and keys that can be clicked."""

from __future__ import annotations

import difflib
import functools
import json
import math
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from stratagem.core.conformance.failure import NonConformance, require, trying
from stratagem.core.conformance.playing import Played
from stratagem.core.game import Game
from stratagem.core.scene import ANCHORS, KINDS, LAYERS, Scene, Shape

_DRAWN = 30  # positions of each kind


def check_view(game: Game, played: Played) -> None:
    """Every kind of position can be drawn, and what an action touches can be clicked."""
    if game.rules.view is None:
        require(game.rules.touches is None, "`touches` is declared without `view`: declare both")
        return
    for sort in (played.decisions, played.chances, played.endings):
        for state in sort[:_DRAWN]:
            with trying("view"):
                scene = game.rules.view(state)
            require(isinstance(scene, Scene), f"view returned {type(scene).__name__}, not a Scene")
            for part in _parts(scene):
                _check_part(part)
            if state["seat"] >= 0:
                _check_touches(game, state, scene)


def _parts(scene: Scene) -> Iterator[Scene]:
    yield scene
    for panel in scene.panels:
        yield from _parts(panel)


def _check_part(scene: Scene) -> None:
    numbers = [scene.width, scene.height]
    for shape in scene.shapes:
        numbers += [value for point in shape.points for value in point]
        _check_words(shape)
    require(all(map(math.isfinite, numbers)), "view returned a coordinate that is not finite")


def _check_words(shape: Shape) -> None:
    for what, word, known in (
        ("kind", shape.kind, KINDS),
        ("role", shape.role, _roles()),
        ("anchor", shape.anchor, ANCHORS),
        ("layer", shape.layer, LAYERS),
    ):
        if word not in known:  # finding a hint is slow: only when it is needed
            raise NonConformance(f"view: a shape has the {what} {word!r}: {_hint(word, known)}")


def _check_touches(game: Game, state: Any, scene: Scene) -> None:
    if game.rules.touches is None:
        return
    seat = int(state["seat"])
    keys = scene.for_seat(seat).keys()
    for action in game.legal_actions(state):
        with trying(f"touches({action})"):
            touched = game.rules.touches(state, action)
        require(
            isinstance(touched, tuple),
            f"touches({action}) returned {touched!r}: return a tuple of keys, ('cell:1,2',) or ()",
        )
        aimed = game.rules.aims(state, action) if game.rules.aims else ()
        require(
            set(aimed) <= set(touched),
            f"aims({action}) gave {aimed!r}: name keys that touches({action}) names too",
        )
        for key in touched:
            if key not in keys:
                raise NonConformance(
                    f"touches({action}) names {key!r}, but view draws no shape with that key that "
                    f"seat {seat} can see: {_hint(key, keys)}"
                )


@functools.cache
def _roles() -> frozenset[str]:
    """Read the role names of the palette, which belongs to another subpackage."""
    palette = (files("stratagem") / "evaluate" / "palette.json").read_text()
    return frozenset(json.loads(palette)["roles"])


def _hint(word: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.4)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names[:8])}, …"
