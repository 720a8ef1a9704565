"""Where output goes: results to stdout, progress to stderr; with --json, only JSON to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from stratagem.core.patience import PATIENCE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Printer = Callable[[str], None]

_PIPE_WIDTH = 10_000  # columns: in files and pipes every row gets one line
# Characters that would move a terminal's cursor, change its title or colours, or ring its bell.
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"
}


def harmless(text: str) -> str:
    """Make text safe to show in a terminal: other people's files can contain anything."""
    return text.translate(_CONTROLS)


def one_line(text: str) -> str:
    """A name from a file of somebody else, which may not look like several lines of ours."""
    return " ".join(text.split())


def print_json(value: Any) -> None:
    """Print one JSON value for other programs."""
    PATIENCE.clear()
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
    sys.stdout.flush()  # a full disk should be noticed here, not after the program has ended


def print_line(text: str) -> None:
    """Print a line of the result, for people."""
    PATIENCE.clear()
    sys.stdout.write(harmless(text) + "\n")
    sys.stdout.flush()


def print_note(text: str) -> None:
    """Print a line about progress, which is never part of the result."""
    PATIENCE.clear()
    sys.stderr.write(harmless(text) + "\n")
    sys.stderr.flush()


def line_printer(as_json: bool) -> Printer:
    """Return a function that prints lines for people: to stderr if stdout is for JSON."""
    return print_note if as_json else print_line


def make_console() -> Console:
    """Return a Rich console on stdout, wide enough for tables when it is a pipe."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)


def make_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> Table:
    """Return a table; columns that contain only numbers are right-aligned."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(harmless(title)) if title else None, title_justify="left", box=box.SIMPLE_HEAD
    )
    for place, name in enumerate(columns):
        numeric = bool(rows) and all(_is_number(row[place]) for row in rows)
        # fold: a name that is too long for a narrow terminal continues on the next line
        justify: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(name, justify=justify, no_wrap=numeric, overflow="fold")
    for row in rows:
        table.add_row(
            *(Text(harmless(cell)) for cell in row)
        )  # Text: brackets in a cell are not markup
    return table


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    table = make_table(columns, rows, title)
    PATIENCE.clear()
    make_console().print(table)
    sys.stdout.flush()


def print_forfeits(spec: str, forfeits: Mapping[str, int]) -> None:
    """Print which games an agent lost by rule, and why; nothing if there are none."""
    if forfeits:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in forfeits.items())
        print_line(f"{spec} lost {sum(forfeits.values())} games by rule: {reasons}")


def _is_number(cell: str) -> bool:
    return not cell or cell.strip("+-~%").replace(".", "", 1).replace(",", "").isdigit()
