"""A table on disk: a text file that only grows, so that a kill at any moment loses nothing.

One JSON object a line. The first says what was set up; each further line is an event (as in a game
record) or a change: `take_back`, `resign`; `over` says how it ended. A torn last line never
happened. What was analysed lies in a second file beside it. Knows no game.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.seats import CHANCE

FORMAT = 1


@dataclass(frozen=True)
class TableHeader:
    """What a table was set up with; it never changes."""

    id: str
    game: str
    version: int
    seed: int  # root of everything random at this table
    setup_seed: int
    title: str
    seats: tuple[str, ...]  # `human`, or what the client named; of a record: its agents
    created: str
    is_record: bool = False  # nobody plays on: it is here to be looked at
    serious: bool = False
    pace_ms: int = 400
    extra: Mapping[str, Any] = field(default_factory=dict)  # unknown keys of an uploaded record


@dataclass(frozen=True)
class Line:
    """One change of a table: an event, or `take_back` to a ply, or a seat that resigns.

    `over` changes nothing: it tells whoever reads the file alone how the game ended.
    """

    kind: str  # "event" | "take_back" | "resign" | "over"
    seat: int = 0
    number: int = 0  # the action, or the ply
    extra: Mapping[str, Any] = field(default_factory=dict)


class Journal:
    """The file of one table."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def create(self, header: TableHeader) -> None:
        """Write the first line; a table of this name must not exist."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("x") as stream:
            stream.write(json.dumps({"format": FORMAT, **asdict(header)}) + "\n")

    def append(self, *lines: Line) -> None:
        """Add changes in one write: all of them survive a kill, or only whole lines before it."""
        append_lines(self.file, [_as_json(line) for line in lines])

    def header(self) -> TableHeader:
        """The first line alone."""
        with self.file.open() as stream:
            return _header(stream.readline(), self.file.name)

    def read(self) -> tuple[TableHeader, list[Line]]:
        """The header and every change that was written whole."""
        first, *rest = self.file.read_text().splitlines() or [""]
        return _header(first, self.file.name), list(_lines(rest))


def append_lines(file: Path, values: Sequence[Mapping[str, Any]]) -> None:
    """Add JSON lines in one write, on a line of their own even after a torn one."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            text = "\n" + text
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _as_json(line: Line) -> dict[str, Any]:
    if line.kind == "event":
        who = {"chance": line.number} if line.seat == CHANCE else {
            "seat": line.seat, "action": line.number,
        }  # fmt: skip
        return {**line.extra, **who}
    if line.kind == "take_back":
        return {"take_back": line.number}
    if line.kind == "over":
        return {"over": line.extra["text"]}
    return {"resign": line.seat, "text": line.extra["text"]}


def _header(text: str, name: str) -> TableHeader:
    try:
        values = json.loads(text)
        if values.pop("format") != FORMAT:
            raise ValueError("another format")
        return TableHeader(**{**values, "seats": tuple(values["seats"])})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRecord(f"table {name}: damaged first line ({error}): delete the file") from None


def _lines(texts: list[str]) -> Iterator[Line]:
    for text in texts:
        try:
            value = json.loads(text)
        except ValueError:
            continue  # torn by a kill: what follows was written after the restart
        if "chance" in value:
            extra = {k: v for k, v in value.items() if k != "chance"}
            yield Line("event", CHANCE, int(value["chance"]), extra)
        elif "action" in value:
            extra = {k: v for k, v in value.items() if k not in ("seat", "action")}
            yield Line("event", int(value["seat"]), int(value["action"]), extra)
        elif "take_back" in value:
            yield Line("take_back", number=int(value["take_back"]))
        elif "resign" in value:
            told = {"text": str(value.get("text", ""))}
            yield Line("resign", seat=int(value["resign"]), extra=told)
        elif "over" in value:
            yield Line("over", extra={"text": str(value["over"])})
