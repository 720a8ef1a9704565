"""Observation layouts that the network tests share."""

from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec

PLANES = ObservationSlice("board", (5, 4, 3), "planes")
FACTS = ObservationSlice("facts", (6,), "vector")
MOVES = ObservationSlice("moves", (9, 3), "actions")  # last feature: legal

BOARD = ObservationSpec((PLANES,))
BOARD_AND_FACTS = ObservationSpec((FACTS, PLANES))
FULL = ObservationSpec((PLANES, FACTS, MOVES))
ACTIONS = ActionSpec(9)


def hex_specs(height, width, channels=5, planes=2):
    """(observation, actions) of planes over a board, actions laid out over it too."""
    board = ObservationSlice("board", (channels, height, width), "planes")
    return (
        ObservationSpec((board,)),
        ActionSpec(planes * height * width, (planes, height, width)),
    )
