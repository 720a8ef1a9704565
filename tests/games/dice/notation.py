"""The dice duel in text."""

from stratagem.core.errors import BadRecord
from stratagem.core.game import Notation
from stratagem.core.seats import CHANCE


def format_action(s, action):
    return f"rolled {action + 1}" if s["seat"] == CHANCE else ("keep", "again")[action]


def parse_action(s, text):
    if text not in ("keep", "again"):
        raise BadRecord(f"move {text!r}: write keep or again")
    return ("keep", "again").index(text)


def format_state(s):
    kept = " ".join(str(value) if value else "-" for value in s["kept"][: s["seats"]])
    return f"kept {kept} | seat {s['mover']} shows {s['roll']}, rolled again {s['used']}"


NOTATION = Notation(format_action, parse_action, format_state)
