"""Reading the ledger language: header rows and commands, with line numbers.

It needs the words of the language and the names on the board, no position.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.games.terra_mystica.board.factions import FACTIONS
from stratagem.games.terra_mystica.board.hexes import COLOURS, LAND_NAMES, RIVER_NAMES
from stratagem.games.terra_mystica.board.tiles import CULTS

# Rows that an engine writes into its logs; they are no commands.
ENGINE_ROW = re.compile(
    r"setup|cult_income_for_faction|other_income_for_faction|score_resources"
    r"|\[opponent accepted power\]|\[all opponents declined power\]"
    r"|\+\d+vp for (fire|water|earth|air|network)",
    re.IGNORECASE,
)
_OPTIONS = {
    "strict-leech", "strict-darkling-sh", "strict-chaosmagician-sh", "errata-cultist-power",
}  # fmt: skip
_HEX = r"([a-i]\d+)"
_CULT = r"(fire|water|earth|air)"
_AMOUNT = r"(\d*)\s*(pw|p|w|c|vp)"
# Verb of the parsed command and the pattern of its text, in lower case.
_GRAMMAR: tuple[tuple[str, str], ...] = (
    ("build", rf"build {_HEX}"),
    ("upgrade", rf"upgrade {_HEX} to (tp|te|sh|sa)"),
    ("dig", r"dig (\d+)"),
    ("transform", rf"transform {_HEX} to (\w+)"),
    ("action", r"action (act[1-6aceg]|act[nsw]|bon[12]|fav6)"),
    ("bridge", rf"bridge {_HEX}:{_HEX}"),
    ("connect", rf"connect (?:(r\d+)|{_HEX}:{_HEX})"),
    ("send", rf"send p to {_CULT}(?: for ([123]))?"),
    ("advance", r"advance (ship|dig)"),
    ("burn", r"burn (\d+)"),
    ("convert", rf"convert {_AMOUNT} to {_AMOUNT}"),
    ("favour", r"\+fav(\d+)"),
    ("town", r"\+tw(\d+)"),
    ("cult", rf"\+(\d*){_CULT}"),
    ("forfeit", r"-(\d*)spades?"),
    ("ordain_less", r"-(\d*)convert_w_to_p"),
    ("leech", r"leech (\d+) from (\w+)"),
    ("decline", r"decline (\d+) from (\w+)"),
    ("pass", r"pass(?: bon(\d+))?"),
    ("idle", r"wait|done"),
)
_PATTERNS = tuple((verb, re.compile(pattern)) for verb, pattern in _GRAMMAR)


class BadLedger(BadRecord):
    """A ledger that cannot be read or replayed: line number, command and reason."""

    def __init__(self, line: int, command: str, reason: str) -> None:
        super().__init__(f"line {line}: {command!r}: {reason}")
        self.line = line


@dataclass(frozen=True)
class Command:
    """One command of a player: `words` are the matched parts, in lower case, "" if absent."""

    line: int
    text: str
    verb: str
    words: tuple[str, ...]


@dataclass
class Ledger:
    """A game as its ledger tells it: the set-up, and each seat's commands in order."""

    factions: list[str] = field(default_factory=list)
    tiles: list[int] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    options: set[str] = field(default_factory=set)
    streams: list[list[Command]] = field(default_factory=list)


def parse_ledger(rows: list[str]) -> Ledger:
    """Read rows; the first bad one raises BadLedger."""
    ledger = Ledger()
    for line, row in enumerate(rows, start=1):
        name, colon, rest = row.partition(":")
        if colon and " " not in name.strip():
            faction = name.strip().lower()
            if faction not in ledger.factions:
                raise BadLedger(line, row, f"{faction!r} is not set up in this game")
            stream = ledger.streams[ledger.factions.index(faction)]
            for text in split_commands(rest):
                if not ENGINE_ROW.fullmatch(text):
                    stream.append(parse_command(line, text))
        else:
            _parse_header(ledger, line, row.strip())
    _check_header(ledger)
    return ledger


def split_commands(text: str) -> list[str]:
    return [part.strip() for part in text.split(".") if part.strip()]


def parse_command(line: int, text: str) -> Command:
    lowered = " ".join(text.lower().split()).replace(" to grey", " to gray")  # both are written
    for verb, pattern in _PATTERNS:
        found = pattern.fullmatch(lowered)
        if found:
            command = Command(line, text, verb, tuple(word or "" for word in found.groups()))
            _check_names(command)
            return command
    raise BadLedger(line, text, "unknown command")


def _check_names(command: Command) -> None:
    for word in command.words:
        if re.fullmatch(_HEX, word) and word.upper() not in LAND_NAMES:
            raise BadLedger(command.line, command.text, f"no land hex is called {word.upper()!r}")
        if re.fullmatch(r"r\d+", word) and word not in RIVER_NAMES:
            raise BadLedger(command.line, command.text, f"no river hex is called {word!r}")
    if command.verb == "transform" and command.words[1] not in COLOURS:
        known = ", ".join(COLOURS)
        raise BadLedger(
            command.line, command.text, f"no colour {command.words[1]!r}; known: {known}"
        )
    limit = {"favour": 12, "town": 5}.get(command.verb)
    if limit and not 1 <= int(command.words[0]) <= limit:
        raise BadLedger(command.line, command.text, f"tiles are numbered 1 to {limit}")


def _parse_header(ledger: Ledger, line: int, row: str) -> None:
    words = row.lower().split()
    try:
        if not words or words[0] == "player":
            return
        if words[0] == "option":
            if words[1] not in _OPTIONS:
                raise BadLedger(line, row, f"option {words[1]!r} is not part of the base game")
            ledger.options.add(words[1])
        elif words[0] == "score":
            numbers = words[1].split(",")
            ledger.tiles = [int(number.removeprefix("score")) for number in numbers]
        elif words[0] == "delete":
            ledger.deleted.append(int(words[1].removeprefix("bon")))
        elif words[0] == "setup":
            if words[1] not in FACTIONS:
                raise BadLedger(line, row, f"no faction is called {words[1]!r}")
            ledger.factions.append(words[1])
            ledger.streams.append([])
        else:
            raise BadLedger(line, row, "unknown row")
    except (IndexError, ValueError):
        raise BadLedger(line, row, "cannot be read") from None


def _check_header(ledger: Ledger) -> None:
    players = len(ledger.factions)
    if not 2 <= players <= 5:
        raise BadRecord(f"{players} factions are set up: a game has 2 to 5")
    if len(ledger.tiles) != 6:
        raise BadRecord("no `score` row with six round tiles")
    if 9 - len(set(ledger.deleted)) != players + 3:
        raise BadRecord(
            f"{9 - len(set(ledger.deleted))} bonus cards are left: {players} players use "
            f"{players + 3}, correct the `delete` rows"
        )


def read_game(file: Path) -> dict[str, Any]:
    """A recorded game: JSON with `rows` and, to compare with, `trace` and `final`."""
    try:
        game = json.loads(file.read_text())
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadRecord("not a JSON file") from None
    rows = game.get("rows") if isinstance(game, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadRecord("no list of `rows`: give a recorded game as described on the game's page")
    return dict(game)


def cult_of(word: str) -> int:
    return CULTS.index(word.upper())
