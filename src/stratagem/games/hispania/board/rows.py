"""Rows of a data file, with checked access to values.

An error names the file, the row and the fix.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from stratagem.core.errors import BadScenario, UnknownName

LAST_ROUND = 21


class BadData(BadScenario):
    """A data file with a wrong row; the message names file, row and fix."""


class Row:
    """One row of a data file; errors name its place."""

    def __init__(self, file: Path, line: int, values: dict[str, str]) -> None:
        self.file, self.line, self.values = file, line, values

    def fail(self, message: str) -> BadData:
        return BadData(f"{self.file.parent.name}/{self.file.name}, row {self.line}: {message}")

    def text(self, key: str) -> str:
        if key not in self.values:
            raise _no_column(self.file, key)
        return self.values[key].strip()

    def words(self, key: str) -> list[str]:
        return [word for word in self.text(key).replace(" ", ";").split(";") if word]

    def number(self, key: str, low: int, high: int) -> int:
        text = self.text(key)
        try:
            value = int(text)
        except ValueError:
            raise self.fail(f"{key} is {text!r}: write a whole number") from None
        if not low <= value <= high:
            raise self.fail(f"{key} is {value}: write {low} to {high}")
        return value

    def real(self, key: str, low: float, high: float) -> float:
        try:
            value = float(self.text(key))
        except ValueError:
            raise self.fail(f"{key} is {self.text(key)!r}: write a number") from None
        if not low <= value <= high:  # nan is never in between
            raise self.fail(f"{key} is {self.text(key)}: write {low:g} to {high:g}")
        return value

    def choice(self, key: str, known: Iterable[str]) -> int:
        return self.index(key, self.text(key), known)

    def index(self, what: str, word: str, known: Iterable[str]) -> int:
        """Return the position of a word among the known ones."""
        names = list(known)
        if word not in names:
            raise self.fail(str(UnknownName(what, word, names)))
        return names.index(word)

    def rounds(self, key: str) -> tuple[int, ...]:
        """Parse `3;6;9` or `1-9` into a tuple of rounds."""
        text = self.text(key)
        try:
            if "-" in text:
                first, last = map(int, text.split("-"))
                found = tuple(range(first, last + 1))
            else:
                found = tuple(int(part) for part in text.split(";") if part)
        except ValueError:
            raise self.fail(f"{key} is {text!r}: write 3;6;9 or 1-9") from None
        if found != tuple(sorted(set(found))):
            raise self.fail(f"{key} is {text!r}: write rounds once each and in order")
        if any(not 1 <= each <= LAST_ROUND for each in found):
            raise self.fail(f"{key} is {text!r}: rounds are 1 to {LAST_ROUND}")
        return found


def _no_column(file: Path, name: str) -> BadData:
    where = f"{file.parent.name}/{file.name}, row 1"
    return BadData(f"{where}: no column {name!r}; add it to the header")


def read_rows(file: Path, columns: Iterable[str], may_be_empty: bool = False) -> list[Row]:
    """Read the rows below the header, each with as many fields; row numbers are file lines."""
    where = f"{file.parent.name}/{file.name}"
    if not file.is_file():
        raise BadData(f"{where}: no such file; restore it")
    try:
        with file.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise _no_column(file, missing[0])
            rows = [Row(file, number, values) for number, values in enumerate(reader, start=2)]
    except (UnicodeDecodeError, csv.Error):
        raise BadData(f"{where}, row 1: not a table; save it as comma-separated UTF-8") from None
    for row in rows:
        if None in row.values or None in row.values.values():
            raise row.fail("wrong number of fields; quote those that hold a comma")
    if not rows and not may_be_empty:
        raise BadData(f"{where}, row 2: no row below the header; write at least one")
    return rows
