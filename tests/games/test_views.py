"""Drawings of all games: what actions touch is there, texts have room, nothing hidden is shown."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
import pytest

from games.drawings import (
    Box,
    box_of,
    choices,
    is_within,
    overlap,
    parts,
    pieces,
    positions,
    text_box,
)
from stratagem.core.game import Game, as_batch
from stratagem.core.registry import load_game
from stratagem.core.scene import ANCHORS, EVERYBODY, KINDS, LAYERS, Scene, Shape
from stratagem.core.seeding import derive_seeds
from stratagem.evaluate.drawing.palette import ROLES

GAMES = [
    "connect_four", "battlefield", "battlefield/squad", "hexwar", "hexwar/breakthrough",
    "hexwar/randomized", "catan", "catan/official?players=4", "hispania", "hispania/duel8",
    "hispania/iberus20", "hispania/reconquista55", "terra_mystica", "terra_mystica/5p",
    "terra_mystica/4p?conversions=explicit&factions=choose",
]  # fmt: skip
STRIDE = {"catan": 11, "hispania": 23, "terra_mystica": 7, "hexwar": 5}  # events between drawings
MOST = 16  # drawings of one game


@cache
def drawings(spec: str, seed: int = 5) -> list[tuple[Game, Any, Scene]]:
    """Positions of a random game, each with its drawing."""
    game = load_game(spec)
    states = positions(game, seed, MOST, STRIDE.get(game.name, 1))
    return [(game, state, game.rules.view(state)) for state in states]


@pytest.mark.parametrize("spec", GAMES)
def test_every_action_touches_shapes_that_its_seat_sees(spec: str) -> None:
    touched = 0
    for game, state, scene in drawings(spec):
        if state["seat"] < EVERYBODY:
            continue
        keys = scene.for_seat(int(state["seat"])).keys()
        for action in choices(game, state):
            found = game.rules.touches(state, action)
            assert isinstance(found, tuple)
            missing = set(found) - keys
            assert not missing, game.rules.notation.format_action(state, action)
            touched += len(found)
    assert touched > 20


@pytest.mark.parametrize("spec", GAMES)
def test_scenes_are_plain_and_within_bounds(spec: str) -> None:
    for _, _, scene in drawings(spec):
        read = json.loads(json.dumps(scene.as_json()))
        assert len(read["shapes"]) == len(scene.shapes)
        assert len(read["panels"]) == len(scene.panels)
        for part in parts(scene):
            for shape in part.shapes:
                _check_shape(shape, part)


def _check_shape(shape: Shape, scene: Scene) -> None:
    assert shape.kind in KINDS and shape.anchor in ANCHORS and shape.layer in LAYERS
    assert shape.role in ROLES, shape.role
    assert all(isfinite(value) for point in shape.points for value in point)
    assert len(shape.points) == 1 or shape.kind in ("polygon", "line")
    assert (shape.radius > 0) == (shape.kind == "disc")
    assert shape.size > 0 or not shape.text
    sheet = (0.0, 0.0, scene.width, scene.height)
    assert is_within(box_of(shape), sheet), shape
    if shape.text:
        assert is_within(text_box(shape), sheet, slack=0.05), (shape.text, scene.title)


@pytest.mark.parametrize("spec", GAMES)
def test_texts_fit_into_their_shapes(spec: str) -> None:
    for _, _, scene in drawings(spec):
        for part in parts(scene):
            for shape in part.shapes:
                if shape.text and shape.kind in ("polygon", "disc"):
                    assert is_within(text_box(shape), box_of(shape), slack=0.03), shape.text


@pytest.mark.parametrize("spec", GAMES)
def test_texts_of_panels_do_not_meet(spec: str) -> None:
    for _, _, scene in drawings(spec):
        for panel in scene.panels:
            texts = [(shape.text, text_box(shape)) for shape in panel.shapes if shape.text]
            for place, (text, box) in enumerate(texts):
                for other, other_box in texts[:place]:
                    assert not overlap(box, other_box, slack=0.03), (panel.title, text, other)


@pytest.mark.parametrize("spec", [spec for spec in GAMES if not spec.startswith("hexwar")])
def test_pieces_keep_apart(spec: str) -> None:
    """Each thing on the board has a place of its own; hexwar's stacks are tested beside it."""
    for _, _, scene in drawings(spec):
        boxes = list(pieces(scene).items())
        for place, (key, box) in enumerate(boxes):
            for other, other_box in boxes[:place]:
                allowed = {key.split(":")[0], other.split(":")[0]} & _LINES
                assert allowed or not overlap(box, other_box, slack=0.02), (key, other)


_LINES = {"edge", "bridge"}  # roads and bridges end where buildings stand


@pytest.mark.parametrize("spec", ["hexwar", "hexwar/breakthrough"])
def test_counters_stay_inside_their_hex(spec: str) -> None:
    for _, state, scene in drawings(spec):
        hexes: dict[str, Box] = {}
        for shape in scene.shapes:
            if shape.key.startswith("cell:"):
                hexes.setdefault(shape.key, box_of(shape))  # the ground is drawn first
        for key, box in pieces(scene).items():
            row, column = divmod(int(state["cell"][int(key.removeprefix("unit:"))]),
                                 int(state["width"]))  # fmt: skip
            assert is_within(box, hexes[f"cell:{row},{column}"]), key


@pytest.mark.parametrize("spec", ["catan", "catan/official?players=4", "catan/thesis"])
def test_nobody_sees_what_is_hidden(spec: str) -> None:
    """A seat's drawing is the same whatever the others hold, and in truth."""
    secrets = 0
    for game, state, scene in drawings(spec):
        for seat in range(game.num_seats):
            seen = scene.for_seat(seat)
            for seed in derive_seeds(seat, "guesses", count=3):
                seats, seeds = np.array([seat], np.int8), np.array([seed], np.uint64)
                guess = game.hidden_from(as_batch(state), seats, seeds)[0]
                secrets += guess.tobytes() != state.tobytes()
                assert game.rules.view(guess).for_seat(seat) == seen
                everybody = game.rules.view(guess).for_seat(EVERYBODY)
                assert everybody == scene.for_seat(EVERYBODY)
    assert secrets > 0


def test_own_cards_are_shown_to_their_owner_only() -> None:
    assert _cards_seen("catan/official?players=3", 0) == {("hand", "0"): 5, ("card", "0"): 5}
    # With two players hands are open.
    assert _cards_seen("catan", 1) == {("hand", "0"): 5, ("hand", "1"): 5, ("card", "1"): 5}
    assert _cards_seen("catan", EVERYBODY) == {("hand", "0"): 5, ("hand", "1"): 5}


def _cards_seen(spec: str, seat: int) -> Counter[tuple[str, str]]:
    """How many sorts of cards of whom are shown, as (what, owner)."""
    game = load_game(spec)
    keys = game.rules.view(game.new_state(1)).for_seat(seat).keys()
    return Counter((key.split(":")[0], key.split(":")[1][0]) for key in keys
                   if key.startswith(("hand:", "card:")))  # fmt: skip


def test_a_drawing_changes_nothing() -> None:
    for spec in GAMES:
        game = load_game(spec)
        state = game.new_state(2)
        before = state.tobytes()
        assert game.rules.view(state) == game.rules.view(state)
        assert state.tobytes() == before
