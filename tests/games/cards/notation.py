"""The card duel in text."""

from stratagem.core.errors import BadRecord
from stratagem.core.game import Notation
from stratagem.core.seats import CHANCE


def format_action(s, action):
    return f"dealt {action}" if s["seat"] == CHANCE else ("pass", "bet")[action]


def parse_action(s, text):
    if text not in ("pass", "bet"):
        raise BadRecord(f"move {text!r}: write pass or bet")
    return ("pass", "bet").index(text)


def format_state(s):
    bets = " ".join(("-", "pass", "bet")[move] for move in s["moves"])
    return f"cards {s['card'][0]} {s['card'][1]} | {bets}"


NOTATION = Notation(format_action, parse_action, format_state)
