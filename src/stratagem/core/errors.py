"""Errors that a person caused and can fix.

    StratagemError
    ├── UnknownName        a game, scenario, agent, option or key that does not exist
    ├── BadGame            a game whose own code cannot be used
    ├── BadScenario        a scenario file or override with a wrong value
    ├── BadRecord          a game record that cannot be read or does not replay
    ├── BadCheckpoint      a checkpoint or replay segment that is damaged or made for another game
    ├── BadState           a position that its game cannot have
    ├── BadSetting         a setting, budget or spec that makes no sense
    ├── Diverged           a training run whose numbers are no longer finite
    └── NotAllowed         a move, or taking one back, that is not allowed now

Every message is one line and names the fix. The command line prints it and exits with code 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST_NAME = 200  # characters of an unknown name that a message repeats


class StratagemError(Exception):
    """Something that the user can fix; the message says how."""


class UnknownName(StratagemError):
    """A name that does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], owner: str = "") -> None:
        known_names = sorted(known)
        close = difflib.get_close_matches(name[:_LONGEST_NAME], known_names, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}? " if close else ""
        listed = ", ".join(known_names) if known_names else "none"
        of_owner = f" of {owner}" if owner else ""
        shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
        super().__init__(f"unknown {kind} {shown!r}{of_owner}: {hint}known: {listed}")


class BadGame(StratagemError):
    """A game whose folder or code cannot be used; its author can fix it."""


class BadScenario(StratagemError):
    """A scenario file or override with a missing, unknown or impossible value."""


class BadRecord(StratagemError):
    """A game record that cannot be read, or that does not replay."""


class BadCheckpoint(StratagemError):
    """A checkpoint or replay segment that is damaged, or made for another game or version."""


class BadState(StratagemError):
    """A position from outside that cannot occur in its game."""


class BadSetting(StratagemError):
    """A setting, budget or agent spec that makes no sense."""


class Diverged(StratagemError):
    """A training run whose numbers are no longer finite; none of them were saved."""


class NotAllowed(StratagemError):
    """A move, or taking one back, that is not allowed in the current position."""
