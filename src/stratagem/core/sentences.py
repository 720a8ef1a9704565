"""Sentences about events, written once by a game and worded for each reader.

A game's `describe` marks verbs and seats with braces, and the wording depends on the reader:

    "{build} a road from 12 to 13"    in a list of actions: "Build a road from 12 to 13"
                                      about player 2: "Player 2 builds a road from 12 to 13"
                                      about the reader: "You build a road from 12 to 13"
    "The dice show 8: {0} {get} 2 wheat, {1} {get} 1 ore"
                                      "The dice show 8: you get 2 wheat, Player 2 gets 1 ore"

A verb right after a seat belongs to that seat, every other verb to the seat that decides. If a
sentence begins with a verb, that seat becomes its subject; otherwise it is left as written.
`{1's}` is the possessive of a seat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 320  # characters of a sentence

_MARK = re.compile(r"\{(?:(?P<seat>\d+)(?P<of>'s)?\}(?: \{(?P<does>[a-z]+)\})?|(?P<verb>[a-z]+)\})")
_IRREGULAR = {"have": "has", "be": "is", "do": "does", "go": "goes"}
_HISSING = ("s", "sh", "ch", "x", "z")


@dataclass(frozen=True)
class Reader:
    """Who reads: the names of all seats, and the seat that is `you`, if any."""

    names: tuple[str, ...]
    you: int | None = None

    @classmethod
    def of(cls, seats: int, you: int | None = None) -> Reader:
        """Return a reader to whom seats are players, counted from one."""
        return cls(tuple(f"Player {seat + 1}" for seat in range(seats)), you)

    def name(self, seat: int) -> str:
        return "you" if seat == self.you else self.names[seat]

    def possessive(self, seat: int) -> str:
        return "your" if seat == self.you else f"{self.names[seat]}'s"

    def verb(self, seat: int, verb: str) -> str:
        return verb if seat == self.you else third_person(verb)


def as_choice(text: str, reader: Reader) -> str:
    """Word a sentence as something that the reader may choose to do."""

    def word(found: re.Match[str]) -> str:
        return found["verb"] or _seat(found, reader)

    return _capital(_MARK.sub(word, text))


def as_event(text: str, seat: int, reader: Reader) -> str:
    """Word a sentence as something that happened; `seat` decided it (negative: chance did)."""

    def word(found: re.Match[str]) -> str:
        if found["verb"] is None:
            return _seat(found, reader)
        return reader.verb(seat, found["verb"]) if seat >= 0 else third_person(found["verb"])

    first = _MARK.match(text)
    has_no_subject = first is not None and first["verb"] is not None and seat >= 0
    spoken = _MARK.sub(word, text)
    return _capital(f"{reader.name(seat)} {spoken}" if has_no_subject else spoken)


def third_person(verb: str) -> str:
    """Return the third person of a verb: build, builds; pass, passes; carry, carries."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(_HISSING):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def with_article(thing: str) -> str:
    """`a road`, `an ore harbour`."""
    return f"{'an' if thing[:1].lower() in 'aeiou' else 'a'} {thing}"


def counted(number: int, thing: str, plural: str = "") -> str:
    """`1 coin`, `2 coins`."""
    return f"{number} {thing}" if number == 1 else f"{number} {plural or thing + 's'}"


def joined(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([*filter(None, [", ".join(parts[:-1])]), *parts[-1:]])


def _seat(found: re.Match[str], reader: Reader) -> str:
    seat = int(found["seat"])
    name = reader.possessive(seat) if found["of"] else reader.name(seat)
    return f"{name} {reader.verb(seat, found['does'])}" if found["does"] else name


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
