"""Every table of this server: created, found, listed, closed and forgotten.

Tables live as files in the data folder; those that somebody uses are open in memory. A table is
known by twelve hexadecimal digits, and nothing else becomes part of a file's name.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.record import GameRecord, replay
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.web.analyst import Analyst
from stratagem.web.journal import Journal, Line, TableHeader
from stratagem.web.notes import Notes
from stratagem.web.pool import Pool
from stratagem.web.problems import Conflict, NotFound, Refusal, TooMany
from stratagem.web.review import Review
from stratagem.web.runs import Runs
from stratagem.web.schema import LARGEST_EXACT, TableSummary
from stratagem.web.session import Session
from stratagem.web.settings import ServerSettings
from stratagem.web.summary import table_summary
from stratagem.web.table import Table, record_lines, title_of

_ID = re.compile(r"[0-9a-f]{12}")
_LOOKED_AT = 40  # self-play games that are kept after somebody has looked at them


@dataclass(frozen=True)
class OpenTable:
    """A table in memory, and whoever analyses it."""

    session: Session
    analyst: Analyst
    review: Review

    @classmethod
    def of(cls, session: Session) -> OpenTable:
        analyst = Analyst(session)
        return cls(session, analyst, Review(session, analyst))

    async def close(self) -> None:
        """End all that goes on; the files keep everything."""
        await self.review.close()
        self.analyst.close()
        await self.session.close()


class Tables:
    """The tables of one data folder."""

    def __init__(self, settings: ServerSettings, pool: Pool, runs: Runs) -> None:
        self._settings = settings
        self._pool = pool
        self._runs = runs
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[OpenTable]] = {}
        self._summaries: dict[Path, tuple[float, TableSummary]] = {}
        self._folder = settings.data / "tables"
        self._visited = settings.data / "looked-at"

    @property
    def count(self) -> int:
        return sum(1 for _ in self._folder.glob("*.table.jsonl"))

    # -- creating ----------------------------------------------------------------------------

    async def create(
        self,
        game: Game,
        seats: list[str],
        seed: int | None,
        *,
        serious: bool = False,
        pace_ms: int = 400,
        before: Table | None = None,
        ply: int = 0,
    ) -> OpenTable:
        """A new game, or one that goes on from a position of another table."""
        self._check_room()
        root = secrets.randbelow(LARGEST_EXACT) if seed is None else seed
        setup = int(derive_seeds(root, "setup", count=1)[0])
        header = TableHeader(
            id=secrets.token_hex(6),
            game=game.spec,
            version=game.version,
            seed=root,
            title=title_of(game),
            setup_seed=setup if before is None else before.header.setup_seed,
            seats=tuple(seats),
            created=_now(),
            serious=serious,
            pace_ms=pace_ms,
            extra={} if before is None else {"branch_of": before.header.id, "branch_ply": ply},
        )
        lines = [] if before is None else record_lines(before.events[:ply])
        await asyncio.to_thread(self._write, self._file(header.id), header, lines)
        return await self.find(header.id)

    async def show(self, record: GameRecord, source: str = "") -> OpenTable:
        """A table on which a recorded game is looked at.

        `source` names a self-play game of a run: the same one is opened only once, and the tables
        that were looked at longest ago are forgotten.
        """
        game = await asyncio.to_thread(self.load_game, record.game)
        if len(record.agents) != game.num_seats:
            raise Refusal(
                f"the record names {len(record.agents)} agents for {game.num_seats} seats"
            )
        await asyncio.to_thread(replay, record, game)  # refuses what does not replay
        name = hashlib.sha256(source.encode()).hexdigest()[:12] if source else secrets.token_hex(6)
        file = self._file(name, visited=bool(source))
        if source and file.is_file():
            return await self.find(name)
        if source:
            await asyncio.to_thread(self._forget_visited)
        else:
            self._check_room()
        extra = dict(record.extra)
        seed = extra.pop("seed", None)
        header = TableHeader(
            id=name,
            game=record.game,
            version=record.version,
            seed=seed if isinstance(seed, int) and 0 <= seed <= LARGEST_EXACT else 0,
            title=title_of(game),
            setup_seed=record.setup_seed,
            seats=tuple(agent[:200] for agent in record.agents),
            created=_now(),
            is_record=True,
            extra=extra,
        )
        await asyncio.to_thread(
            self._write, file, header, record_lines(record.events, record.returns)
        )
        opened = await self.find(name)
        await asyncio.to_thread(opened.session.notes.take_from_record)
        return opened

    # -- finding -----------------------------------------------------------------------------

    async def find(self, name: str) -> OpenTable:
        """The open table of this name; opened now if it lies on disk."""
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

    async def delete(self, name: str) -> None:
        opened = await self.find(name)
        self._open.pop(name, None)
        await opened.close()
        for visited in (False, True):
            file = self._file(name, visited=visited)
            file.unlink(missing_ok=True)
            _notes_file(file).unlink(missing_ok=True)

    def summaries(self) -> list[TableSummary]:
        """Every table that can be read, the one that changed last first. Call it in a thread."""
        files = sorted(
            self._folder.glob("*.table.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True
        )
        return [line for file in files if (line := self._summary(file)) is not None]

    async def close(self) -> None:
        for opened in list(self._open.values()):
            await opened.close()
        self._open.clear()

    @staticmethod
    def load_game(spec: str) -> Game:
        """A game by the client's spec; an unknown one is a StratagemError, hence a 4xx."""
        return load_game(spec)

    # -- inside ------------------------------------------------------------------------------

    def _file(self, name: str, visited: bool = False) -> Path:
        if not _ID.fullmatch(name):
            raise NotFound(f"no table {name[:40]!r}: a table has twelve hexadecimal digits")
        return (self._visited if visited else self._folder) / f"{name}.table.jsonl"

    def _write(self, file: Path, header: TableHeader, lines: list[Line]) -> None:
        journal = Journal(file)
        journal.create(header)
        if lines:
            journal.append(*lines)

    async def _load(self, name: str) -> OpenTable:
        files = [self._file(name), self._file(name, visited=True)]
        file = next((file for file in files if file.is_file()), None)
        if file is None:
            raise NotFound(f"no table {name!r} here: it was deleted, or never existed")

        def read() -> tuple[Table, Notes]:
            table = _open_table(Journal(file), self.load_game)
            return table, Notes(table, _notes_file(file))

        table, notes = await asyncio.to_thread(read)
        if table.header.is_record:
            await asyncio.to_thread(notes.take_from_record)
        session = Session(table, notes, self._pool, self._runs, self._settings.limits)
        opened = OpenTable.of(session)
        self._open[name] = opened
        await self._make_room()
        session.go_on()
        return opened

    async def _make_room(self) -> None:
        """Close the tables that nobody used for longest."""
        idle = [n for n, opened in self._open.items() if opened.session.is_idle]
        surplus = len(self._open) - self._settings.limits.loaded
        for name in idle[: max(0, surplus)]:
            await self._open.pop(name).close()

    def _check_room(self) -> None:
        limit = self._settings.limits.tables
        if self.count >= limit:
            raise TooMany(f"this server keeps at most {limit} tables: delete one you do not need")

    def _summary(self, file: Path) -> TableSummary | None:
        changed = file.stat().st_mtime
        kept = self._summaries.get(file)
        if kept is None or kept[0] != changed:
            told = datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")
            try:
                kept = changed, table_summary(Journal(file), told)
            except (StratagemError, OSError):
                return None  # damaged
            self._summaries[file] = kept
        return kept[1]

    def _forget_visited(self) -> None:
        files = sorted(self._visited.glob("*.table.jsonl"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - _LOOKED_AT)]:
            if file.name.partition(".")[0] not in self._open:
                file.unlink(missing_ok=True)
                _notes_file(file).unlink(missing_ok=True)


def _open_table(journal: Journal, load: Callable[[str], Game]) -> Table:
    header = journal.header()
    game = load(header.game)
    if game.version != header.version:
        raise Conflict(
            f"this game was played with {game.name} version {header.version}, "
            f"this is version {game.version}: it cannot go on"
        )
    return Table.open(game, journal)


def _notes_file(file: Path) -> Path:
    return file.with_name(file.name.replace(".table.", ".notes."))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
