"""Every session of this server: created, found, listed, closed and deleted.

Sessions are files in the data folder; those in use are open in memory. A session is identified by
twelve hexadecimal digits, and nothing else becomes part of a file name.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from stratagem.core.errors import BadRecord, StratagemError
from stratagem.core.game import Game
from stratagem.core.journal import Change, Ended, Journal
from stratagem.core.record import GameRecord, replay
from stratagem.core.registry import load_game
from stratagem.core.session import GameSession, SessionSetup, result_text
from stratagem.web.analyst import Analyst
from stratagem.web.dates import as_date
from stratagem.web.live_session import LiveSession
from stratagem.web.notes import Notes
from stratagem.web.people import People
from stratagem.web.pool import Pool
from stratagem.web.problems import NotFound, Refusal, TooMany
from stratagem.web.review import Review
from stratagem.web.runs import Runs
from stratagem.web.saved import SessionHeader, open_session, summarise
from stratagem.web.schema import LARGEST_EXACT, SessionSummary
from stratagem.web.settings import SESSIONS, ServerSettings
from stratagem.web.table import Table

_ID = re.compile(r"[0-9a-f]{12}")
_FILES = "*.session.jsonl"
_LONGEST_NAME = 200  # characters of an agent's name that are kept from an uploaded record
_VIEWED = 40  # self-play games that are kept after viewing


@dataclass(frozen=True)
class _Open:
    live: LiveSession
    review: Review

    async def close(self) -> None:
        """Stop everything; the files keep everything."""
        await self.review.close()
        self.review.analyst.close()
        await self.live.close()


class SessionStore:
    """The sessions of one data folder."""

    def __init__(self, settings: ServerSettings, pool: Pool, runs: Runs, people: People) -> None:
        self._settings = settings
        self._pool = pool
        self._runs = runs
        self._people = people
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._loading: dict[str, asyncio.Task[_Open]] = {}
        self._summaries: dict[Path, tuple[float, SessionSummary]] = {}
        self._folder = settings.data / SESSIONS
        self._viewed = settings.data / "viewed"

    @property
    def count(self) -> int:
        return sum(1 for _ in self._folder.glob(_FILES))

    # -- creating ----------------------------------------------------------------------------

    async def create(
        self,
        game: Game,
        agents: list[str],
        seed: int | None,
        *,
        serious: bool = False,
        pace_ms: int = 400,
        seat: Callable[[Path], Table] | None = None,
    ) -> LiveSession:
        """Create a game; `seat` writes the file of seats, if people play on other devices."""
        setup = SessionSetup.new(game, agents, _drawn(seed), serious=serious or seat is not None)
        return await self._add(game, setup, pace_ms=pace_ms, seat=seat)

    async def branch(
        self, origin: LiveSession, ply: int, agents: list[str], seed: int | None
    ) -> LiveSession:
        """Create a game that continues from a position of another session."""
        game, before = origin.session.game, origin.session
        setup = replace(
            SessionSetup.new(game, agents, _drawn(seed)),
            setup_seed=before.setup.setup_seed,
            extra={"branch_of": origin.header.id, "branch_ply": ply},
        )
        return await self._add(game, setup, before.events[:ply])

    async def show(self, record: GameRecord, source: str = "") -> LiveSession:
        """Open a session for viewing a recorded game.

        `source` names a self-play game of a run: the same one is opened only once, and the least
        recently viewed ones are deleted.
        """
        game = await asyncio.to_thread(self.load_game, record.game)
        if len(record.agents) != game.num_seats:
            raise Refusal(
                f"the record names {len(record.agents)} agents for {game.num_seats} seats"
            )
        await asyncio.to_thread(replay, record, game)  # refuses records that do not replay
        name = hashlib.sha256(source.encode()).hexdigest()[:12] if source else ""
        if source and self._file(name, viewed=True).is_file():
            return await self.find(name)
        if source:
            await asyncio.to_thread(self._delete_viewed)
        agents = tuple(agent[:_LONGEST_NAME] for agent in record.agents)
        setup = replace(SessionSetup.of_record(record), agents=agents)
        changes: list[Change] = list(record.events)
        if record.returns:
            changes.append(Ended(result_text(record.returns, None)))
        return await self._add(game, setup, changes, viewed=name)

    async def _add(
        self,
        game: Game,
        setup: SessionSetup,
        changes: Sequence[Change] = (),
        pace_ms: int = 400,
        viewed: str = "",
        seat: Callable[[Path], Table] | None = None,
    ) -> LiveSession:
        limit = self._settings.limits.sessions
        if not viewed and self.count >= limit:
            raise TooMany(
                f"this server stores at most {limit} games: delete one that you do not need"
            )
        name = viewed or secrets.token_hex(6)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        header = SessionHeader(name, game.title, created, setup, pace_ms)
        journal = Journal(self._file(name, viewed=bool(viewed)))
        if seat is not None:  # before the game, so that it is never open to everybody
            self._folder.mkdir(parents=True, exist_ok=True)
            await asyncio.to_thread(seat, _table_file(journal.file))
        await asyncio.to_thread(journal.create, header.as_json(), changes)
        return await self.find(name)

    # -- finding -----------------------------------------------------------------------------

    async def find(self, name: str) -> LiveSession:
        """Return the open session of this name, opening it from disk if necessary."""
        return (await self._find(name)).live

    async def review(self, name: str) -> Review:
        """Return the review of a session, which contains its analyst."""
        return (await self._find(name)).review

    async def delete(self, name: str) -> None:
        opened = await self._find(name)
        self._open.pop(name, None)
        await opened.close()
        for viewed in (False, True):
            file = self._file(name, viewed=viewed)
            file.unlink(missing_ok=True)
            _notes_file(file).unlink(missing_ok=True)
            self._summaries.pop(file, None)
            _table_file(file).unlink(missing_ok=True)

    def summaries(self) -> list[SessionSummary]:
        """List every readable session, most recently changed first. Call this in a thread."""
        files = [file for file, _ in reversed(_by_age(self._folder))]
        return [line for file in files if (line := self._summary(file)) is not None]

    async def close(self) -> None:
        for opened in list(self._open.values()):
            await opened.close()
        self._open.clear()

    @staticmethod
    def load_game(spec: str) -> Game:
        """Load a game from a client's spec; an unknown one is a StratagemError, so a 4xx answer."""
        return load_game(spec)

    # -- inside ------------------------------------------------------------------------------

    def _file(self, name: str, viewed: bool = False) -> Path:
        if not _ID.fullmatch(name):
            raise NotFound(f"no game {name[:40]!r}: a game has twelve hexadecimal digits")
        return (self._viewed if viewed else self._folder) / f"{name}.session.jsonl"

    async def _find(self, name: str) -> _Open:
        if name in self._open:
            self._open.move_to_end(name)
            return self._open[name]
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
        try:
            return await asyncio.shield(self._loading[name])
        finally:
            task = self._loading.get(name)
            if task is not None and task.done():
                self._loading.pop(name, None)

    async def _load(self, name: str) -> _Open:
        files = [self._file(name), self._file(name, viewed=True)]
        file = next((file for file in files if file.is_file()), None)
        if file is None:
            raise NotFound(f"no game {name!r}: it was deleted, or never existed")

        def read() -> tuple[SessionHeader, GameSession, Notes, Table | None]:
            header, session = open_session(file, self.load_game)
            _check_name(header.id, file)
            notes = Notes(session, _notes_file(file))
            if header.setup.is_record:
                notes.take_from_record()
            return header, session, notes, Table.read(_table_file(file))

        header, session, notes, table = await asyncio.to_thread(read)
        limits = self._settings.limits
        live = LiveSession(header, session, notes, self._pool, self._runs, limits, table)
        live.guest_key, live.people = self._settings.token, self._people
        opened = self._open[name] = _Open(live, Review(live, Analyst(live)))
        await self._make_room()
        live.go_on()
        return opened

    async def _make_room(self) -> None:
        """Close the least recently used sessions."""
        idle = [name for name, opened in self._open.items() if opened.live.is_idle]
        surplus = len(self._open) - self._settings.limits.loaded
        for name in idle[: max(0, surplus)]:
            await self._open.pop(name).close()

    def _summary(self, file: Path) -> SessionSummary | None:
        try:
            changed = file.stat().st_mtime
            kept = self._summaries.get(file)
            if kept is None or kept[0] != changed:
                kept = changed, summarise(file, as_date(changed))
                _check_name(kept[1].id, file)
                self._summaries[file] = kept
        except (StratagemError, OSError):
            return None  # damaged, or deleted just now
        return kept[1]

    def _delete_viewed(self) -> None:
        files = [file for file, _ in _by_age(self._viewed)]
        for file in files[: max(0, len(files) - _VIEWED)]:
            if file.name.partition(".")[0] not in self._open:
                file.unlink(missing_ok=True)
                _notes_file(file).unlink(missing_ok=True)


def _check_name(identity: str, file: Path) -> None:
    """Refuse a session whose name differs from its file's: nobody could open it."""
    if identity != file.name.partition(".")[0]:
        raise BadRecord(f"session {file.name}: damaged first line (another name): delete the file")


def _by_age(folder: Path) -> list[tuple[Path, float]]:
    """Return the sessions of a folder and when they changed, oldest first.

    Sessions deleted meanwhile are left out.
    """
    found = []
    for file in folder.glob(_FILES):
        with suppress(OSError):
            found.append((file, file.stat().st_mtime))
    return sorted(found, key=lambda pair: pair[1])


def _notes_file(file: Path) -> Path:
    return file.with_name(file.name.replace(".session.", ".notes."))


def _table_file(file: Path) -> Path:
    return file.with_name(file.name.replace(".session.jsonl", ".table.json"))


def _drawn(seed: int | None) -> int:
    return secrets.randbelow(LARGEST_EXACT) if seed is None else seed
