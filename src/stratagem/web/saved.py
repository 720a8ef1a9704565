"""A session on disk: its header, how to open it again, and its line in the list of sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from stratagem.core.errors import BadRecord
from stratagem.core.game import Game
from stratagem.core.journal import Ended, Journal, Resigned, TakenBack
from stratagem.core.scenario import explain
from stratagem.core.session import HUMAN, GameSession, SessionSetup
from stratagem.web.names import player_title
from stratagem.web.problems import Conflict
from stratagem.web.schema import SLOWEST, SeatInfo, SessionSummary, Status


@dataclass(frozen=True)
class SessionHeader:
    """How a session was set up, and what the list shows about it; it never changes."""

    id: str
    title: str
    created: str
    setup: SessionSetup
    pace_ms: int = 600

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def parse(cls, values: dict[str, Any], file: Path) -> SessionHeader:
        try:
            header = _HEADER.validate_python(values)
            header._check()
        except ValidationError as error:
            raise _damaged(file, explain(error)) from None
        except ValueError as error:
            raise _damaged(file, str(error)) from None
        return header

    def _check(self) -> None:
        setup = self.setup
        if setup.seed < 0 or not 0 <= setup.setup_seed < 2**64 or not 0 <= self.pace_ms <= SLOWEST:
            raise ValueError("a number is out of range")


# Checked like client input: one wrong type would break the list of all sessions.
_HEADER = TypeAdapter(SessionHeader)


def _damaged(file: Path, reason: str) -> BadRecord:
    return BadRecord(f"session {file.name}: damaged first line ({reason}): delete the file")


def open_session(file: Path, load: Callable[[str], Game]) -> tuple[SessionHeader, GameSession]:
    """Open the session stored in this file."""
    journal = Journal(file)
    values, changes = journal.read()
    header = SessionHeader.parse(values, file)
    game = load(header.setup.game)
    if game.version != header.setup.version:
        raise Conflict(
            f"this game was played with {game.name} version {header.setup.version}, but "
            f"this is version {game.version}: it cannot be continued"
        )
    return header, GameSession(game, header.setup, journal, changes)


def summarise(file: Path, changed: str) -> SessionSummary:
    """Return a line for the list of sessions, from the file alone, without loading rules."""
    values, changes = Journal(file).read()
    header = SessionHeader.parse(values, file)
    plies, result, resigned = 0, "", False
    for change in changes:
        match change:
            case TakenBack(ply):
                plies, result = ply, ""
            case Resigned(_, text):
                result, resigned = text, True
            case Ended(text):
                result = text
            case _:
                plies, result = plies + 1, ""
    status: Status = "over" if result or resigned else "running"
    return SessionSummary(
        id=header.id,
        game=header.setup.game,
        title=header.title,
        seats=seats_of(header.setup),
        plies=plies,
        status="record" if header.setup.is_record else status,
        result=result,
        created=header.created,
        changed=changed,
    )


def seats_of(setup: SessionSetup, elsewhere: Mapping[int, str] | None = None) -> list[SeatInfo]:
    """Return who plays which seat; `elsewhere` has the names of people on other devices."""
    others = elsewhere or {}
    here = sum(agent == HUMAN for agent in setup.agents) - len(others)
    answers = []
    for seat, agent in enumerate(setup.agents):
        kind: Literal["human", "remote", "agent", "recorded"] = "agent"
        title = agent if setup.is_record else player_title(agent)
        if setup.is_record:
            kind = "recorded"
        elif seat in others:
            kind, title = "remote", others[seat]
        elif agent == HUMAN:
            kind, title = "human", "You" if here == 1 else "Person"
        answers.append(SeatInfo(seat=seat, kind=kind, agent=agent, title=title))
    return answers
