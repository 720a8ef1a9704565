"""Hispania as text: short codes that can be parsed, and sentences for people."""

from stratagem.core.game import Notation
from stratagem.games.hispania.notation.codes import format_action, format_state, parse_action
from stratagem.games.hispania.notation.sentences import describe

NOTATION = Notation(format_action, parse_action, format_state, describe)
