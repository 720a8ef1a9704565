"""Sizes and slices of observations and actions."""

import pytest

from stratagem.core.registry import load_game
from stratagem.core.specs import ActionGroup, ActionSpec, ObservationSlice, ObservationSpec

BOARD = ObservationSlice("board", (3, 4, 5), "planes")
EXTRA = ObservationSlice("extra", (7,), "vector")


def test_slices_lie_one_after_another():
    spec = ObservationSpec((BOARD, EXTRA))
    assert (BOARD.size, EXTRA.size, spec.size) == (60, 7, 67)
    assert spec.bounds(BOARD) == (0, 60)
    assert spec.bounds(EXTRA) == (60, 67)


def test_slices_are_found_by_kind():
    spec = ObservationSpec((EXTRA, BOARD))
    assert spec.of_kind("planes") == BOARD
    assert spec.of_kind("tokens") is None
    with pytest.raises(ValueError, match="other is not a slice"):
        spec.bounds(ObservationSlice("other", (2,), "vector"))


def test_specs_are_values():
    assert ActionSpec(81) == ActionSpec(81, ())
    assert hash(ObservationSpec((BOARD,))) == hash(ObservationSpec((BOARD,)))
    assert ActionGroup("move", 0, 9) != ActionGroup("move", 0, 8)


def test_a_game_binds_them_to_its_scenario():
    wide = load_game("connect_four/default?rows=5&columns=8")
    assert wide.actions == ActionSpec(8)
    assert wide.observer().spec.slices[0].shape == (3, 5, 8)
