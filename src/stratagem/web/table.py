"""Who plays which seat in a game between people on different devices.

Each person is identified by a random cookie, of which only a hash is stored. Anyone who opens the
invitation may take a free seat; everybody else watches, and sees only what every player knows.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.files import PRIVATE, write_atomically
from stratagem.core.knowledge import OUTSIDER
from stratagem.core.reading import read_json
from stratagem.core.session import HUMAN, GameSession, SessionSetup
from stratagem.web.problems import Conflict, Refusal
from stratagem.web.saved import seats_of
from stratagem.web.schema import SeatInfo, TableInfo

LONGEST_NAME = 24

_COOKIE_TEXT = re.compile(r"[A-Za-z0-9_-]{32}")


def new_person() -> str:
    """Create a cookie that distinguishes one person from all others."""
    return secrets.token_urlsafe(24)


def is_person(cookie: str) -> bool:
    """Whether this could be one of our cookies."""
    return _COOKIE_TEXT.fullmatch(cookie) is not None


@dataclass(frozen=True)
class Place:
    """A seat that a person has taken."""

    person: str  # hash of the cookie
    name: str


class Table:
    """The seats of one session that people on several devices have taken."""

    def __init__(self, file: Path, invitation: str, places: dict[int, Place]) -> None:
        self._file = file
        self._invitation = invitation
        self._places = places
        self._rematch: str | None = None

    @classmethod
    def create(cls, file: Path, person: str, seats: Sequence[int], name: str) -> Table:
        """Create a table at which one person has taken these seats; the others are free."""
        place = Place(_hash(person), _tidy(name))
        table = cls(file, secrets.token_urlsafe(12), dict.fromkeys(seats, place))
        table._write()
        return table

    @classmethod
    def read(cls, file: Path) -> Table | None:
        """Read the table of a session; None if everybody plays on one screen."""
        try:
            values = read_json(file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise BadRecord(f"{file.name}: damaged ({error}): delete the game") from None
        try:
            places = {
                int(seat): Place(_text(place["person"]), _text(place["name"]))
                for seat, place in values["places"].items()
            }
            table = cls(file, _text(values["invitation"]), places)
            table._rematch = _text(values["rematch"]) if "rematch" in values else None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadRecord(f"{file.name}: damaged ({error}): delete the game") from None
        return table

    def seats_of(self, person: str) -> frozenset[int]:
        """Return the seats that this person has taken; none: a spectator."""
        if not person:
            return frozenset()
        known = _hash(person)
        return frozenset(
            s for s, place in self._places.items() if compare_digest(place.person, known)
        )

    def join(self, person: str, invitation: str, name: str, people: Sequence[int]) -> None:
        """Take the first free seat; people who already have a seat keep it."""
        if not compare_digest(invitation.encode(), self._invitation.encode()):
            raise Refusal("this invitation is not valid: ask for the link again")
        if self.seats_of(person):
            return
        free = self.free(people)
        if not free:
            raise Conflict("all seats are taken: you can watch")
        self._places[free[0]] = Place(_hash(person), _tidy(name))
        self._write()

    def free(self, people: Sequence[int]) -> list[int]:
        return [seat for seat in people if seat not in self._places]

    def moved(self, file: Path, by: int, seats: int) -> Table:
        """Return a new table with the same people, everybody some seats further."""
        places = {(seat + by) % seats: place for seat, place in self._places.items()}
        table = Table(file, secrets.token_urlsafe(12), places)
        table._write()
        return table

    def note_rematch(self, session: str) -> None:
        """Tell everybody at this table where the next game is."""
        self._rematch = session
        self._write()

    @property
    def rematch(self) -> str | None:
        return self._rematch

    def title(self, seat: int) -> str:
        """Return the name of a player on another device."""
        place = self._places.get(seat)
        return (place.name or "Friend") if place else "Open seat"

    def info(self, people: Sequence[int], own: frozenset[int], session: str, key: str) -> TableInfo:
        """Return what the page needs; only people at the table may invite others."""
        query = f"invite={self._invitation}" + (f"&token={key}" if key else "")
        free = self.free(people)
        path = f"/join/{session}?{query}" if own and free else None
        return TableInfo(own=sorted(own), free=free, invitation=path, rematch=self._rematch)

    def _write(self) -> None:
        places = {
            str(seat): {"person": place.person, "name": place.name}
            for seat, place in self._places.items()
        }
        values: dict[str, Any] = {"invitation": self._invitation, "places": places}
        if self._rematch:
            values["rematch"] = self._rematch
        write_atomically(self._file, json.dumps(values), PRIVATE)


@dataclass(frozen=True)
class View:
    """Whose view somebody has of a session, and for whom they decide."""

    viewer: int | None  # the seat whose knowledge is shown; OUTSIDER; None: everything
    seats: frozenset[int]
    table: Table | None = None

    @classmethod
    def of(cls, session: GameSession, table: Table | None, person: str) -> View:
        """Return what this person may see and do now."""
        if table is None:  # everybody plays on one screen
            return cls(session.viewer, frozenset(session.humans))
        own = table.seats_of(person)
        viewer = session.viewer
        if viewer is not None and viewer not in own:
            viewer = min(own, default=OUTSIDER)
        return cls(viewer, own, table)

    def acts(self, session: GameSession) -> bool:
        """Whether this person decides now."""
        return session.waits_for_human and session.seat in self.seats

    def takes_back(self, session: GameSession) -> bool:
        """Whether this person may take back; in games with others, only within their own turn."""
        if self.table is not None:
            last = session.last_decision()
            if last is None or not {session.seat, session.events[last].seat} <= self.seats:
                return False
        return session.can_take_back()

    def seat_infos(self, setup: SessionSetup) -> list[SeatInfo]:
        """Return who plays which seat, with the names that this person sees."""
        if self.table is None or setup.is_record:
            return seats_of(setup)
        people = {seat for seat, agent in enumerate(setup.agents) if agent == HUMAN}
        return seats_of(setup, {seat: self.table.title(seat) for seat in people - self.seats})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:40]!r} is not text")
    return value


def _hash(person: str) -> str:
    return hashlib.sha256(person.encode()).hexdigest()


def _tidy(name: str) -> str:
    """Put a name on one line, without unprintable characters."""
    printable = "".join(letter for letter in name if letter.isprintable())
    return " ".join(printable.split())[:LONGEST_NAME]
