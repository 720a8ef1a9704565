"""Where text goes: results to stdout, progress to stderr, JSON alone."""

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

_PIPE_WIDTH = 10_000  # columns: a file or another program gets every row in one line
# Signs that would move the cursor of a terminal, change its title or colours, or ring its bell.
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"
}


def harmless(text: str) -> str:
    """The text as it may be shown in a terminal: files of others can hold anything."""
    return text.translate(_CONTROLS)


def print_json(value: Any) -> None:
    """The machine's answer: one JSON value."""
    PATIENCE.said()
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
    sys.stdout.flush()  # what a full disk refuses shows here, not when the program has ended


def print_line(text: str) -> None:
    """A line of the result, for people."""
    PATIENCE.said()
    sys.stdout.write(harmless(text) + "\n")
    sys.stdout.flush()


def print_note(text: str) -> None:
    """A line about progress; never part of the result."""
    PATIENCE.said()
    sys.stderr.write(harmless(text) + "\n")
    sys.stderr.flush()


def line_printer(as_json: bool) -> Printer:
    """Prints lines for people: to stderr where stdout belongs to JSON."""
    return print_note if as_json else print_line


def make_console() -> Console:
    """Rich output on stdout, wide enough for tables when it is a pipe."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)


def make_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> Table:
    """A table; columns whose cells all look like numbers are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(harmless(title)) if title else None, title_justify="left", box=box.SIMPLE_HEAD
    )
    for place, name in enumerate(columns):
        numeric = bool(rows) and all(_is_number(row[place]) for row in rows)
        # fold: a name that is too long for a narrow terminal goes on in the next line, uncut
        justify: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(name, justify=justify, no_wrap=numeric, overflow="fold")
    for row in rows:
        table.add_row(
            *(Text(harmless(cell)) for cell in row)
        )  # Text: brackets in a cell are no markup
    return table


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    table = make_table(columns, rows, title)
    PATIENCE.said()
    make_console().print(table)
    sys.stdout.flush()


def print_forfeits(spec: str, forfeits: Mapping[str, int]) -> None:
    """Which games an agent lost by rule, and why; nothing if there are none."""
    if forfeits:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in forfeits.items())
        print_line(f"{spec} lost {sum(forfeits.values())} games by rule: {reasons}")


def _is_number(cell: str) -> bool:
    return not cell or cell.strip("+-~%").replace(".", "", 1).replace(",", "").isdigit()
