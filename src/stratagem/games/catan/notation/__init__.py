"""Catan as text: short codes that can be parsed, and sentences for people."""

from stratagem.core.game import Notation
from stratagem.games.catan.notation.codes import (
    KIND_NAMES,
    RESOURCE_NAMES,
    TERRAIN_NAMES,
    edge_name,
    format_action,
    format_state,
    parse_action,
)
from stratagem.games.catan.notation.sentences import describe

__all__ = ["KIND_NAMES", "NOTATION", "RESOURCE_NAMES", "TERRAIN_NAMES", "edge_name"]

NOTATION = Notation(format_action, parse_action, format_state, describe)
