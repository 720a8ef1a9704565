"""A game on disk while it is played: a text file that only grows, so a kill loses nothing.

One JSON object per line. The first line describes the set-up; every other line is an event (as in
a game record) or a change: `take_back`, `resign`; `over` says how the game ended. A line that was
cut off by a kill is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.files import PRIVATE, append_fully, sync_folder, write_fully
from stratagem.core.reading import MEGABYTE, read_regular
from stratagem.core.record import Event, event_line, parse_event

FORMAT = 1
_MOST_BYTES = 32 * MEGABYTE
_MOST_LINES = 200_000  # includes moves that were taken back


@dataclass(frozen=True)
class TakenBack:
    """Everything from this ply on was taken back."""

    ply: int


@dataclass(frozen=True)
class Resigned:
    """A seat resigned."""

    seat: int
    text: str


@dataclass(frozen=True)
class Ended:
    """The game is over; written for readers of the file that do not load the rules."""

    text: str


Change = Event | TakenBack | Resigned | Ended


class Journal:
    """The file of one game."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def create(self, header: Mapping[str, Any], changes: Sequence[Change] = ()) -> None:
        """Write the first lines; the file must not exist yet."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        lines = [{"format": FORMAT, **header}, *map(_as_json, changes)]
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        try:
            write_fully(descriptor, "".join(json.dumps(line) + "\n" for line in lines).encode())
        except BaseException:
            self.file.unlink(missing_ok=True)  # half a file would be listed as a damaged game
            raise
        finally:
            os.close(descriptor)
        sync_folder(self.file.parent)

    def append(self, *changes: Change) -> None:
        """Append changes in one write: after a kill, all of them or the first few are there.

        A file that was deleted is not created again: without its first line nobody could read it.
        """
        append_lines(self.file, [_as_json(change) for change in changes], create=False)

    def header(self) -> dict[str, Any]:
        """Read only the first line."""
        return self._parse_header(self._lines()[0])

    def read(self) -> tuple[dict[str, Any], list[Change]]:
        """Read the header and every change that was written completely."""
        first, *rest = self._lines()
        return self._parse_header(first), list(self._changes(rest))

    def _lines(self) -> list[str]:
        data = read_regular(self.file, _MOST_BYTES)
        if data.count(b"\n") > _MOST_LINES:
            raise BadRecord(f"game {self.file.name}: more than {_MOST_LINES:,} lines: delete it")
        return data.decode(errors="replace").removesuffix("\n").split("\n")

    def _parse_header(self, text: str) -> dict[str, Any]:
        try:
            values: dict[str, Any] = json.loads(text)
            if values.pop("format") != FORMAT:
                raise ValueError("another format")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadRecord(
                f"game {self.file.name}: damaged first line ({error}): delete the file"
            ) from None
        return values

    def _changes(self, texts: Sequence[str]) -> Iterator[Change]:
        for number, text in enumerate(texts, start=2):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                continue  # cut off by a kill: what follows was written after the restart
            try:
                change = _parse_change(value)
            except (ValueError, LookupError, TypeError, AttributeError):
                raise BadRecord(
                    f"game {self.file.name}: line {number} is damaged: delete the file"
                ) from None
            if change is not None:
                yield change


def append_lines(file: Path, values: Sequence[Mapping[str, Any]], create: bool = True) -> None:
    """Append JSON lines to a file that only its owner may read, and wait until they are on disk."""
    append_fully(file, "".join(json.dumps(value) + "\n" for value in values), PRIVATE, create)


def _as_json(change: Change) -> dict[str, Any]:
    match change:
        case TakenBack(ply):
            return {"take_back": ply}
        case Resigned(seat, text):
            return {"resign": seat, "text": text}
        case Ended(text):
            return {"over": text}
        case Event():
            return event_line(change)


def _parse_change(value: Any) -> Change | None:
    """Parse the change in a line; None if its kind is unknown."""
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    if "chance" in value or "action" in value:
        return parse_event(value)
    if "take_back" in value:
        return TakenBack(_count(value["take_back"]))
    if "resign" in value:
        return Resigned(_count(value["resign"]), str(value.get("text", "")))
    return Ended(str(value["over"])) if "over" in value else None


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a ply or seat")
    return value
