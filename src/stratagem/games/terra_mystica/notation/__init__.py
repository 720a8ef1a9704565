"""Terra Mystica as text: the ledger's commands, which can be parsed, and sentences for people."""

from stratagem.core.game import Notation
from stratagem.games.terra_mystica.notation.codes import format_action, format_state, parse_action
from stratagem.games.terra_mystica.notation.sentences import describe

NOTATION = Notation(format_action, parse_action, format_state, describe)
