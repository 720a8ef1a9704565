"""Battlefield as text: short codes that can be parsed, and sentences for people."""

from stratagem.core.game import Notation
from stratagem.games.battlefield.notation.codes import (
    digits,
    format_action,
    format_state,
    parse_action,
)
from stratagem.games.battlefield.notation.sentences import describe

__all__ = ["NOTATION", "digits"]

NOTATION = Notation(format_action, parse_action, format_state, describe)
